/** What a term is worth as evidence. */

/**
 * Inverse document frequency: ln(1 + (N - n + 0.5) / (n + 0.5)), as BM25 uses it (Robertson and Zaragoza, "The
 * Probabilistic Relevance Framework", 2009). Never negative; the rarer a term, the more it says.
 *
 * @param frequency n, in how many memories the term occurs
 * @param memoryCount N, how many there are
 */
export function inverseDocumentFrequency(frequency: number, memoryCount: number): number {
  // Both are read at different moments.
  const total = Math.max(memoryCount, frequency);
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}

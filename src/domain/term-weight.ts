/** Weights terms by their rarity. */

/**
 * Inverse document frequency: ln(1 + (N - n + 0.5) / (n + 0.5)), as in BM25 (Robertson and Zaragoza, "The Probabilistic
 * Relevance Framework", 2009). Never negative. Rarer terms weigh more.
 *
 * @param frequency n, the number of memories with the term
 * @param memoryCount N, the number of all memories
 */
export function inverseDocumentFrequency(frequency: number, memoryCount: number): number {
  // The two numbers are read at different moments, so n may exceed N.
  const total = Math.max(memoryCount, frequency);
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}

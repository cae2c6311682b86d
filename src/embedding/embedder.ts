/** Turns text into vectors. */

export interface Embedder {
  /** Names the vector space: vectors of different models are never compared. */
  readonly model: string;
  /** What recall can expect of it, in a sentence for people. */
  readonly description: string;
  /**
   * Cosine similarity that unrelated texts typically have under this model, 0..1. Models differ widely in it, and recall
   * counts only what goes beyond.
   */
  readonly unrelatedSimilarity: number;
  /** Length of every vector it returns. */
  readonly dimensions: number;
  /**
   * Embeds texts, in order. Every vector has unit length.
   *
   * @param purpose some models embed a question differently from what answers it
   */
  embed(texts: readonly string[], purpose: 'document' | 'query'): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Turns text into vectors. */
import type { EmbeddingUsage } from '../domain/statistics.js';

/** The length that a model returned, before padding or cutting to the stored length. */
export interface ReturnedLength {
  dimensions: number;
  /** Whether vectors of this length can be stored. Vectors shorter than VECTOR_SIZE can: they are padded with zeros. */
  isUsable: boolean;
}

/** Some models embed a question differently from the texts that answer it. */
export type EmbeddingPurpose = 'document' | 'query';

export interface Embedder {
  /**
   * Identifies the vector space, and stays the same after a restart: vectors of different models are never compared.
   */
  readonly model: string;
  /** One sentence for people about the quality that recall can expect. */
  readonly description: string;
  /**
   * Cosine similarity that unrelated texts typically have under this model, 0..1. Models differ widely in it, and
   * recall counts only the part above it.
   */
  readonly unrelatedSimilarity: number;
  /** Whether the embedder finds the same meaning in other words. If not, it adds nothing to the search by words. */
  readonly understandsMeaning: boolean;
  /** Length of the vectors in its last answer; absent before the first. */
  readonly returned?: ReturnedLength | undefined;
  /**
   * Whether it computes in this process, in far less time than a write takes, and never fails: a memory is then stored
   * together with its vector. If absent, the vector follows later.
   */
  readonly isImmediate?: boolean | undefined;
  /** Why the last call failed, in words that any user may read; absent when it succeeded. */
  readonly lastFailure?: string | undefined;
  /**
   * Embeds texts, in order. Every vector has unit length. A vector that could not be computed is never replaced by
   * anything.
   *
   * @throws MemoryError `unavailable` when the model is away, whatever the texts; any other error when it cannot embed
   * these texts
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
  /** Pending calls may still end, or fail with `unavailable`. Safe to call twice. */
  close(): Promise<void>;
}

/** An embedder that reports its last failure and its usage. */
export interface WatchedEmbedder extends Embedder {
  readonly usage: Readonly<EmbeddingUsage>;
}

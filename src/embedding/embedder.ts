/** Turns text into vectors. */
import type { EmbeddingUsage } from '../domain/statistics.js';

/** What a model returned, before it is padded or cut to the length that is stored. */
export interface ReturnedLength {
  dimensions: number;
  /** Whether vectors of this length can be stored; shorter ones than VECTOR_SIZE can, padded with zeros. */
  isUsable: boolean;
}

/** Some models embed a question differently from what answers it. */
export type EmbeddingPurpose = 'document' | 'query';

export interface Embedder {
  /** Names the vector space: vectors of different models are never compared. The same after every start. */
  readonly model: string;
  /** What recall can expect of it, in a sentence for people. */
  readonly description: string;
  /**
   * Cosine similarity that unrelated texts typically have under this model, 0..1. Models differ widely in it, and recall
   * counts only what goes beyond.
   */
  readonly unrelatedSimilarity: number;
  /** Whether it finds what is said in other words: what only compares words adds nothing to them. */
  readonly understandsMeaning: boolean;
  /** What its last answer showed; absent before the first. */
  readonly returned?: ReturnedLength | undefined;
  /**
   * It computes in this process, in far less time than a write takes, and never fails: a memory need not be stored before
   * it has its vector. Absent: the vector comes later.
   */
  readonly isImmediate?: boolean | undefined;
  /** Why it does not work at the moment, as far as its last call could tell, in words that anybody may read. */
  readonly lastFailure?: string | undefined;
  /**
   * Embeds texts, in order. Every vector has unit length. Nothing ever takes the place of a vector that could not be made.
   *
   * @throws MemoryError `unavailable` when the model is away, which says nothing about the texts; any other error when
   * there is something about these texts that it cannot embed
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
  /** What is under way may still end, or fail with `unavailable`. Safe to call twice. */
  close(): Promise<void>;
}

/** An embedder of which is known how it has fared. */
export interface WatchedEmbedder extends Embedder {
  readonly usage: Readonly<EmbeddingUsage>;
}

/** Turns text into vectors. */
import type { EmbeddingUsage } from '../domain/reports.js';

/** The length that a model returned, before padding or cutting to the stored length. */
export interface ReturnedLength {
  dimensions: number;
  /** Whether vectors of this length can be stored, if necessary after padding with zeros or cutting. */
  isUsable: boolean;
}

/** The purpose of a call. Some models embed a question differently from the texts that answer the question. */
export type EmbeddingPurpose = 'document' | 'query';

export interface Embedder {
  /**
   * Identifies the vector space, and stays the same after a restart. Vectors are compared only if their models are the
   * same.
   */
  readonly model: string;
  /** The embedder in a few words, for people to read. */
  readonly description: string;
  /**
   * Cosine similarity that unrelated texts typically have under this model, 0..1. This value differs widely between
   * models, so recall measures closeness in meaning from this value upwards.
   */
  readonly unrelatedSimilarity: number;
  /**
   * Whether the embedder recognizes the same meaning in other words. If not, the score component `meaning` stays
   * at 0.
   */
  readonly understandsMeaning: boolean;
  /** Length of the vectors in the last answer. Undefined before the first answer. */
  readonly returned?: ReturnedLength | undefined;
  /**
   * Whether the embedder computes in this process, in far less time than a write takes, and never fails. If the
   * vector store is in this process too, a memory is then stored together with its vector. Otherwise the vector follows
   * the memory.
   */
  readonly isImmediate?: boolean | undefined;
  /**
   * Why the last call failed, as a text that any user may read. Undefined when the last call succeeded, or failed
   * because of its texts.
   */
  readonly lastFailure?: string | undefined;
  /**
   * Embeds texts, in order. Every vector has unit length. If a vector cannot be computed, the call fails and returns no
   * substitute.
   *
   * @throws MemoryError `unavailable` when the model cannot be reached, whatever the texts are; any other error when
   * the model cannot embed these texts
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
  /** Closes the embedder. Pending calls may still succeed, or fail with `unavailable`. A second call has no effect. */
  close(): Promise<void>;
}

/** An embedder that reports its last failure and its usage. */
export interface WatchedEmbedder extends Embedder {
  readonly usage: Readonly<EmbeddingUsage>;
}

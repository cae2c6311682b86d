/** Counts and measurements since the engine was opened. */

import type { DurationCounts } from './durations.js';
import type { Confidence } from './recall-results.js';

/** Statistics of the engine and its stores. A value is null when the store could not be asked in time. */
export interface Statistics {
  recalls: RecallStatistics;
  stores: { graph: StoreStatistics; vectors: StoreStatistics };
  work: { embed: WorkStatistics | null; enrich: WorkStatistics | null };
  memoryCount: number | null;
  vectorCount: number | null;
  /** Differences between the two stores. If the stores are large, also null until their first comparison has ended. */
  drift: { missingCount: number; orphanedCount: number } | null;
  /**
   * Free space on the disk of the data folder. Null when the space could not be read, and when all stores are servers,
   * because the folder is then unused.
   */
  freeDiskBytes: number | null;
  embedding: { model: string } & EmbeddingUsage;
  /** Undefined when no language model is configured. */
  languageModel?: { model: string } & TokenUsage;
}

/** Counts of the answered recalls, by confidence and by duration. */
export interface RecallStatistics {
  byConfidence: Readonly<Record<Confidence, number>>;
  durations: DurationCounts;
}

export interface StoreStatistics {
  /** Whether the store answers at present. */
  isUp: boolean;
  /**
   * Whether the circuit breaker of the store refuses calls. False for an embedded store, which has no circuit breaker.
   */
  isCircuitOpen: boolean;
  /** Number of calls that failed because of the store. */
  failures: number;
}

export interface WorkStatistics {
  /** Includes work that waits for the end of a back-off. */
  pending: number;
  inFlight: number;
  /** Number of memories whose work was given up after the last attempt. */
  failed: number;
  /** Upper bound for the time since the oldest due work became due. 0 when no work is due. */
  behindMs: number;
}

export interface EmbeddingUsage {
  /** Number of calls that embed texts of memories or of queries, including failed calls. */
  calls: number;
  /** Number of texts in all calls, including failed calls. */
  texts: number;
  failures: number;
}

export interface TokenUsage {
  requests: number;
  failures: number;
  inputTokens: number;
  outputTokens: number;
}

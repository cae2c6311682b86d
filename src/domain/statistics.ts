/** How the memory has fared since it was opened, in plain numbers. */

import type { DurationCounts } from './durations.js';
import type { Confidence } from './recall-results.js';

/** Where the value is null, the store could not be asked in time. */
export interface Statistics {
  recalls: RecallStatistics;
  stores: { graph: StoreStatistics; vectors: StoreStatistics };
  work: { embed: WorkStatistics | null; enrich: WorkStatistics | null };
  memoryCount: number | null;
  vectorCount: number | null;
  /** Also null while a first comparison of large stores has not ended. */
  drift: { missingCount: number; orphanedCount: number } | null;
  /** Null too when all stores are servers, so that nothing is kept in a data folder. */
  freeDiskBytes: number | null;
  embedding: { model: string } & EmbeddingUsage;
  /** Absent when there is none. */
  languageModel?: { model: string } & TokenUsage;
}

/** Recalls that were answered. */
export interface RecallStatistics {
  byConfidence: Readonly<Record<Confidence, number>>;
  durations: DurationCounts;
}

export interface StoreStatistics {
  /** Whether it answers now. */
  isUp: boolean;
  /** Whether its circuit breaker refuses calls. A store that cannot be away has none, and refuses none. */
  isCircuitOpen: boolean;
  /** Calls that failed because of the store. */
  failures: number;
}

export interface WorkStatistics {
  /** Waiting, also for the end of a back-off. */
  pending: number;
  inFlight: number;
  /** Given up after the last attempt. */
  failed: number;
  /** How long some has been due; 0 while none is. */
  behindMs: number;
}

export interface EmbeddingUsage {
  /** Of memories and of questions. */
  calls: number;
  /** In all calls, failed ones included. */
  texts: number;
  failures: number;
}

export interface TokenUsage {
  requests: number;
  failures: number;
  inputTokens: number;
  outputTokens: number;
}

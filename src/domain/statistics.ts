/** Counts and measurements since the engine was opened. */

import type { MemoryType } from './memory.js';
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

/**
 * Upper bounds of the buckets, in milliseconds. The lowest bound fits an answer from a cache. The highest bound fits an
 * answer that comes after the caller has given up.
 */
export const DURATION_BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

export interface DurationCounts {
  /** Number of durations per bucket. A bucket counts the durations up to its bound and above the previous bound. */
  counts: readonly number[];
  /** Number of all durations. */
  total: number;
  sumMs: number;
}

export interface DurationCounter {
  add(durationMs: number): void;
  read(): DurationCounts;
}

export function createDurationCounter(): DurationCounter {
  const counts = DURATION_BOUNDS_MS.map(() => 0);
  let total = 0;
  let sumMs = 0;
  return {
    add: durationMs => {
      total += 1;
      sumMs += durationMs;
      const size = DURATION_BOUNDS_MS.findIndex(boundMs => durationMs <= boundMs);
      if (size >= 0) counts[size] = (counts[size] ?? 0) + 1;
    },
    read: () => ({ counts: [...counts], total, sumMs }),
  };
}

export interface Analysis {
  /** Counts every memory under its type. */
  types: TypeFigures[] | null;
  patterns: PatternFigures[] | null;
  preferences: Preference[] | null;
  hours: HourFigures[] | null;
  entities: EntityCount[] | null;
  confidences: ConfidenceCounts | null;
}

/** Figures of all memories of one type. In an analysis, the most frequent types come first. */
export interface TypeFigures {
  type: MemoryType;
  count: number;
  averageConfidence: number;
}

/** A pattern with high confidence. In an analysis, the most confident patterns come first. */
export interface PatternFigures {
  type: string;
  description: string;
  /** 0..1 */
  confidence: number;
  /** Number of memories that show the pattern. */
  observations: number;
}

/** A PREFERS_OVER edge, with the contents of its two memories. The strongest edges come first. */
export interface Preference {
  prefers: string;
  over: string;
  /** Null when the edge names no context. */
  context: string | null;
  /** 0..1 */
  strength: number;
}

/** Memories whose time lies in one hour of the day in UTC, 0 to 23. Earlier hours come first. */
export interface HourFigures {
  hour: number;
  count: number;
  averageImportance: number;
}

/** Number of memories that name an entity. In a list of counts, the most frequent entity is first. */
export interface EntityCount {
  name: string;
  count: number;
}

/** Number of memories with a low, medium or high confidence of their type. */
export interface ConfidenceCounts {
  low: number;
  medium: number;
  high: number;
}

/** Settings that more than one part is built with. Their defaults stand in config.ts. */
import type { ScoreComponents } from './answers.js';
import type { RecencyBias } from './recall-query.js';

/** Size tiers of the store_memory tool, in characters. */
export interface ContentTiers {
  softLimit: number;
  hardLimit: number;
}

/** Weights of the score components; the defaults are the specification's. */
export type ScoreWeights = Omit<ScoreComponents, 'context'>;

export interface RecallSettings {
  /** Relations attached to a result, and followed from a seed, unless a recall says otherwise. */
  relationLimit: number;
  /** Memories that expansion may add, unless a recall says otherwise. */
  expansionLimit: number;
  /** Results below this score are left out; 0 leaves out none. */
  minScore: number;
  adaptiveFloor: boolean;
  recencyBias: RecencyBias;
  /** Most that the recency bias adds to a score. */
  temporalWeight: number;
  weights: ScoreWeights;
}

export interface WorkSettings {
  batchSize: number;
  batchTimeoutMs: number;
  maxAttempts: number;
  /** First wait after a failed attempt; it doubles with each. */
  backoffMs: number;
  leaseMs: number;
}

/** Settings that more than one part is built with. Their defaults stand in config.ts. */

/** Size tiers of the store_memory tool, in characters. */
export interface ContentTiers {
  softLimit: number;
  hardLimit: number;
}

/** Weights of the score components; the defaults are the specification's. */
export interface ScoreWeights {
  vector: number;
  keyword: number;
  exact: number;
  importance: number;
  confidence: number;
  recency: number;
  tag: number;
  relation: number;
  relevance: number;
}

export interface RecallSettings {
  relationLimit: number;
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

/**
 * Requests to make vectors again or to compare the stores, and what came of them
 * (docs/decisions.md, "Comparing the stores").
 */
export interface ReembedRequest {
  /** Texts in one call of the model. */
  batchSize: number;
  /** Most memories, newest first; absent: all. */
  limit?: number;
  /** Also those that have a vector of the present model. */
  force: boolean;
}

export interface SyncRequest {
  /** Texts in one call of the model. */
  batchSize: number;
  /** Only reports. */
  isDryRun: boolean;
  /** Removes vectors that belong to no memory. */
  removesOrphans: boolean;
}

export interface ReembedReport {
  batchSize: number;
  processedCount: number;
  /** They go on waiting to be embedded in the background. */
  failedIds: string[];
  /** Memories when the run began. */
  memoryCount: number;
}

/** How the stores stood before anything was mended. */
interface StoreComparison {
  memoryCount: number;
  vectorCount: number;
  /** Memories without a vector. */
  missingCount: number;
  /** Vectors without a memory. */
  orphanedCount: number;
}

export interface DryRunReport extends StoreComparison {
  isDryRun: true;
  /** At most ten ids. */
  missingSample: string[];
  orphanedSample: string[];
}

export interface MendingReport extends StoreComparison {
  isDryRun: false;
  /** Memories that have got their vector. */
  embeddedCount: number;
  /** They go on waiting to be embedded in the background. */
  failedIds: string[];
  /** Vectors that were removed. */
  removedCount: number;
}

export type SyncReport = DryRunReport | MendingReport;

/**
 * Requests to embed memories again or to compare the stores, and the results of these requests (docs/decisions.md,
 * "Comparing the stores").
 */
export interface ReembedRequest {
  /** Number of texts in one call of the model. */
  batchSize: number;
  /** Maximum number of memories, newest first. Undefined means no limit. */
  limit?: number;
  /** Whether memories that have a vector of the current model or a supplied vector are embedded again too. */
  force: boolean;
}

export interface SyncRequest {
  /** Number of texts in one call of the model. */
  batchSize: number;
  /** Whether the differences are only reported, and not repaired. */
  isDryRun: boolean;
  /** Whether vectors without a memory are removed. */
  removesOrphans: boolean;
}

export interface ReembedReport {
  batchSize: number;
  processedCount: number;
  /** Ids of memories that could not be embedded. They stay queued for embedding in the background. */
  failedIds: string[];
  /** Number of memories when the run began. */
  memoryCount: number;
}

/** The state of the stores before vectors are added or removed. */
interface StoreComparison {
  memoryCount: number;
  vectorCount: number;
  /** Number of memories without a vector. */
  missingCount: number;
  /** Number of vectors without a memory. */
  orphanedCount: number;
  /** Number of memories of other programs in the graph, which Engraph leaves alone. */
  foreignCount: number;
}

export interface DryRunReport extends StoreComparison {
  isDryRun: true;
  /** At most ten ids. */
  missingSample: string[];
  orphanedSample: string[];
}

export interface RepairReport extends StoreComparison {
  isDryRun: false;
  /** Number of memories that got a vector. */
  embeddedCount: number;
  /** Ids of memories that could not be embedded. They stay queued for embedding in the background. */
  failedIds: string[];
  /** Number of removed vectors. */
  removedCount: number;
}

export type SyncReport = DryRunReport | RepairReport;

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

/** What was found of nodes in a shared graph that other programs wrote, changed or removed. */
export interface AdoptionReport {
  /** Memories that were taken over: they can be found from now on. */
  adoptedCount: number;
  /** Memories whose index did not match their properties. */
  repairedCount: number;
  /** Nodes that say nothing of use; they are left as they are. */
  malformedCount: number;
  /** At most ten of them. */
  malformedSample: MalformedNode[];
}

export interface MalformedNode {
  label: string;
  /** Absent where it has none that is text. */
  id?: string;
  /** The rest of a sentence that begins with the node. */
  problem: string;
}

/** How the stores stood before anything was mended. */
interface StoreComparison {
  memoryCount: number;
  vectorCount: number;
  /** Memories without a vector. */
  missingCount: number;
  /** Vectors without a memory. */
  orphanedCount: number;
  /** Only of a graph that other programs may write to. */
  adoption?: AdoptionReport;
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

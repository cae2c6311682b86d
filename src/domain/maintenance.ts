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

/** Findings about nodes that other programs wrote, changed or removed in a shared graph. A dry run changes nothing. */
export interface AdoptionReport {
  /** Number of adopted memories, which recall finds from now on. */
  adoptedCount: number;
  /** Number of memories whose index was wrong, because another program changed or removed them. */
  repairedCount: number;
  /** Number of unusable nodes, which are left unchanged. */
  malformedCount: number;
  /** At most ten of the unusable nodes. */
  malformedSample: MalformedNode[];
}

export interface MalformedNode {
  label: string;
  /** Undefined when the node has no id, or an id that is not a text. */
  id?: string;
  /** Why the node is unusable, as a clause such as "its type is not a text". */
  problem: string;
}

/** The state of the stores before vectors are added or removed. */
interface StoreComparison {
  memoryCount: number;
  vectorCount: number;
  /** Number of memories without a vector. */
  missingCount: number;
  /** Number of vectors without a memory. */
  orphanedCount: number;
  /** Present only for a graph that other programs may write to. */
  adoption?: AdoptionReport;
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

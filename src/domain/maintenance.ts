/** Requests to make vectors again or to compare the stores, and what they answer (decisions D38). */
export interface ReembedRequest {
  /** Texts in one call of the model. */
  batch_size: number;
  /** Most memories, newest first; absent: all. */
  limit?: number;
  /** Also those that have a vector of the present model. */
  force: boolean;
}

export interface SyncRequest {
  batch_size: number;
  /** Only reports. */
  dry_run: boolean;
  /** Removes vectors that belong to no memory. */
  remove_orphans: boolean;
}

/** The first of those that failed. */
interface FailedSample {
  failed_ids?: string[];
  failed_ids_truncated?: boolean;
}

export interface ReembedAnswer extends FailedSample {
  status: 'complete';
  processed: number;
  /** They go on waiting to be embedded in the background. */
  failed: number;
  /** Memories when the run began. */
  total: number;
  batch_size: number;
  metadata_preserved: boolean;
}

interface StoreCounts {
  falkordb_count: number;
  qdrant_count: number;
}

export type SyncAnswer =
  | (StoreCounts & {
      status: 'dry_run';
      missing_count: number;
      orphaned_count: number;
      /** At most ten ids. */
      missing_sample: string[];
      orphaned_sample: string[];
    })
  | (StoreCounts &
      FailedSample & {
        status: 'complete' | 'already_synced';
        /** Memories that have got their vector. */
        synced: number;
        failed: number;
        orphaned_count: number;
        orphaned_removed: number;
      });

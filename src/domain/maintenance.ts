/** Requests to make vectors again or to compare the stores, and what came of them (decisions D38). */
import { MemoryError } from './errors.js';
import { isPlainObject } from './json.js';
import { type RawParameters, readCount, readFlag } from './raw-parameters.js';

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

const BATCH_SIZE = 32;
const BATCH_SIZE_MAX = 1000;

/** @throws MemoryError `invalid` */
export function parseReembedRequest(body: unknown): ReembedRequest {
  const raw = readObject(body);
  const limit = readCount(raw, 'limit', { max: Number.MAX_SAFE_INTEGER });
  return {
    batchSize: readBatchSize(raw),
    ...(limit !== undefined && { limit }),
    force: readFlag(raw, 'force') ?? false,
  };
}

/** @throws MemoryError `invalid` */
export function parseSyncRequest(body: unknown): SyncRequest {
  const raw = readObject(body);
  return {
    batchSize: readBatchSize(raw),
    isDryRun: readFlag(raw, 'dry_run') ?? false,
    removesOrphans: readFlag(raw, 'remove_orphans') ?? false,
  };
}

function readBatchSize(raw: RawParameters): number {
  return readCount(raw, 'batch_size', { max: BATCH_SIZE_MAX }) ?? BATCH_SIZE;
}

function readObject(body: unknown): RawParameters {
  if (body === undefined || isPlainObject(body)) return body ?? {};
  throw new MemoryError('invalid', 'The body must be a JSON object');
}

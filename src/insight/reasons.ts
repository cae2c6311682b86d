/** The reasons for a degraded service, each in a sentence that an operator can act on. */
import type { WorkCounts, WorkKind } from '../stores/ports/work-queue.js';
import type { StorageState, StoreActivity } from '../stores/store-watch.js';

/** The progress of background work. */
export interface WorkProgress {
  kind: WorkKind;
  counts: WorkCounts;
  /** Time since the worker last had no due work: an upper bound for the wait of any due work. 0 if none is due. */
  behindMs: number;
  /** Time since the worker last finished or failed a batch. */
  silentMs: number;
}

export interface Findings {
  /** Problem of the last ping; undefined when the store answered. */
  graphProblem: string | undefined;
  vectorProblem: string | undefined;
  storage: StorageState;
  freeBytes: number | null;
  work: readonly WorkProgress[];
}

/** Minimum of free space. With less free space, a few more batches fill the disk. */
const FREE_BYTES_MIN = 64 * 1_048_576;
/** Maximum time without an attempt while work waits. It is longer than the longest wait between two attempts. */
const SILENT_MAX_MS = 600_000;

const ACTIVITY: Record<WorkKind, string> = { embed: 'Embedding', enrich: 'Enrichment' };

export function reasonsOf({ graphProblem, vectorProblem, storage, freeBytes, work }: Findings): string[] {
  const integrity = storage.integrity();
  return [
    ...(graphProblem === undefined ? [] : [`The graph store does not answer: ${graphProblem}.`]),
    ...(vectorProblem === undefined ? [] : [`The vector store does not answer: ${vectorProblem}.`]),
    ...failuresOf('graph', storage.graphActivity()),
    ...failuresOf('vector', storage.vectorActivity()),
    ...(integrity.state === 'damaged' ? [`The database file is damaged: ${integrity.problem}.`] : []),
    ...storage.refusals().map(reason => `Nothing is written: ${reason}.`),
    ...(freeBytes !== null && freeBytes < FREE_BYTES_MIN
      ? [`The disk has ${mebibytes(freeBytes)} MiB left, and Engraph needs ${mebibytes(FREE_BYTES_MIN)}.`]
      : []),
    ...work.flatMap(frozenWork),
  ];
}

function failuresOf(store: string, { recentFailures, lastFailure }: StoreActivity): string[] {
  if (recentFailures === 0) return [];
  const times = recentFailures === 1 ? 'once' : `${recentFailures} times`;
  return [`The ${store} store has failed ${times} within the last minute: ${lastFailure}.`];
}

function frozenWork({ kind, counts, behindMs, silentMs }: WorkProgress): string[] {
  if (Math.min(behindMs, silentMs) < SILENT_MAX_MS) return [];
  const minutes = Math.floor(silentMs / 60_000);
  return [`${ACTIVITY[kind]} has made no attempt for ${minutes} minutes; waiting memories: ${counts.pending}.`];
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 1_048_576);
}

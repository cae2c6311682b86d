/**
 * Blocks all writes to a graph while data seems to be missing, or while the disk accepts no writes. A write could destroy
 * data that could still be recovered, or go to files that can no longer be found.
 */
import { MemoryError } from '../domain/errors.js';
import type { GraphStore } from './graph-store.js';
import type { VectorStore } from './vector-store.js';

export interface WriteGuard {
  /** The first is the one that callers are told. Empty while writes are allowed. */
  readonly refusals: readonly Refusal[];
  refuse(refusal: Refusal): void;
}

export interface Refusal {
  reason: string;
  hint: string;
  /** Whether the operator wants no writes, so that the refusal is no problem of the service. */
  isIntended?: boolean;
}

export const LOSS_HINT =
  'Copy the data folder before anything else. Then restore the missing data and restart, or start once with --accept-loss to continue with the data that is left.';
const MOVED_HINT = 'Restore the folder, or restart the program that runs Engraph.';

/** @param lostFolder returns the path of the data folder if the folder was moved or removed, otherwise undefined */
export function createWriteGuard(lostFolder: () => string | undefined): WriteGuard {
  const given: Refusal[] = [];
  return {
    get refusals() {
      const folder = lostFolder();
      const reason = `the data folder ${folder} was moved or removed while Engraph had it open`;
      return folder === undefined ? given : [...given, { reason, hint: MOVED_HINT }];
    },
    refuse: refusal => void given.push(refusal),
  };
}

/** Results that background work receives instead of an error, so that the work finds nothing to do. */
const IDLE: Readonly<Record<string, unknown>> = {
  claimWork: [],
  reclaim: undefined,
  makeWorkDue: undefined,
  requeueOutdated: 0,
  annotate: undefined,
  rewriteOutdatedWords: { rewrittenCount: 0 },
};

/**
 * Wraps a graph so that its writes reject with MemoryError `unavailable` while the guard refuses them. Methods in IDLE
 * write nothing either, but do not reject.
 */
export function withWriteGuard(graph: GraphStore, guard: WriteGuard): GraphStore {
  return new Proxy(graph, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof name !== 'string' || !GRAPH_WRITES.has(name)) return value;
      const [refusal] = guard.refusals;
      if (refusal === undefined) return value;
      if (name in IDLE) return async () => IDLE[name];
      const { reason, hint } = refusal;
      return () => Promise.reject(new MemoryError('unavailable', `Nothing is written: ${reason}`, { hint }));
    },
  });
}

/** The methods that change data. */
export const VECTOR_WRITES: ReadonlySet<PropertyKey> = new Set<keyof VectorStore>([
  'upsert',
  'updatePayloads',
  'remove',
]);

export const GRAPH_WRITES: ReadonlySet<PropertyKey> = new Set<keyof GraphStore>([
  'saveMemories',
  'updateMemory',
  'deleteMemories',
  'annotate',
  'saveRelations',
  'removeRelations',
  'supersede',
  'saveNode',
  'deleteNodes',
  'linkNode',
  'takeLease',
  'reclaim',
  'claimWork',
  'renewWork',
  'settleWork',
  'completeWork',
  'releaseWork',
  'makeWorkDue',
  'requeue',
  'requeueOutdated',
  'rewriteOutdatedWords',
  'settleStaleVectors',
]);

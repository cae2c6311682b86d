/**
 * Blocks all writes to a graph while data seems to be missing. A write could destroy data that could still be recovered,
 * or go to files that can no longer be found.
 */
import { MemoryError } from '../domain/errors.js';
import type { GraphStore } from './graph-store.js';
import { GRAPH_WRITES } from './store-writes.js';

export interface WriteGuard {
  /** Reason why writes are blocked; undefined while writes are allowed. */
  readonly reason: string | undefined;
  refuse(reason: string): void;
}

/** @param lostFolder returns the path of the data folder if the folder was moved or removed, otherwise undefined */
export function createWriteGuard(lostFolder: () => string | undefined): WriteGuard {
  let reason: string | undefined;
  return {
    get reason() {
      if (reason !== undefined) return reason;
      const folder = lostFolder();
      return folder && `the data folder ${folder} was moved or removed while Engraph had it open`;
    },
    refuse: why => {
      reason ??= why;
    },
  };
}

/** Results that background work receives instead of an error, so that the work finds nothing to do. */
const IDLE: Readonly<Record<string, unknown>> = {
  claimWork: [],
  reclaim: undefined,
  makeWorkDue: undefined,
  requeueOutdated: 0,
  touch: undefined,
  adopt: { adoptedCount: 0, repairedCount: 0, malformedCount: 0, malformedSample: [] },
};

/**
 * Wraps a graph so that its writes reject with MemoryError `unavailable` while the guard has a reason. Methods in IDLE
 * write nothing either, but do not reject.
 */
export function withWriteGuard(graph: GraphStore, guard: WriteGuard): GraphStore {
  return new Proxy(graph, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof name !== 'string' || !GRAPH_WRITES.has(name)) return value;
      const { reason } = guard;
      if (reason === undefined) return value;
      if (name in IDLE) return async () => IDLE[name];
      return () => Promise.reject(refusal(reason));
    },
  });
}

function refusal(reason: string): MemoryError {
  return new MemoryError('unavailable', `Nothing is written: ${reason}`, {
    hint: 'Restore the missing data and restart, or start once with --accept-loss to continue with the data that is left.',
  });
}

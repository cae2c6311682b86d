/** Records the outcome of the calls to a store, because a store that answers pings may fail all other calls. */
import { MemoryError, StoreStarting } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';

export interface StoreActivity {
  /** When a read last succeeded, in milliseconds since the epoch; absent before the first success. */
  lastReadMs?: number;
  lastWriteMs?: number;
  /**
   * Number of calls that failed within the last minute because of the store. When a method succeeds, its own earlier
   * failures no longer count.
   */
  recentFailures: number;
  /** Reason of the latest failure; absent while `recentFailures` is 0. */
  lastFailure?: string;
  /** Number of calls that have failed because of the store since the store was opened. */
  failures: number;
}

export interface WatchedStore<Store> {
  store: Store;
  activity(): StoreActivity;
  /** Clears the recent failures. Call this function when these failures no longer describe the present state. */
  forgetFailures(): void;
}

const RECENT_MS = 60_000;
/** Maximum number of recent failures that are kept. Older failures are dropped. */
const FAILURES_KEPT = 1_000;

/** @param writes names of the methods that change data */
export function watchStore<Store extends object>(
  store: Store,
  writes: ReadonlySet<PropertyKey>,
  clock: Clock,
): WatchedStore<Store> {
  let lastReadMs: number | undefined;
  let lastWriteMs: number | undefined;
  let lastFailure: string | undefined;
  let failures: { name: PropertyKey; failedMs: number }[] = [];
  let failureCount = 0;

  const noteSuccess = (name: PropertyKey) => {
    if (writes.has(name)) lastWriteMs = clock.nowMs();
    else lastReadMs = clock.nowMs();
    if (failures.length > 0) failures = failures.filter(failure => failure.name !== name);
  };
  const noteFailure = (name: PropertyKey, error: unknown): never => {
    const isFailure = error instanceof MemoryError && error.code === 'unavailable' && !(error instanceof StoreStarting);
    if (isFailure) {
      lastFailure = error.message;
      failureCount += 1;
      failures = [...failures.slice(1 - FAILURES_KEPT), { name, failedMs: clock.elapsedMs() }];
    }
    throw error;
  };
  const watched = (name: PropertyKey, method: (...given: unknown[]) => unknown) => {
    return (...given: unknown[]) => {
      const result = method.apply(store, given);
      if (!(result instanceof Promise)) return result;
      return result.then(
        value => {
          noteSuccess(name);
          return value as unknown;
        },
        error => noteFailure(name, error),
      );
    };
  };

  const methods = new Map<PropertyKey, unknown>();
  return {
    store: new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        // Pings are not recorded, because the caller of a ping handles its outcome.
        if (typeof value !== 'function' || name === 'ping' || name === 'close') return value;
        if (!methods.has(name)) methods.set(name, watched(name, value as (...given: unknown[]) => unknown));
        return methods.get(name);
      },
    }),
    activity: () => {
      failures = failures.filter(({ failedMs }) => clock.elapsedMs() - failedMs < RECENT_MS);
      return {
        ...(lastReadMs !== undefined && { lastReadMs }),
        ...(lastWriteMs !== undefined && { lastWriteMs }),
        recentFailures: failures.length,
        failures: failureCount,
        ...(failures.length > 0 && lastFailure !== undefined && { lastFailure }),
      };
    },
    forgetFailures: () => {
      failures = [];
    },
  };
}

/** `unchecked`: there was no reason for a check, or the check could not run. */
export type Integrity = { state: 'unchecked' | 'checking' | 'sound' } | { state: 'damaged'; problem: string };

export interface StorageState {
  graphActivity(): StoreActivity;
  vectorActivity(): StoreActivity;
  /** Stores whose circuit breaker currently refuses calls. */
  openCircuits(): { graph: boolean; vectors: boolean };
  /** Returns the state of the database file, which is checked after a process ended without closing the file. */
  integrity(): Integrity;
  /** The reasons why all writes are refused, such as data that used to be in the store and is gone. */
  refusals(): string[];
  /** Returns the free bytes on the disk of the data folder; undefined if there is no data folder. */
  freeBytes(): Promise<number | undefined>;
}

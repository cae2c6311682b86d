/**
 * Queues the writes of a connection, and repeats a write while another program holds the lock on the file. SQLite itself
 * would wait on this thread, and all requests would wait too.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { MemoryError } from '../../domain/errors.js';
import { BUSY_TIMEOUT_MS, type Connection } from './connection.js';

export interface WriteQueue {
  /** Runs one function at a time, in the order of the calls. */
  readonly inTurn: LimitFunction;
  /**
   * Runs a write in its turn, as `whenUnlocked` does.
   *
   * @throws the error of the write
   */
  run<Value>(write: () => Value): Promise<Value>;
  /**
   * Repeats a write until the file is not locked. The caller must have the turn. The write must be one transaction, so that
   * an attempt on a locked file changes nothing.
   *
   * @throws the error of the write; MemoryError `unavailable` if the file has been locked for `BUSY_TIMEOUT_MS`
   */
  whenUnlocked<Value>(write: () => Value): Promise<Value>;
}

const PAUSE_MS = 20;
/** If no write found the file locked for this time, the next lock counts as a new one. */
const LOCK_ENDED_MS = 1_000;

/**
 * From now on, a statement of the connection fails at once if the file is locked. All its writes must therefore use the
 * queue.
 */
export function createWriteQueue(connection: Pick<Connection, 'execute'>): WriteQueue {
  connection.execute('PRAGMA busy_timeout = 0');
  const inTurn = pLimit(1);
  const lock = createLockTimer();
  const whenUnlocked = async <Value>(write: () => Value): Promise<Value> => {
    for (;;) {
      try {
        return write();
      } catch (error) {
        if (!isLocked(error) || lock.elapsedMs() >= BUSY_TIMEOUT_MS) throw error;
      }
      await pause(PAUSE_MS);
    }
  };
  return { inTurn, whenUnlocked, run: write => inTurn(() => whenUnlocked(write)) };
}

/**
 * Measures how long the file has been locked. All writes share the timer, because each of many waiting writes would
 * otherwise wait for the full time after the write before it has failed.
 */
function createLockTimer() {
  let sinceMs = Number.NEGATIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    /** Must be called whenever the file is found to be locked. */
    elapsedMs: () => {
      const nowMs = performance.now();
      if (nowMs - lastMs > LOCK_ENDED_MS) sinceMs = nowMs;
      lastMs = nowMs;
      return nowMs - sinceMs;
    },
  };
}

function isLocked(error: unknown): boolean {
  const { cause } = error instanceof MemoryError ? error : {};
  return String((cause as { code?: unknown } | undefined)?.code).startsWith('SQLITE_BUSY');
}

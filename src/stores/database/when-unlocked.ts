/** Waits for a lock of another program on the file. SQLite itself would wait on this thread, and block all requests. */
import { setTimeout as pause } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';
import { MemoryError } from '../../domain/errors.js';
import { BUSY_TIMEOUT_MS, type Connection } from './connection.js';

/** Pause between two attempts. */
const PAUSE_MS = 20;

/**
 * Queues writes. Each write waits as `whenUnlocked` does, and its wait begins when it is queued. The connection itself no
 * longer waits, so all its writes must use this queue or `whenUnlocked`.
 *
 * @param inTurn runs the writes to the file one after the other
 */
export function createWriteQueue(connection: Pick<Connection, 'execute'>, inTurn: LimitFunction) {
  connection.execute('PRAGMA busy_timeout = 0');
  return <Value>(write: () => Value): Promise<Value> => {
    const queuedMs = performance.now();
    return inTurn(() => whenUnlocked(write, queuedMs));
  };
}

/**
 * Repeats a write while another program holds the lock. `write` must have no effect if it fails.
 *
 * @param sinceMs time from which the wait is measured, by `performance.now()`
 * @throws MemoryError `unavailable` when the file is still locked after `BUSY_TIMEOUT_MS`; the error of `write`
 */
export async function whenUnlocked<Value>(write: () => Value, sinceMs = performance.now()): Promise<Value> {
  for (;;) {
    const isLastAttempt = performance.now() - sinceMs >= BUSY_TIMEOUT_MS;
    try {
      return write();
    } catch (error) {
      if (isLastAttempt || !isLocked(error)) throw error;
    }
    await pause(PAUSE_MS);
  }
}

function isLocked(error: unknown): boolean {
  const { cause } = error instanceof MemoryError ? error : {};
  return String((cause as { code?: unknown } | undefined)?.code).startsWith('SQLITE_BUSY');
}

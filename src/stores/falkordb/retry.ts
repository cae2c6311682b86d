/** Repeats a read-change-write cycle when another writer was faster. */
import { RefusedError } from './failures.js';

/**
 * Maximum number of attempts. In each round of attempts, one of the competing writers succeeds. Therefore every writer
 * succeeds if fewer writers than this number compete.
 */
const ATTEMPTS_MAX = 200;

/** Signals that nothing was written, because the data has changed since it was read. */
export const WRITE_CONFLICT = Symbol('write conflict');

/** @throws MemoryError `unavailable` when other writers were faster in every attempt */
export async function untilWritten<Result>(attempt: () => Promise<Result | typeof WRITE_CONFLICT>): Promise<Result> {
  for (let count = 0; count < ATTEMPTS_MAX; count++) {
    const result = await attempt();
    if (result !== WRITE_CONFLICT) return result;
  }
  throw new RefusedError('The memory is being changed by too many writers at once', { hint: 'Try again.' });
}

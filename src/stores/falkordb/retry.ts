/** Repeats a read-change-write cycle when another writer was faster. */
import { RefusedError } from './failures.js';

/** In each round one competitor wins, so this many concurrent competitors cannot starve one. */
const ATTEMPTS_MAX = 200;

/** Signals that nothing was written, because the data has changed since it was read. */
export const WRITE_CONFLICT = Symbol('write conflict');

/** @throws MemoryError `unavailable` when others were faster every time */
export async function untilWritten<Result>(attempt: () => Promise<Result | typeof WRITE_CONFLICT>): Promise<Result> {
  for (let count = 0; count < ATTEMPTS_MAX; count++) {
    const result = await attempt();
    if (result !== WRITE_CONFLICT) return result;
  }
  throw new RefusedError('The memory is being changed by too many writers at once', { hint: 'Try again.' });
}

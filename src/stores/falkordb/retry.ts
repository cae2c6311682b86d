/** Read, change, write: again when another writer was faster. */
import { RefusedError } from './failures.js';

/** One of those that compete wins each time, so that this many competitors at once cannot starve one. */
const ATTEMPTS_MAX = 200;

/** Means that nothing was written, since what had been read has changed meanwhile. */
export const OUTRUN = Symbol('outrun');

/** @throws MemoryError `unavailable` when others were faster every time */
export async function untilWritten<Result>(attempt: () => Promise<Result | typeof OUTRUN>): Promise<Result> {
  for (let count = 0; count < ATTEMPTS_MAX; count++) {
    const result = await attempt();
    if (result !== OUTRUN) return result;
  }
  throw new RefusedError('The memory is being changed by too many writers at once', { hint: 'Try again.' });
}

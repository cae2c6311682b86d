/** Stores over a connection that may fail: the caller learns how to try again without storing twice. */
import { MemoryError } from '../../domain/errors.js';

/**
 * @param retry advice for a call that may or may not have stored something
 * @throws MemoryError `unavailable` with the advice when the memory is unavailable; other errors are
 * passed on unchanged
 */
export async function storeSafely<Answer>(store: () => Promise<Answer>, retry: string): Promise<Answer> {
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'unavailable') throw error;
    throw new MemoryError('unavailable', error.message, {
      hint: error.hint === undefined ? retry : `${error.hint} ${retry}`,
      cause: error,
    });
  }
}

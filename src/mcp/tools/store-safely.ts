/** Stores over a connection that may fail: the caller learns how to try again without storing twice. */
import { EngraphError } from '../../client/engraph-error.js';
import { MemoryError } from '../../domain/errors.js';

/**
 * @param retry advice for a call that may or may not have stored something
 * @throws MemoryError `unavailable` with the advice when the call got no answer or the status 503; other errors are
 * passed on unchanged
 */
export async function storeSafely<Answer>(store: () => Promise<Answer>, retry: string): Promise<Answer> {
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof EngraphError) || (error.status !== undefined && error.status !== 503)) throw error;
    throw new MemoryError('unavailable', error.message, {
      hint: error.details === undefined ? retry : `${error.details} ${retry}`,
      cause: error,
    });
  }
}

/** The limit on the size of request bodies, stated or chunked (docs/decisions.md, "Request bodies"). */
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { MemoryError } from '../domain/errors.js';

/** The middleware throws MemoryError `too_large`, or `invalid` when the body breaks off. */
export function limitBody(maxBytes: number): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new MemoryError('too_large', `The request body must not be larger than ${maxBytes} bytes`);
    },
  });
  return async (context, next) => {
    try {
      return await limit(context, next);
    } catch (error) {
      // Errors of the routes never come by here: what is no error of ours is a connection that broke off.
      if (error instanceof Error && !(error instanceof MemoryError)) throw unreadableBody(error);
      throw error;
    }
  };
}

/** A 400 for a body that could not be received. */
export function unreadableBody(cause: unknown): MemoryError {
  return new MemoryError('invalid', 'The request body could not be read', { cause });
}

/** Limits the size of request bodies, with or without a Content-Length (docs/decisions.md, "Request bodies"). */
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { MemoryError } from '../domain/errors.js';

/** The middleware throws MemoryError `too_large`, or `invalid` when the body is incomplete. */
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
      // Errors of routes do not pass through here, so an error that is not a MemoryError is a broken connection.
      if (error instanceof Error && !(error instanceof MemoryError)) throw unreadableBody(error);
      throw error;
    }
  };
}

/** A 400 for a body that was not received completely. */
export function unreadableBody(cause: unknown): MemoryError {
  return new MemoryError('invalid', 'The request body could not be read', { cause });
}

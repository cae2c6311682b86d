/**
 * Determines the id of a request: the caller's own id if that id is safe in a header and in a log line, otherwise a new
 * id.
 */
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { currentCancellation, currentRequestId, withRequest } from '../request-context.js';
import { setAnswerHeader } from './safe-headers.js';

export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Sets the id on every answer, including errors. Every line logged during the request contains the id. An internal
 * request without its own id gets the id of the request that caused it.
 */
export function identifyRequests(): MiddlewareHandler {
  return (context, next) => {
    const stated = context.req.header(REQUEST_ID_HEADER);
    const id = stated !== undefined && ACCEPTED.test(stated) ? stated : (currentRequestId() ?? randomUUID());
    return withRequest({ id, signal: currentCancellation() }, async () => {
      await next();
      setAnswerHeader(context, REQUEST_ID_HEADER, id);
    });
  };
}

/** The id of a request: the caller's own, where it can stand in a header and in a line of the log, else one of ours. */
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { currentRequestId, withRequestId } from '../request-context.js';

export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Sets the id on every answer, errors included. Every line that is logged while the request runs carries it. A request that
 * is made on behalf of another has the id of that one.
 */
export function identifyRequests(): MiddlewareHandler {
  return (context, next) => {
    const stated = context.req.header(REQUEST_ID_HEADER);
    const id = stated !== undefined && ACCEPTED.test(stated) ? stated : (currentRequestId() ?? randomUUID());
    return withRequestId(id, async () => {
      await next();
      context.header(REQUEST_ID_HEADER, id);
    });
  };
}

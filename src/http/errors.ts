/** Anything that is thrown, as the one error body that callers see (docs/decisions.md, "One error body"). */
import { STATUS_CODES } from 'node:http';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type ErrorBody, renderError, renderFailure, renderFault } from '../api/render/error.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import type { Logger } from '../log.js';
import { currentRequestId } from '../request-context.js';

/**
 * Turns a failure into the body to answer with. Only what was written for the caller is shown; a fault is logged, once,
 * and the caller gets the id of the request, which its log entry carries.
 *
 * @param action what failed, for the log: it must not hold a query string, which may hold a token
 */
export function describeError(error: unknown, action: string, log: Logger): ErrorBody<ContentfulStatusCode> {
  if (error instanceof MemoryError) {
    if (error.status >= 500)
      log.warn(`${action}: ${error.message}`, error.cause === undefined ? undefined : messageOf(error.cause));
    return renderError(error);
  }
  if (error instanceof HTTPException) {
    return renderFailure(error.status, error.message || (STATUS_CODES[error.status] ?? 'Error'));
  }
  log.error(`${action} failed unexpectedly`, error);
  return renderFault(currentRequestId());
}

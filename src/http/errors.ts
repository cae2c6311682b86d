/** Converts any thrown error to the error body (docs/decisions.md, "One error body"). */
import { STATUS_CODES } from 'node:http';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type ErrorBody, renderError, renderFailure, renderFault } from '../api/answer-fields.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import type { Logger } from '../log.js';
import { currentRequestId } from '../request-context.js';

/**
 * Converts a failure to an error body. Only messages written for the caller are shown. An internal error is logged
 * once, and the caller gets the id of the request, which the log entry carries too.
 *
 * @param action the failed action, for the log; without the query string, which may contain a token
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

/** Anything that is thrown, as the one error body that callers see (decisions D1). */
import { STATUS_CODES } from 'node:http';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { MemoryError, messageOf } from '../domain/errors.js';
import type { Logger } from '../log.js';
import { currentRequestId } from '../request-context.js';

export interface ErrorBody {
  status: 'error';
  /** The HTTP status of the answer. */
  code: ContentfulStatusCode;
  error: string;
  /** The same sentence as `error`, under the name that AutoMem's clients read. */
  message: string;
  field?: string;
  index?: number;
  details?: string;
  /** Only on an unexpected fault: the id of the request, under which it was logged. */
  request_id?: string;
}

/** An error body with nothing but its sentence. */
export function plainErrorBody(code: ContentfulStatusCode, message: string): ErrorBody {
  return { status: 'error', code, error: message, message };
}

/**
 * Turns a failure into the body to answer with. Only what was written for the caller is shown; a fault is logged, once,
 * and the caller gets the id of the request, which its log entry carries.
 *
 * @param action what failed, for the log: it must not hold a query string, which may hold a token
 */
export function describeError(error: unknown, action: string, log: Logger): ErrorBody {
  if (error instanceof MemoryError) {
    if (error.status >= 500)
      log.warn(`${action}: ${error.message}`, error.cause === undefined ? undefined : messageOf(error.cause));
    return describeMemoryError(error);
  }
  if (error instanceof HTTPException) {
    return plainErrorBody(error.status, error.message || (STATUS_CODES[error.status] ?? 'Error'));
  }
  log.error(`${action} failed unexpectedly`, error);
  const requestId = currentRequestId();
  return { ...plainErrorBody(500, 'Internal server error'), ...(requestId !== undefined && { request_id: requestId }) };
}

function describeMemoryError(error: MemoryError): ErrorBody {
  return {
    ...plainErrorBody(error.status, error.message),
    ...(error.field !== undefined && { field: error.field }),
    ...(error.index !== undefined && { index: error.index }),
    ...(error.hint !== undefined && { details: error.hint }),
  };
}

/** Renders failures (docs/decisions.md, "One error body"). */
import type { MemoryError } from '../../domain/errors.js';
import type { ErrorAnswer } from '../answers/error.js';

/** An error body whose code is typed. */
export type ErrorBody<Code extends number = number> = ErrorAnswer & { code: Code };

/**
 * An error body with only a message.
 *
 * @param code the HTTP status of the answer
 */
export function renderFailure<Code extends number>(code: Code, message: string): ErrorBody<Code> {
  return { status: 'error', code, error: message, message };
}

/**
 * The body of an internal error. Besides a fixed message, it contains only the id of the request, which is also in the
 * log entry.
 */
export function renderFault(requestId: string | undefined): ErrorBody<500> {
  return { ...renderFailure(500, 'Internal server error'), ...(requestId !== undefined && { request_id: requestId }) };
}

export function renderError(error: MemoryError): ErrorBody<MemoryError['status']> {
  return {
    ...renderFailure(error.status, error.message),
    ...(error.field !== undefined && { field: error.field }),
    ...(error.index !== undefined && { index: error.index }),
    ...(error.hint !== undefined && { details: error.hint }),
  };
}

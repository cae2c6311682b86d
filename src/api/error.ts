/** The error body, which all failures share (docs/decisions.md, "One error body"). */
import { z } from 'zod';
import type { MemoryError } from '../domain/errors.js';
import { wholeNumber } from './answer-fields.js';

export const errorAnswer = z.strictObject({
  status: z.literal('error').describe('The request was not carried out'),
  code: wholeNumber.describe('The HTTP status of the answer'),
  error: z.string().describe('The error in a sentence'),
  message: z.string().describe('Same as error, for AutoMem clients'),
  field: z.string().optional().describe('The invalid input field, as the caller spelled it'),
  index: wholeNumber.optional().describe('Position of the invalid element of a batch, from 0'),
  details: z.string().optional().describe('What the caller can do about the error'),
  request_id: z.string().optional().describe('Id of the log entry, only for an internal error'),
});
type ErrorAnswer = z.infer<typeof errorAnswer>;

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

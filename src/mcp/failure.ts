/** Renders every failure of a tool. Errors of the caller are explained. Internal errors are logged and hidden. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { EngraphError } from '../client/engraph-error.js';
import { type ErrorCode, MemoryError } from '../domain/errors.js';
import { visible } from '../domain/visible-text.js';
import type { Logger } from '../log.js';

export interface FailedCall {
  toolName: string;
  /** Id of an internal error, shown to the caller and written to the log entry. */
  requestId: string;
  log: Logger;
}

/** Error codes by the HTTP status with which the memory refuses a request. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  429: 'too_many_requests',
};

/**
 * A failure has no structured content, because clients check structured content against the output schema even when a
 * call has failed. Programs find the code in `_meta`.
 */
export function failureResult(error: unknown, { toolName, requestId, log }: FailedCall): CallToolResult {
  if (error instanceof MemoryError) return explain(error);
  if (error instanceof EngraphError) {
    // Status 500 is an internal error, which the memory has already logged with the same request id.
    if (error.status === 500) return hiddenFault(requestId);
    const { message, field, details: hint } = error;
    // A service at an address may be another program, which may repeat the token.
    return explain(
      new MemoryError(CODES[error.status ?? 0] ?? 'unavailable', message, {
        ...(field !== undefined && { field }),
        ...(hint !== undefined && { hint }),
      }),
    );
  }
  log.error(`tool ${toolName} failed`, error);
  return hiddenFault(requestId);
}

/** Whether the caller caused the failure. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof MemoryError || error instanceof EngraphError)) return false;
  return error.status !== undefined && error.status < 500;
}

function explain({ code, message, hint, field }: Pick<MemoryError, 'code' | 'message' | 'hint' | 'field'>) {
  const lines = [message, ...(hint === undefined ? [] : [hint]), ...(field === undefined ? [] : [`Field: ${field}`])];
  return result(lines.join('\n'), { code, ...(field !== undefined && { field }), ...(hint !== undefined && { hint }) });
}

function hiddenFault(requestId: string): CallToolResult {
  return result(`Internal error (request ${requestId})`, { code: 'internal', request_id: requestId });
}

function result(text: string, details: Record<string, string>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: visible(text) }], _meta: { 'engraph/error': details } };
}

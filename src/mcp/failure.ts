/** Renders every failure of a tool. Errors of the caller are explained. Internal errors are logged and hidden. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { MemoryError } from '../domain/errors.js';
import { visible } from '../domain/visible-text.js';
import type { Logger } from '../log.js';

export interface FailedCall {
  toolName: string;
  /** Id of an internal error, shown to the caller and written to the log entry. */
  requestId: string;
  log: Logger;
}

/**
 * A failure has no structured content, because clients check structured content against the output schema even when a
 * call has failed. Programs find the code in `_meta`.
 */
export function failureResult(error: unknown, { toolName, requestId, log }: FailedCall): CallToolResult {
  // The memory has logged an internal error already, with the same request id.
  if (error instanceof MemoryError) return error.code === 'internal' ? hiddenFault(requestId) : explain(error);
  log.error(`tool ${toolName} failed`, error);
  return hiddenFault(requestId);
}

/** Whether the caller caused the failure. */
export function isRefusal(error: unknown): boolean {
  return error instanceof MemoryError && error.status < 500;
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

/** The one exit for failures of a tool: the caller's fault is explained, a fault of ours is logged and hidden. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { MemoryError } from '../domain/errors.js';
import { visible } from '../domain/visible-text.js';
import type { Logger } from '../log.js';

export interface FailedCall {
  toolName: string;
  /** Names a fault towards the caller; the log entry carries it too. */
  requestId: string;
  log: Logger;
}

/**
 * Carries no structured content: clients check that against the output schema even when a call has failed.
 * Programs find the code in `_meta`.
 */
export function failureResult(error: unknown, { toolName, requestId, log }: FailedCall): CallToolResult {
  if (error instanceof MemoryError) return explain(error);
  log.error(`tool ${toolName} failed`, error);
  return result(`Internal error (request ${requestId})`, { code: 'internal', request_id: requestId });
}

function explain({ code, message, hint, field }: MemoryError): CallToolResult {
  const lines = [message, ...(hint === undefined ? [] : [hint]), ...(field === undefined ? [] : [`Field: ${field}`])];
  return result(lines.join('\n'), { code, ...(field !== undefined && { field }), ...(hint !== undefined && { hint }) });
}

function result(text: string, details: Record<string, string>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: visible(text) }], _meta: { 'engraph/error': details } };
}

/**
 * Renders every failure of a tool, a resource or a prompt. Errors of the caller are explained. Internal errors are logged and
 * hidden.
 */
import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { MemoryError } from '../domain/errors.js';
import { visible } from '../domain/shown-text.js';
import type { Logger } from '../log.js';
import { withRequest } from '../request-context.js';

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

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const RESOURCE_NOT_FOUND = -32_002;

/** An error that the client may see. The SDK sends the code and the message of any thrown error. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: Record<string, unknown> | undefined;

  private constructor(code: number, message: string, data?: Record<string, unknown>) {
    super(visible(message));
    this.code = code;
    this.data = data;
  }

  static invalidParams(message: string): ProtocolError {
    return new ProtocolError(INVALID_PARAMS, message);
  }

  static resourceNotFound(uri: string): ProtocolError {
    return new ProtocolError(RESOURCE_NOT_FOUND, 'Resource not found', { uri });
  }

  static internal(message: string): ProtocolError {
    return new ProtocolError(INTERNAL_ERROR, message);
  }
}

/**
 * Runs each call as a separate request in the log. Errors written for the caller are passed on; internal errors are
 * logged and hidden.
 *
 * @throws ProtocolError
 */
export function explained<Value>(what: string, log: Logger, run: () => Promise<Value>): Promise<Value> {
  const requestId = randomUUID();
  return withRequest({ id: requestId }, async () => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      if (error instanceof MemoryError && error.code !== 'internal') {
        const { status, message } = error;
        throw status < 500 ? ProtocolError.invalidParams(message) : ProtocolError.internal(message);
      }
      // The memory has logged its internal errors already.
      if (!(error instanceof MemoryError)) log.error(`${what} failed`, error);
      throw ProtocolError.internal(`Internal error (request ${requestId})`);
    }
  });
}

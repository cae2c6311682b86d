/** Handles failures of all requests except tool calls. JSON-RPC answers such a failure with an error. */
import { randomUUID } from 'node:crypto';
import { MemoryError } from '../domain/errors.js';
import { visible } from '../domain/visible-text.js';
import type { Logger } from '../log.js';
import { withRequestId } from '../request-context.js';

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
  return withRequestId(requestId, async () => {
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

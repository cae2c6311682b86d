/** Renders failures of `/mcp` as JSON-RPC errors, because MCP clients do not read the error body of REST. */
import type { ErrorBody } from '../../api/answer-fields.js';
import { type ErrorCode, type ErrorContext, MemoryError } from '../../domain/errors.js';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;
const SESSION_NOT_FOUND = -32_001;

/** The path whose failures are JSON-RPC errors. */
export const MCP_PATH = '/mcp';

export interface RpcErrorBody {
  jsonrpc: '2.0';
  error: { code: number; message: string; data: Record<string, unknown> };
  /** Always null, because these failures occur before a message reaches the MCP server. */
  id: null;
}

/** A failure with its own JSON-RPC code. */
export class RpcError extends MemoryError {
  readonly rpcCode: number;

  private constructor(rpcCode: number, code: ErrorCode, message: string, context?: ErrorContext) {
    super(code, message, context);
    this.rpcCode = rpcCode;
  }

  /** The bytes are not JSON. */
  static unparsable(message: string, cause: unknown): RpcError {
    return new RpcError(PARSE_ERROR, 'invalid', message, { cause });
  }

  /** The JSON is not a message, or the message is not allowed here. */
  static invalidRequest(message: string): RpcError {
    return new RpcError(INVALID_REQUEST, 'invalid', message);
  }

  /** The session does not exist. After this status 404, clients that follow the protocol open a new session. */
  static sessionNotFound(): RpcError {
    return new RpcError(SESSION_NOT_FOUND, 'not_found', 'Session not found', {
      hint: 'The session has ended or belongs to another caller. Send initialize to begin a new one.',
    });
  }
}

/** @param body the REST error body for the same failure */
export function renderRpcError(error: unknown, body: ErrorBody): RpcErrorBody {
  const { code: status, message, details, field, request_id } = body;
  const data = { status, details, field, request_id };
  return { jsonrpc: '2.0', error: { code: rpcCodeOf(error, status), message, data }, id: null };
}

function rpcCodeOf(error: unknown, status: number): number {
  if (error instanceof RpcError) return error.rpcCode;
  if (status === 400) return INVALID_REQUEST;
  return status === 500 ? INTERNAL_ERROR : SERVER_ERROR;
}

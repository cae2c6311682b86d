/** Parses the body of a POST to `/mcp`, and answers failures as JSON-RPC errors. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { HonoRequest } from 'hono';
import type { ErrorBody } from '../../api/answer-fields.js';
import { readToolArguments } from '../../api/input.js';
import { type ErrorCode, type ErrorContext, MemoryError } from '../../domain/errors.js';
import { isInitializeRequest, isJSONRPCRequest, JSONRPCMessageSchema } from '../../packages/mcp-sdk.js';
import { assertJsonType, parseBodyJson, readBytes } from '../params.js';

const BATCH_MAX_SIZE = 100;

export interface ReceivedMessages {
  /** One message or a batch, in the form that the SDK accepts. */
  body: unknown;
  /** Number of messages. */
  count: number;
  /** Ids of the requests. Notifications and responses are not included, because they get no answers. */
  requestIds: RequestId[];
  /** Whether the body is a single request that initializes a session. */
  isInitialize: boolean;
}

/**
 * @throws RpcError when the body is not JSON or not a message, MemoryError `too_large` when it has too many lists,
 * `unsupported_media_type` when its type is not JSON
 */
export async function readMessages(request: HonoRequest): Promise<ReceivedMessages> {
  assertJsonType(request);
  const body = parse(await readBytes(request.raw));
  const isBatch = Array.isArray(body);
  if (isBatch) assertBatch(body);
  const messages = (isBatch ? body : [body]).map(readMessage);
  const requestIds = messages.filter(isJSONRPCRequest).map(({ id }) => id);
  if (new Set(requestIds).size < requestIds.length) {
    throw RpcError.invalidRequest('Two requests of the batch have the same id');
  }
  const isInitialize = messages.some(message => 'method' in message && message.method === 'initialize');
  if (isInitialize) assertInitialize(body);
  return { body, count: messages.length, requestIds, isInitialize };
}

function assertInitialize(body: unknown): void {
  if (Array.isArray(body)) throw RpcError.invalidRequest('initialize must be sent alone, not in a batch');
  if (isJSONRPCRequest(body) && isInitializeRequest(body)) return;
  throw RpcError.invalidRequest('initialize must be a request with protocolVersion, capabilities and clientInfo');
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseBodyJson(bytes);
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'invalid') throw RpcError.unparsable(error.message, error);
    throw error;
  }
}

function assertBatch(batch: readonly unknown[]): void {
  if (batch.length === 0) throw RpcError.invalidRequest('The batch is empty');
  if (batch.length > BATCH_MAX_SIZE) {
    throw RpcError.invalidRequest(`A batch must not contain more than ${BATCH_MAX_SIZE} messages`);
  }
}

function readMessage(value: unknown): JSONRPCMessage {
  readToolArguments(value);
  const { data, success } = JSONRPCMessageSchema.safeParse(value);
  if (!success) throw RpcError.invalidRequest('The body must be a JSON-RPC 2.0 message, or a batch of such messages');
  return data;
}

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

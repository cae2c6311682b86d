/** Parses a line of stdin as a message, and says what is wrong with a line that is no message. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { readArguments } from '../api/input.js';
import { messageOf } from '../domain/errors.js';
import { parseExactly } from '../domain/exact-numbers.js';
import { JSONRPCMessageSchema } from '../packages/mcp-sdk.js';
import { LINE_MAX_BYTES } from './message-lines.js';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** Matches the id of a request if it is the first or the last member, as all known clients write it. */
const ID = '"id"\\s*:\\s*("[^"\\\\]{1,200}"|-?\\d{1,15})';
const ID_FIRST = new RegExp(`^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${ID}\\s*,`);
const ID_LAST = new RegExp(`,\\s*${ID}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`);

/** The answer to a line that is no message. The id is null if the line does not show which request it is. */
export interface Refusal {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string };
}

export type ReadLine = { message: JSONRPCMessage } | { refusal: Refusal };

export function readMessage(line: Buffer): ReadLine {
  let value: unknown;
  try {
    // Without `fatal`, invalid bytes would become other characters, which would then be stored.
    value = parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch (error) {
    return refused(PARSE_ERROR, `The line is not JSON in UTF-8: ${messageOf(error)}`, null);
  }
  readArguments(value);
  const { data, success } = JSONRPCMessageSchema.safeParse(value);
  if (success) return { message: data };
  if (Array.isArray(value))
    return refused(INVALID_REQUEST, 'A batch is not supported: send one message per line', null);
  return refused(INVALID_REQUEST, 'The line is not a JSON-RPC 2.0 message', idOf(value));
}

/** The answer to a line that was too long, of which only the two ends are known. */
export function refuseSkipped({ head, tail }: { head: Buffer; tail: Buffer }): Refusal {
  const id = ID_LAST.exec(tail.toString('latin1'))?.[1] ?? ID_FIRST.exec(head.toString('latin1'))?.[1];
  const message = `The message is longer than ${LINE_MAX_BYTES / 1_048_576} MiB, and was not read`;
  return refusal(INVALID_REQUEST, message, id === undefined ? null : (JSON.parse(id) as RequestId));
}

/** The id of a malformed request. The id of a malformed response belongs to a request of this server. */
function idOf(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('method' in value)) return null;
  const { id } = value;
  return typeof id === 'string' || Number.isInteger(id) ? (id as RequestId) : null;
}

function refused(code: number, message: string, id: RequestId | null): ReadLine {
  return { refusal: refusal(code, message, id) };
}

function refusal(code: number, message: string, id: RequestId | null): Refusal {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/**
 * Serves MCP over stdin and stdout: splits stdin into messages, answers lines that are no messages, and ends the session
 * cleanly, however the client disconnects.
 */
import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CancelledNotification, JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { readToolArguments } from '../api/input.js';
import { messageOf } from '../domain/errors.js';
import { parseExactly } from '../domain/json.js';
import type { Logger } from '../log.js';
import { isJSONRPCNotification, isJSONRPCRequest, JSONRPCMessageSchema } from '../packages/mcp-sdk.js';

export interface StdioOptions {
  /** Called once, with the reason, when the client has disconnected. The session must then be closed. */
  onClose(reason: string): void;
  log: Logger;
  input?: Readable;
  output?: Writable;
}

export interface StdioSession {
  /**
   * Stops reading, waits until all calls in flight are answered, and disconnects. Does not wait if the client no longer
   * reads answers.
   */
  close(): Promise<void>;
}

/**
 * Connects a server to stdin and stdout. The transport of the SDK alone would ignore the end of stdin, which leaves
 * orphaned processes behind, and would crash when stdout is closed.
 */
export async function serveStdio(server: Server, options: StdioOptions): Promise<StdioSession> {
  const { input = process.stdin, output = process.stdout, log } = options;
  const transport = new DrainingStdioTransport(input, output);
  let isGone = false;
  const gone = (reason: string) => {
    if (isGone) return;
    isGone = true;
    options.onClose(reason);
  };
  output.on('error', error => {
    transport.abandon();
    gone(`stdout is not writable: ${error.message}`);
  });
  server.onerror = error => log.warn(`the client sent an unreadable message: ${firstLine(error)}`);
  // Also called when the transport closes itself, for example because a message exceeds the read buffer.
  server.onclose = () => {
    transport.abandon();
    gone('the connection was closed');
  };
  input.on('end', () => gone('stdin has ended'));
  input.on('close', () => gone('stdin was closed'));
  await server.connect(transport);
  return {
    async close() {
      isGone = true;
      await transport.drained();
      await server.close();
    },
  };
}

function firstLine(error: Error): string {
  return error.message.split('\n', 1)[0] ?? '';
}

/** A line that is no message gets an error as answer, and the next line is read. */
class DrainingStdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #pending = new Set<RequestId>();
  readonly #waiting: (() => void)[] = [];
  readonly #lines = createMessageLines({
    onLine: line => this.#receive(line),
    onSkipped: ends => this.#refuse(refuseSkipped(ends)),
  });
  readonly #onData = (chunk: Buffer | string) => this.#lines.push(Buffer.from(chunk));
  readonly #onEnd = () => this.#lines.end();
  readonly #onError = (error: Error) => this.onerror?.(error);

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const sent = this.#write(message);
    if ('id' in message && !('method' in message) && message.id !== undefined) this.#settle(message.id);
    return sent;
  }

  async close(): Promise<void> {
    this.#input.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
    this.#input.pause();
    this.onclose?.();
  }

  /** Stops reading; resolves when every request read so far has been answered or cancelled. */
  drained(): Promise<void> {
    this.#input.pause();
    return new Promise(resolve => {
      this.#waiting.push(resolve);
      this.#release();
    });
  }

  /** Drops all open requests, because the client no longer reads answers. */
  abandon(): void {
    this.#pending.clear();
    this.#release();
  }

  #receive(line: Buffer): void {
    if (line.every(isBlank)) return;
    const read = readMessage(line);
    if ('refusal' in read) {
      this.#refuse(read.refusal);
      return;
    }
    try {
      this.#noteReceived(read.message);
      this.onmessage?.(read.message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  #refuse(refusal: Refusal): void {
    this.onerror?.(new Error(refusal.error.message));
    void this.#write(refusal);
  }

  #write(message: JSONRPCMessage | Refusal): Promise<void> {
    return new Promise(resolve => {
      if (this.#output.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.#output.once('drain', resolve);
    });
  }

  #noteReceived(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#pending.add(message.id);
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      // A cancelled request gets no answer, so it counts as settled.
      const { requestId } = (message.params ?? {}) as CancelledNotification['params'];
      if (requestId !== undefined) this.#settle(requestId);
    }
  }

  #settle(id: RequestId): void {
    this.#pending.delete(id);
    this.#release();
  }

  #release(): void {
    if (this.#pending.size > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 13;
}

/** Maximum length of a line, in bytes. It is the limit of the SDK's own transport. */
const LINE_MAX_BYTES = 10 * 1_048_576;
/** Number of bytes that are kept of each end of a skipped line. The id of a message is near one of the two ends. */
const KEPT_BYTES = 1_024;
const NEWLINE = 10;

export interface LineHandlers {
  /** @param line without its newline */
  onLine(line: Buffer): void;
  /** Called when the end of a line that was too long has been reached. */
  onSkipped(ends: { head: Buffer; tail: Buffer }): void;
}

export interface MessageLines {
  push(chunk: Buffer): void;
  /** Ends the last line, which may have no newline. */
  end(): void;
}

function createMessageLines({ onLine, onSkipped }: LineHandlers): MessageLines {
  let parts: Buffer[] = [];
  let length = 0;
  let skipped: { head: Buffer; tail: Buffer } | undefined;

  const add = (part: Buffer) => {
    length += part.length;
    if (skipped) {
      skipped.tail = Buffer.concat([skipped.tail, part.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
      return;
    }
    parts.push(part);
    if (length <= LINE_MAX_BYTES) return;
    const whole = Buffer.concat(parts);
    // Copies, because a view would keep the whole line in memory.
    skipped = {
      head: Buffer.from(whole.subarray(0, KEPT_BYTES)),
      tail: Buffer.from(whole.subarray(-KEPT_BYTES)),
    };
    parts = [];
  };
  const finish = () => {
    const [ended, line] = [skipped, parts];
    parts = [];
    length = 0;
    skipped = undefined;
    if (ended) onSkipped(ended);
    else onLine(line.length === 1 && line[0] ? line[0] : Buffer.concat(line));
  };

  return {
    push: chunk => {
      let start = 0;
      for (;;) {
        const newline = chunk.indexOf(NEWLINE, start);
        if (newline < 0) break;
        add(chunk.subarray(start, newline));
        finish();
        start = newline + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    },
    end: () => {
      if (length > 0) finish();
    },
  };
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** Matches the id of a request if it is the first or the last member, as all known clients write it. */
const ID = '"id"\\s*:\\s*("[^"\\\\]{1,200}"|-?\\d{1,15})';
const ID_FIRST = new RegExp(`^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${ID}\\s*,`);
const ID_LAST = new RegExp(`,\\s*${ID}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`);

/** The answer to a line that is no message. The id is null if the line does not show which request it is. */
interface Refusal {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string };
}

export type ReadLine = { message: JSONRPCMessage } | { refusal: Refusal };

function readMessage(line: Buffer): ReadLine {
  let value: unknown;
  try {
    // Without `fatal`, invalid bytes would become other characters, which would then be stored.
    value = parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch (error) {
    return refused(PARSE_ERROR, `The line is not JSON in UTF-8: ${messageOf(error)}`, null);
  }
  readToolArguments(value);
  const { data, success } = JSONRPCMessageSchema.safeParse(value);
  if (success) return { message: data };
  if (Array.isArray(value))
    return refused(INVALID_REQUEST, 'A batch is not supported: send one message per line', null);
  return refused(INVALID_REQUEST, 'The line is not a JSON-RPC 2.0 message', idOf(value));
}

/** The answer to a line that was too long, of which only the two ends are known. */
function refuseSkipped({ head, tail }: { head: Buffer; tail: Buffer }): Refusal {
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

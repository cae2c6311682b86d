/** The transport of MCP over stdin and stdout. It tracks the requests that are not answered yet. */
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CancelledNotification, JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isJSONRPCNotification, isJSONRPCRequest } from '../packages/mcp-sdk.js';
import { createMessageLines } from './message-lines.js';
import { type Refusal, readMessage, refuseSkipped } from './read-message.js';

/** A line that is no message gets an error as answer, and the next line is read. */
export class DrainingStdioTransport implements Transport {
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

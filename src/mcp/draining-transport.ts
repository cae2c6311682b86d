/** The stdio transport of the SDK, which also tracks the requests that are not answered yet. */
import type { Readable, Writable } from 'node:stream';
import type { CancelledNotification, JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isJSONRPCNotification, isJSONRPCRequest, StdioServerTransport } from '../packages/mcp-sdk.js';

export class DrainingStdioTransport extends StdioServerTransport {
  readonly #input: Readable;
  readonly #pending = new Set<RequestId>();
  readonly #waiting: (() => void)[] = [];

  constructor(input: Readable, output: Writable) {
    super(input, output);
    this.#input = input;
    // Server.connect keeps this handler and calls it before its own handler.
    this.onmessage = message => this.#noteReceived(message);
  }

  override send(message: JSONRPCMessage): Promise<void> {
    const sent = super.send(message);
    if ('id' in message && !('method' in message) && message.id !== undefined) this.#settle(message.id);
    return sent;
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

  #noteReceived(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#pending.add(message.id);
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      // A cancelled request gets no answer, so it counts as settled.
      const { requestId } = message.params as CancelledNotification['params'];
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

/** The HTTP transport of the SDK, which also tracks unanswered requests and the open stream. */
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CancelledNotification, JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCResultResponse,
  WebStandardStreamableHTTPServerTransport,
} from '../../packages/mcp-sdk.js';
import type { ReceivedMessages } from './read-messages.js';
import { RpcError } from './rpc-error.js';

/** The requests of one POST. */
interface Exchange {
  waiting: Set<RequestId>;
  resolve(): void;
}

export interface ExchangeOutcome {
  response: Response;
  /**
   * Resolves when every request of the body has been answered or cancelled, or the transport is closed. Never rejects.
   */
  settled: Promise<void>;
}

/** Error that ends a cancelled request inside the SDK, which otherwise keeps the stream and state of the request. */
const CANCELLED = { code: -32_800, message: 'Request cancelled' };

export class TrackedTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #exchanges = new Map<RequestId, Exchange>();
  readonly #idle: (() => void)[] = [];
  #hasStream = false;

  /** @param sessionId undefined when the transport serves one POST only */
  constructor(sessionId: string | undefined) {
    super(sessionId === undefined ? {} : { sessionIdGenerator: () => sessionId });
    // Server.connect keeps this handler and calls it before its own handler.
    this.onmessage = message => this.#noteReceived(message);
  }

  get hasStream(): boolean {
    return this.#hasStream;
  }

  /** Whether closing the transport would lose answers or messages to the client. */
  get isBusy(): boolean {
    return this.#hasStream || this.#exchanges.size > 0;
  }

  /**
   * Passes a POST to the server.
   *
   * @throws RpcError when a request has the id of a running request, because the two answers could not be distinguished
   */
  async post(request: Request, { body, requestIds }: ReceivedMessages): Promise<ExchangeOutcome> {
    const taken = requestIds.find(id => this.#exchanges.has(id));
    if (taken !== undefined) {
      throw RpcError.invalidRequest(`A request with the id ${JSON.stringify(taken)} is still running in this session`);
    }
    const settled = this.#begin(requestIds);
    const response = await this.handleRequest(request, { parsedBody: body });
    if (!response.ok) for (const id of requestIds) this.#settle(id);
    return { response, settled };
  }

  /** Opens the stream for messages of the server. */
  async openStream(request: Request): Promise<Response> {
    const response = await this.handleRequest(request);
    if (!response.ok || !response.body) return response;
    this.#hasStream = true;
    const body = watchStream(response.body, () => {
      this.#hasStream = false;
      this.#announceIdle();
    });
    return new Response(body, response);
  }

  /** Resolves when all requests have been answered. */
  async answered(): Promise<void> {
    while (this.#exchanges.size > 0) await new Promise<void>(resolve => this.#idle.push(resolve));
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    try {
      await super.send(message, options);
    } finally {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#settle(message.id);
    }
  }

  override async close(): Promise<void> {
    await super.close();
    for (const id of [...this.#exchanges.keys()]) this.#settle(id);
  }

  #begin(ids: readonly RequestId[]): Promise<void> {
    if (ids.length === 0) return Promise.resolve();
    return new Promise(resolve => {
      const exchange = { waiting: new Set(ids), resolve };
      for (const id of ids) this.#exchanges.set(id, exchange);
    });
  }

  #noteReceived(message: JSONRPCMessage): void {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return;
    const { requestId } = message.params as CancelledNotification['params'];
    const exchange = requestId === undefined ? undefined : this.#exchanges.get(requestId);
    if (requestId === undefined || exchange === undefined) return;
    // The client expects no answer to a cancelled request. Close the stream if no other request of the POST uses it.
    if (exchange.waiting.size === 1) this.closeSSEStream(requestId);
    void this.send({ jsonrpc: '2.0', id: requestId, error: CANCELLED }).catch(() => {});
  }

  #settle(id: RequestId | undefined): void {
    const exchange = id === undefined ? undefined : this.#exchanges.get(id);
    if (id === undefined || exchange === undefined) return;
    this.#exchanges.delete(id);
    exchange.waiting.delete(id);
    if (exchange.waiting.size === 0) exchange.resolve();
    this.#announceIdle();
  }

  #announceIdle(): void {
    if (this.#exchanges.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/**
 * Passes a stream on. Calls `onEnd` when the stream has ended or failed, or its reader has cancelled it. After a
 * cancellation, `onEnd` may be called twice.
 */
function watchStream(stream: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
}

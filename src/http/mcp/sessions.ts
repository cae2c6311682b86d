/**
 * The sessions of `/mcp`, and the transport of the SDK, which also tracks unanswered requests and the open stream. The
 * number of sessions is limited, each belongs to the caller that opened it, and idle sessions end.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CancelledNotification, JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { MemoryError } from '../../domain/errors.js';
import type { Clock } from '../../domain/time.js';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCResultResponse,
  WebStandardStreamableHTTPServerTransport,
} from '../../packages/mcp-sdk.js';
import { type ReceivedMessages, RpcError } from './messages.js';

export interface SessionSettings {
  maxCount: number;
  /** A session without an open stream ends when its last request is older than this time. */
  idleMs: number;
}

export interface SessionParts {
  settings: SessionSettings;
  clock: Pick<Clock, 'elapsedMs' | 'schedule'>;
  createServer(): Server;
}

export interface McpSession {
  id: string;
  principal: string;
  transport: TrackedTransport;
  lastUsedMs: number;
}

/** Interval between two checks for idle sessions. */
const SWEEP_MS = 60_000;

export class McpSessions {
  readonly #parts: SessionParts;
  /** The sessions by id, the least recently used session first. */
  readonly #byId = new Map<string, McpSession>();
  #cancelSweep: (() => void) | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** @throws MemoryError `unavailable` when the limit is reached and no session may be ended for this principal */
  async open(principal: string): Promise<McpSession> {
    this.#makeRoom(principal);
    const id = randomUUID();
    const transport = new TrackedTransport(id);
    const session = { id, principal, transport, lastUsedMs: this.#parts.clock.elapsedMs() };
    this.#byId.set(id, session);
    transport.onclose = () => this.#byId.delete(id);
    await this.#parts.createServer().connect(transport);
    this.#scheduleSweep();
    return session;
  }

  /** Returns the session with this id if it belongs to this principal, and marks the session as used. */
  use(id: string, principal: string): McpSession | undefined {
    const session = this.#byId.get(id);
    if (session === undefined || session.principal !== principal) return undefined;
    this.touch(session);
    return session;
  }

  /** Marks a session as the most recently used one. */
  touch(session: McpSession): void {
    if (!this.#byId.delete(session.id)) return;
    session.lastUsedMs = this.#parts.clock.elapsedMs();
    this.#byId.set(session.id, session);
  }

  /**
   * Whether a principal may open another stream. A principal may have open streams in at most half of the allowed
   * sessions, but always in one.
   */
  mayStream(principal: string): boolean {
    const share = Math.max(1, Math.floor(this.#parts.settings.maxCount / 2));
    const streams = [...this].filter(session => session.principal === principal && session.transport.hasStream);
    return streams.length < share;
  }

  [Symbol.iterator](): Iterator<McpSession> {
    return [...this.#byId.values()][Symbol.iterator]();
  }

  stopSweeping(): void {
    this.#cancelSweep?.();
  }

  /**
   * Ends one session if the limit is reached: the least recently used session of the principal with the most sessions.
   * The new session already counts for its opener. A busy session is never ended, and neither is a session of a
   * principal that has fewer sessions than the opener.
   */
  #makeRoom(opener: string): void {
    if (this.#byId.size < this.#parts.settings.maxCount) return;
    const counts = new Map([[opener, 1]]);
    for (const { principal } of this) counts.set(principal, (counts.get(principal) ?? 0) + 1);
    const countOf = ({ principal }: McpSession) => counts.get(principal) ?? 0;
    const mayGo = (session: McpSession) => !session.transport.isBusy && countOf(session) >= (counts.get(opener) ?? 0);
    const isOwn = ({ principal }: McpSession) => Number(principal === opener);
    const [first] = [...this].filter(mayGo).sort((a, b) => countOf(b) - countOf(a) || isOwn(b) - isOwn(a));
    if (first) return void first.transport.close();
    throw new MemoryError('unavailable', 'All allowed sessions are in use', {
      hint: 'Try again later.',
    });
  }

  /** Schedules the next check for idle sessions. All sessions share one timer. */
  #scheduleSweep(): void {
    if (this.#cancelSweep) return;
    const { clock, settings } = this.#parts;
    this.#cancelSweep = clock.schedule(Math.min(settings.idleMs, SWEEP_MS), () => {
      this.#cancelSweep = undefined;
      const oldestMs = clock.elapsedMs() - settings.idleMs;
      for (const { transport, lastUsedMs } of this) {
        if (lastUsedMs <= oldestMs && !transport.isBusy) void transport.close();
      }
      if (this.#byId.size > 0) this.#scheduleSweep();
    });
  }
}

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
    const { requestId } = (message.params ?? {}) as Partial<CancelledNotification['params']>;
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

/** MCP over HTTP: sessions for clients that initialize a session, and single requests for all other clients. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Context, Hono } from 'hono';
import { MemoryError } from '../../domain/errors.js';
import type { Clock } from '../../domain/time.js';
import { outsideRequests } from '../../request-context.js';
import { principalOf } from '../auth.js';
import { addResource } from '../every-request.js';
import { limitBody } from '../params.js';
import { countAs } from '../request-limits.js';
import { MCP_PATH, type ReceivedMessages, RpcError, readMessages } from './messages.js';
import { type McpSession, McpSessions, type SessionSettings, TrackedTransport } from './sessions.js';

export interface McpEndpointParts {
  /** Called for every session, and for every request outside of a session, so it should be cheap. */
  createServer(): Server;
  settings: SessionSettings & { bodyLimitBytes: number };
  /** The clock of the process, or in tests a clock that is moved by hand. */
  clock?: Pick<Clock, 'elapsedMs' | 'schedule'>;
}

const processClock: Pick<Clock, 'elapsedMs' | 'schedule'> = {
  elapsedMs: () => performance.now(),
  schedule: (delayMs, callback) => {
    const timer = outsideRequests(() => setTimeout(callback, delayMs)).unref();
    return () => clearTimeout(timer);
  },
};

const SESSION_HEADER = 'mcp-session-id';
const RETRY_AFTER_SECONDS = '5';

export class McpEndpoint {
  readonly bodyLimitBytes: number;
  readonly #createServer: () => Server;
  readonly #sessions: McpSessions;
  /** The transports of requests that are in progress and do not belong to a session. */
  readonly #single = new Set<TrackedTransport>();
  #isClosing = false;

  constructor({ createServer, settings, clock = processClock }: McpEndpointParts) {
    this.bodyLimitBytes = settings.bodyLimitBytes;
    this.#createServer = createServer;
    this.#sessions = new McpSessions({ settings, clock, createServer });
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** @throws MemoryError or RpcError when the messages do not reach a server */
  async post(context: Context): Promise<Response> {
    this.#assertOpen(context);
    const messages = await readMessages(context.req);
    await countAs(context, messages.count);
    const id = context.req.header(SESSION_HEADER);
    if (id === undefined && messages.isInitialize) return this.#begin(context, messages);
    return id === undefined
      ? this.#serveOnce(context, messages)
      : this.#serveIn(this.#sessionOf(context, id), context, messages);
  }

  /** Opens the stream for server messages that do not answer a request. */
  async get(context: Context): Promise<Response> {
    this.#assertOpen(context);
    const { req: request } = context;
    // HEAD is refused, because a stream without a reader would stay open permanently.
    if (request.method === 'HEAD') throw new MemoryError('method_not_allowed', 'Method HEAD is not allowed on /mcp');
    const session = this.#sessionOf(context);
    this.#assertMayStream(context, session);
    return session.transport.openStream(request.raw);
  }

  async delete(context: Context): Promise<Response> {
    return this.#sessionOf(context).transport.handleRequest(context.req.raw);
  }

  /**
   * Refuses new requests and closes the streams for server messages. Each session ends when its running calls have been
   * answered.
   */
  beginClosing(): void {
    this.#isClosing = true;
    this.#sessions.stopSweeping();
    for (const { transport } of this.#sessions) {
      transport.closeStandaloneSSEStream();
      void transport.answered().then(() => transport.close());
    }
  }

  /** Ends all sessions and the calls that are still running. */
  async close(): Promise<void> {
    this.beginClosing();
    for (const { transport } of this.#sessions) await transport.close();
    for (const transport of this.#single) await transport.close();
  }

  async #begin(context: Context, messages: ReceivedMessages): Promise<Response> {
    const session = await this.#open(context);
    const { response } = await session.transport.post(context.req.raw, messages);
    // The client has not received the session id, so nobody can use the session.
    if (!response.ok) await session.transport.close();
    return response;
  }

  async #open(context: Context): Promise<McpSession> {
    try {
      return await this.#sessions.open(principalOf(context));
    } catch (error) {
      context.header('Retry-After', RETRY_AFTER_SECONDS);
      throw error;
    }
  }

  async #serveIn(session: McpSession, context: Context, messages: ReceivedMessages): Promise<Response> {
    const { response, settled } = await session.transport.post(context.req.raw, messages);
    // The idle time of the session begins again when its calls have ended.
    void settled.then(() => this.#sessions.touch(session));
    return response;
  }

  /** Serves a request outside of a session. Nothing is kept after the answer. */
  async #serveOnce(context: Context, messages: ReceivedMessages): Promise<Response> {
    const transport = new TrackedTransport(undefined);
    this.#single.add(transport);
    transport.onclose = () => this.#single.delete(transport);
    await this.#createServer().connect(transport);
    const { response, settled } = await transport.post(context.req.raw, messages);
    void settled.then(() => transport.close());
    return response;
  }

  #sessionOf(context: Context, id = context.req.header(SESSION_HEADER)): McpSession {
    if (id === undefined) throw RpcError.invalidRequest('The header Mcp-Session-Id must contain a session id');
    const session = this.#sessions.use(id, principalOf(context));
    if (!session) throw RpcError.sessionNotFound();
    return session;
  }

  /**
   * Limits the open streams of a caller. A session with an open stream is never ended to admit a new session, so one
   * caller could otherwise occupy all sessions.
   */
  #assertMayStream(context: Context, { principal }: McpSession): void {
    if (this.#sessions.mayStream(principal)) return;
    context.header('Retry-After', RETRY_AFTER_SECONDS);
    throw new MemoryError('too_many_requests', 'Too many open streams', {
      hint: 'Your open streams occupy half of all allowed sessions. Close a stream.',
    });
  }

  #assertOpen(context: Context): void {
    if (!this.#isClosing) return;
    context.header('Retry-After', RETRY_AFTER_SECONDS);
    throw new MemoryError('unavailable', 'The service is shutting down');
  }
}

/** Registers `/mcp` with its own body limit. */
export function addMcpRoute(app: Hono, endpoint: McpEndpoint): void {
  app.use(MCP_PATH, limitBody(endpoint.bodyLimitBytes));
  addResource(app, MCP_PATH, {
    POST: context => endpoint.post(context),
    GET: context => endpoint.get(context),
    DELETE: context => endpoint.delete(context),
  });
}

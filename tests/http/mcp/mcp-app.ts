/** The application with MCP over HTTP. Its MCP server has a tool that answers only when the test decides. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Hono } from 'hono';
import type { Engine } from '../../../src/engine/engine.js';
import type { HttpSettings } from '../../../src/http/app.js';
import { McpEndpoint, type McpEndpointParts } from '../../../src/http/mcp/endpoint.js';
import { createManualClock, type ManualClock } from '../../support/manual-clock.js';
import { testLimits } from '../../support/test-limits.js';
import { createTestApp, recordingLog } from '../test-app.js';

export const MCP_SETTINGS = { bodyLimitBytes: 4_194_304, maxCount: 10, idleMs: 600_000 };

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};
export const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

export function toolCall(id: number | string, name: string, args: Record<string, unknown> = {}) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** A running call of the tool `wait`. */
export interface WaitingCall {
  signal: AbortSignal;
  /** Ends the call with this text as its answer. */
  finish(text: string): void;
}

export interface McpTestApp {
  app: Hono;
  endpoint: McpEndpoint;
  clock: ManualClock;
  /** Number of servers created so far. */
  madeCount(): number;
  /** The calls of `wait` so far, by their argument `name`. */
  waiting: Map<string, WaitingCall>;
  /** Resolves when a call of `wait` with this name has begun. */
  begun(name: string): Promise<WaitingCall>;
}

/** The tool `echo` returns its argument `text`. The tool `wait` answers when the test decides. */
export function openMcpApp(
  settings: Partial<McpEndpointParts['settings']> = {},
  httpSettings: Partial<HttpSettings> = {},
): McpTestApp {
  const clock = createManualClock();
  const waiting = new Map<string, WaitingCall>();
  const listeners = new Map<string, (call: WaitingCall) => void>();
  let made = 0;
  const createServer = () => {
    made += 1;
    const server = new Server({ name: 'fixture', version: '0' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
      const { text = '', name = '' } = (params.arguments ?? {}) as { text?: string; name?: string };
      if (params.name === 'echo') return { content: [{ type: 'text', text }] };
      return new Promise(resolve => {
        const call = { signal, finish: (said: string) => resolve({ content: [{ type: 'text', text: said }] }) };
        waiting.set(name, call);
        listeners.get(name)?.(call);
      });
    });
    return server;
  };
  const endpoint = new McpEndpoint({ createServer, settings: { ...MCP_SETTINGS, ...settings }, clock });
  const engine = { limits: testLimits(), inPlace: request => request() } as Engine;
  const app = createTestApp({ engine, settings: httpSettings, log: recordingLog().log, mcp: endpoint });
  return {
    app,
    endpoint,
    clock,
    madeCount: () => made,
    waiting,
    begun: name => {
      const call = waiting.get(name);
      return call ? Promise.resolve(call) : new Promise(resolve => listeners.set(name, resolve));
    },
  };
}

export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

export interface McpRequest {
  message?: unknown;
  /** A body to send instead of a message. */
  body?: NonNullable<RequestInit['body']>;
  session?: string | undefined;
  headers?: Record<string, string>;
  method?: string;
  path?: string;
  /** Address of the caller. */
  address?: string | undefined;
}

/** The connection data that the Node server provides. */
export const from = (address: string) => ({ incoming: { socket: { remoteAddress: address } } });

export async function request(
  app: Hono,
  { message, body, session, headers, method = 'POST', path = '/mcp', address }: McpRequest,
) {
  const sent = message === undefined ? body : JSON.stringify(message);
  const init: RequestInit = {
    method,
    headers: { ...MCP_HEADERS, ...(session !== undefined && { 'mcp-session-id': session }), ...headers },
    ...(sent !== undefined && { body: sent, duplex: 'half' }),
  };
  return app.request(path, init, address === undefined ? {} : from(address));
}

// biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape
export type Message = any;

/** The messages of an answer, from JSON or from a finished stream. */
export async function messagesOf(response: Response): Promise<Message[]> {
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith('application/json')) return [JSON.parse(text)];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
}

/** Sends one message and returns status, headers and the first message of the answer. */
export async function exchange(app: Hono, parts: McpRequest) {
  const response = await request(app, parts);
  const [message] = await messagesOf(response);
  return { status: response.status, headers: response.headers, message };
}

/** Initializes a session and returns its id. */
export async function openSession(app: Hono, parts: Omit<McpRequest, 'message'> = {}): Promise<string> {
  const { status, headers } = await exchange(app, { ...parts, message: INITIALIZE });
  const id = headers.get('mcp-session-id');
  if (status !== 200 || id === null) throw new Error(`initialize was answered with ${status}`);
  return id;
}

/** The REST application over a real engine in a temporary folder, called without sockets. */
import type { Hono } from 'hono';
import type { Engine } from '../../src/engine/engine.js';
import { createHttpApp, type HttpSettings } from '../../src/http/app.js';
import type { McpEndpoint } from '../../src/http/mcp/endpoint.js';
import type { TrafficMetrics } from '../../src/http/metrics/traffic-metrics.js';
import type { Logger } from '../../src/log.js';
import { currentRequestId } from '../../src/request-context.js';
import { openTestEngine } from '../support/test-engine.js';

export const OPEN_SETTINGS: HttpSettings = {
  apiToken: undefined,
  adminToken: undefined,
  allowedHosts: [],
  dataDir: '/memories',
  bodyLimitBytes: 1_000_000,
  host: '127.0.0.1',
  isReadOnly: false,
  requestLimits: { maxPerSecond: 0 },
  startupRecallNeedsToken: false,
  version: '0.0.0',
};

export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

export interface Call {
  /** The body as a value, which is sent as JSON. */
  json?: unknown;
  /** The body as it is sent. */
  body?: NonNullable<RequestInit['body']>;
  headers?: Record<string, string>;
  /** The connection data that the Node server provides. */
  env?: object;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
}

/** The content types of the answers that are not JSON: the metrics, the documentation page and the web page. */
const TEXT_TYPE = /^text\/(?:plain; version=0\.0\.4|html|javascript|css)/;

export interface TestAppParts {
  engine: Engine;
  settings?: Partial<HttpSettings>;
  log: Logger;
  metrics?: TrafficMetrics;
  mcp?: McpEndpoint;
}

/** Creates the application of a process that has the memory open. */
export function createTestApp({ engine, settings, log, metrics, mcp }: TestAppParts): Hono {
  const parts = {
    reach: async () => ({ engine }),
    limits: engine.limits,
    settings: { ...OPEN_SETTINGS, ...settings },
    log,
  };
  return createHttpApp({ ...parts, ...(metrics && { metrics }), ...(mcp && { mcp }) });
}

/**
 * Sends one request, such as `GET /health`. An answer of any status must be JSON, except for the metrics, the
 * documentation page and the web page.
 */
export async function send(app: Hono, route: string, { json, body, headers, env }: Call = {}): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(/ (.*)/s);
  const isJson = json !== undefined;
  const init: RequestInit = {
    method,
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
    ...(isJson && { body: JSON.stringify(json) }),
    ...(body !== undefined && { body, duplex: 'half' }),
  };
  const response = await app.request(path, init, env);
  const type = response.headers.get('content-type') ?? '';
  if (TEXT_TYPE.test(type)) {
    return { status: response.status, headers: response.headers, body: await response.text() };
  }
  if (!type.startsWith('application/json')) {
    throw new Error(`${route} answered ${response.status} without JSON: ${await response.text()}`);
  }
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export interface LogEntry {
  level: keyof Logger;
  message: string;
  details: unknown;
  /** Id of the request that logged the entry. */
  requestId: string | undefined;
}

/** A logger of level info that keeps its entries. */
export function recordingLog(): { log: Logger; entries: LogEntry[] } {
  const entries: LogEntry[] = [];
  const recorder = (level: keyof Logger) => (message: string, details?: unknown) => {
    entries.push({ level, message, details, requestId: currentRequestId() });
  };
  const log = {
    debug: () => {},
    info: recorder('info'),
    warn: recorder('warn'),
    error: recorder('error'),
  };
  return { log, entries };
}

/** An application over the engine, with some methods of the engine replaced. */
export function openBrokenApp(engine: Engine, replaced: Partial<Engine>) {
  const { log, entries } = recordingLog();
  const broken = { ...engine, limits: engine.limits, ...replaced };
  return { app: createTestApp({ engine: broken, log }), logged: entries };
}

/** Opens a separate application. The caller must close it after the tests. */
export async function openTestApp(settings: Partial<HttpSettings> = {}) {
  const { engine, clock, close } = await openTestEngine();
  const { log, entries } = recordingLog();
  const app = createTestApp({ engine, settings, log });
  return {
    app,
    engine,
    clock,
    close,
    logged: entries,
    call: (route: string, call?: Call) => send(app, route, call),
  };
}

/** Serves REST and MCP over HTTP, no matter which process has the memory open. */
import type { Config } from '../config.js';
import type { ToolCallObserver } from '../domain/reports.js';
import { systemClock } from '../engine/clock.js';
import { isBeyondLoopback } from '../http/guards.js';
import type { Listener } from '../http/listen.js';
import { McpEndpoint } from '../http/mcp/endpoint.js';
import type { TrafficMetrics } from '../http/metrics/traffic-metrics.js';
import type { Logger } from '../log.js';
import type { McpHandlers } from '../mcp/handlers.js';
import { createMcpServer } from '../mcp/server.js';
import type { SharedMemory } from '../sharing/shared-memory.js';

export interface ListenerParts {
  memory: Pick<SharedMemory, 'reach' | 'isReadOnly'>;
  config: Config;
  /** Version of the package. */
  version: string;
  log: Logger;
  /** The metrics to serve. If absent, the listener creates metrics of its own. */
  metrics?: TrafficMetrics;
  /** The MCP handlers, if the process has created them already. */
  handlers?: McpHandlers | undefined;
}

/**
 * Starts to listen. Loads the HTTP modules only when called, so that more urgent parts start first.
 *
 * @throws MemoryError `unavailable` when the port is taken
 */
export async function startListener({ metrics, handlers, ...parts }: ListenerParts): Promise<Listener> {
  const [{ createHttpApp }, { listen }, { createTrafficMetrics }] = await Promise.all([
    import('../http/app.js'),
    import('../http/listen.js'),
    import('../http/metrics/traffic-metrics.js'),
  ]);
  const { memory, config, version, log } = parts;
  const { host, port, input: limits } = config;
  const counted = metrics ?? createTrafficMetrics();
  const mcp = createMcpEndpoint({ ...parts, handlers, observeCall: counted.observeToolCall });
  const app = createHttpApp({
    reach: memory.reach,
    limits,
    settings: { ...config, version },
    log,
    metrics: counted,
    mcp,
  });
  const listener = await listen(app, { host, port, log, streams: mcp });
  if (isStartupRecallOpen(config)) log.warn(STARTUP_RECALL_IS_OPEN);
  return listener;
}

const STARTUP_RECALL_IS_OPEN =
  'GET /startup-recall needs no token: everyone who reaches this service can read memories tagged critical, lesson, ' +
  'ai-assistant, system or memory-recall. Set STARTUP_RECALL_REQUIRES_TOKEN=true to require the token';

/**
 * Whether a token is set, but other machines can read the startup recall without the token, directly or through a
 * proxy.
 */
function isStartupRecallOpen({ apiToken, startupRecallNeedsToken, host, allowedHosts }: Config): boolean {
  const isReachable = [host, ...allowedHosts].some(isBeyondLoopback);
  return apiToken !== undefined && !startupRecallNeedsToken && isReachable;
}

export interface EndpointParts {
  memory: ListenerParts['memory'];
  config: Config;
  version: string;
  log: Logger;
  observeCall: ToolCallObserver;
  /** If undefined, the first request that needs handlers creates them. */
  handlers: McpHandlers | undefined;
}

/** All sessions share the same tools and schemas. */
export function createMcpEndpoint(parts: EndpointParts): McpEndpoint {
  const { content, isReadOnly, mcpHttp } = parts.config;
  let made = parts.handlers && Promise.resolve(parts.handlers);
  const handlers = () => {
    made ??= makeHandlers(parts);
    return made;
  };
  const createServer = () => createMcpServer({ content, version: parts.version, isReadOnly, handlers });
  return new McpEndpoint({ createServer, settings: mcpHttp });
}

async function makeHandlers({ memory, config, log, observeCall }: EndpointParts): Promise<McpHandlers> {
  const [{ createHandlers }, { createMemoryClient }] = await Promise.all([
    import('../mcp/handlers.js'),
    import('../sharing/memory.js'),
  ]);
  const { input: limits, content, isReadOnly } = config;
  return createHandlers({
    memory: createMemoryClient({ memory, log, clock: systemClock }),
    limits,
    content,
    log,
    observeCall,
    isReadOnly,
  });
}

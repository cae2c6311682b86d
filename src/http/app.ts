/** The REST application: what watches requests, then guards, then the token and the size of the body, and then the memory. */
import { type Handler, Hono } from 'hono';
import { createDocument } from '../api/openapi.js';
import { createOperations } from '../api/operations.js';
import type { Config } from '../config.js';
import type { InputLimits } from '../domain/input-limits.js';
import type { Logger } from '../log.js';
import { requireAdminToken, requireApiToken } from './auth.js';
import { limitBody } from './body-limit.js';
import { addDocuments } from './documents.js';
import { addExportRoute } from './export-route.js';
import { guardBrowsers, guardHostAndOrigin } from './guards.js';
import { limitRequests } from './limits/request-limits.js';
import type { McpEndpoint } from './mcp/endpoint.js';
import { addMcpRoute } from './mcp/route.js';
import { MCP_PATH, renderRpcError } from './mcp/rpc-error.js';
import { answerErrors, type MemoryFetch } from './memory-app.js';
import { addMetricsRoute } from './metrics/route.js';
import { createTrafficMetrics, type TrafficMetrics } from './metrics/traffic-metrics.js';
import { observeRequests } from './observe-requests.js';
import { refuseWrites } from './read-only.js';
import { identifyRequests } from './request-id.js';
import { addSafeHeaders } from './safe-headers.js';

export interface HttpSettings
  extends Pick<
    Config,
    | 'apiToken'
    | 'adminToken'
    | 'allowedHosts'
    | 'bodyLimitBytes'
    | 'host'
    | 'requestLimits'
    | 'isReadOnly'
    | 'startupRecallNeedsToken'
  > {
  /** Of the package. */
  version: string;
}

export interface HttpParts {
  /** Where allowed requests go. */
  memory: MemoryFetch;
  limits: InputLimits;
  settings: HttpSettings;
  log: Logger;
  /** Of its own where nothing else is counted with it. */
  metrics?: TrafficMetrics;
  /** Absent where MCP is not served over HTTP. */
  mcp?: McpEndpoint;
}

/**
 * Builds the application. Every answer but the metrics and the documents is JSON; a failure of any kind is answered, never
 * thrown.
 */
export function createHttpApp({
  memory,
  limits,
  settings,
  log,
  metrics = createTrafficMetrics(),
  mcp,
}: HttpParts): Hono {
  const operations = createOperations(limits, settings.startupRecallNeedsToken ? 'token' : 'public');
  const publicPaths = new Set(operations.filter(({ access }) => access === 'public').map(({ path }) => path));
  const app = new Hono();
  app.use(identifyRequests(), observeRequests(metrics, log), addSafeHeaders());
  answerErrors(app, log, ({ req }, error, body) => (req.path === MCP_PATH ? renderRpcError(error, body) : body));
  app.use(guardHostAndOrigin(settings), guardBrowsers());
  app.use(requireApiToken(settings.apiToken, publicPaths), limitRequests(settings.requestLimits));
  if (mcp) addMcpRoute(app, mcp);
  app.use(limitBody(settings.bodyLimitBytes));

  const isTokenRequired = settings.apiToken !== undefined;
  addDocuments(app, () => createDocument({ version: settings.version, operations, isTokenRequired }));
  addMetricsRoute(app, memory, metrics);
  if (settings.isReadOnly) refuseWrites(app, operations);
  const requireAdmin = requireAdminToken(settings.adminToken);
  addExportRoute(app, { memory, requireAdmin, version: settings.version });
  for (const { method, path, access } of operations) if (access === 'admin') app.on(method, path, requireAdmin);
  const forward: Handler = ({ req }) => memory(req.raw);
  // The pattern of its path names a request in the metrics.
  for (const { method, path } of operations) app.on(method, path, forward).all(path, forward);
  return app;
}

/**
 * The REST application: observes requests, applies the guards, checks the token and the body size, and runs the operations
 * or forwards them to the process that has the memory open.
 */
import { Hono } from 'hono';
import { createDocument } from '../api/openapi.js';
import type { Operation } from '../api/operation.js';
import { createOperations } from '../api/operations.js';
import type { Config } from '../config.js';
import { readOnlyRefusal } from '../domain/errors.js';
import type { InputLimits } from '../domain/input.js';
import type { Logger } from '../log.js';
import { requireAdminToken, requireApiToken } from './auth.js';
import { createOwnerLookup, type OwnerLookup, refuseOtherUsers } from './connection-owner.js';
import { addDocuments } from './documents.js';
import { addSafeHeaders, identifyRequests, observeRequests } from './every-request.js';
import { addExportRoute } from './export-route.js';
import { guardBrowsers, guardHostAndOrigin } from './guards.js';
import { addMcpRoute, type McpEndpoint } from './mcp/endpoint.js';
import { MCP_PATH, renderRpcError } from './mcp/messages.js';
import { addMetricsRoute, addOperations, answerErrors, type Reach } from './memory-app.js';
import { createTrafficMetrics, type TrafficMetrics } from './metrics/traffic-metrics.js';
import { addPage, addPageCodes, CODES_PATH, PAGE_PATHS, SESSION_PATH } from './page.js';
import { limitBody } from './params.js';
import { limitRequests } from './request-limits.js';

export interface HttpSettings
  extends Pick<
    Config,
    | 'apiToken'
    | 'adminToken'
    | 'allowedHosts'
    | 'bodyLimitBytes'
    | 'dataDir'
    | 'host'
    | 'requestLimits'
    | 'isReadOnly'
    | 'startupRecallNeedsToken'
  > {
  /** Version of the package. */
  version: string;
}

export interface HttpParts {
  reach: Reach;
  limits: InputLimits;
  settings: HttpSettings;
  log: Logger;
  /** The metrics of the application. A caller that adds counts to the same registry passes its own metrics. */
  metrics?: TrafficMetrics;
  /** Undefined when MCP is not served over HTTP. */
  mcp?: McpEndpoint;
  /** Tells who opened a connection. */
  ownerOf?: OwnerLookup;
}

/**
 * Builds the application. Every answer is JSON, except the metrics, the documents, the page, the export and the streams
 * of MCP. Every failure becomes an answer and is never thrown.
 */
export function createHttpApp({
  reach,
  limits,
  settings,
  log,
  metrics = createTrafficMetrics(),
  mcp,
  ownerOf = createOwnerLookup(),
}: HttpParts): Hono {
  const operations = createOperations(limits, settings.startupRecallNeedsToken ? 'token' : 'public');
  const publicOperations = operations.filter(({ access }) => access === 'public');
  const publicRoutes = new Set([
    ...publicOperations.map(({ method, path }) => `${method} ${path}`),
    ...PAGE_PATHS.map(path => `GET ${path}`),
    `POST ${CODES_PATH}`,
    `POST ${SESSION_PATH}`,
  ]);
  const app = new Hono();
  app.use(identifyRequests(), observeRequests(metrics, log), addSafeHeaders());
  answerErrors(app, log, ({ req }, error, body) => (req.path === MCP_PATH ? renderRpcError(error, body) : body));
  app.use(guardHostAndOrigin(settings), guardBrowsers());
  if (settings.apiToken === undefined) app.use(refuseOtherUsers(ownerOf));
  app.use(requireApiToken(settings.apiToken, publicRoutes), limitRequests(settings.requestLimits));
  if (mcp) addMcpRoute(app, mcp);
  app.use(limitBody(settings.bodyLimitBytes));

  const isTokenRequired = settings.apiToken !== undefined;
  addPage(app, {
    needsToken: isTokenRequired,
    hasAdminToken: settings.adminToken !== undefined,
    isReadOnly: settings.isReadOnly,
  });
  addPageCodes(app, settings);
  addDocuments(app, () => createDocument({ version: settings.version, operations, isTokenRequired }));
  addMetricsRoute(app, reach, metrics);
  if (settings.isReadOnly) refuseWrites(app, operations);
  const requireAdmin = requireAdminToken(settings.adminToken);
  addExportRoute(app, { reach, operations, requireAdmin, version: settings.version });
  for (const { method, path, access } of operations) if (access === 'admin') app.on(method, path, requireAdmin);
  addOperations(app, reach, operations);
  return app;
}

/** Registers routes that throw MemoryError `forbidden`. They must be registered before the operations. */
function refuseWrites(app: Hono, operations: readonly Operation[]): void {
  for (const { method, path } of operations) {
    if (method === 'GET') continue;
    app.on(method, path, () => {
      throw readOnlyRefusal();
    });
  }
}

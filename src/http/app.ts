/** The REST application: what watches requests, then guards, then the token, the size of the body, and the routes. */
import { type Context, Hono } from 'hono';
import { createDocument } from '../api/openapi.js';
import { createOperations } from '../api/operations.js';
import type { Config } from '../config.js';
import { MemoryError } from '../domain/errors.js';
import type { Engine } from '../engine/engine.js';
import type { Logger } from '../log.js';
import { requireAdminToken, requireApiToken } from './auth.js';
import { limitBody } from './body-limit.js';
import { addDocuments } from './documents.js';
import { describeError } from './errors.js';
import { guardBrowsers, guardHostAndOrigin } from './guards.js';
import { addMetricsRoute } from './metrics/route.js';
import { createTrafficMetrics, type TrafficMetrics } from './metrics/traffic-metrics.js';
import { observeRequests } from './observe-requests.js';
import { addOperations } from './operations.js';
import { identifyRequests } from './request-id.js';
import { addSafeHeaders } from './safe-headers.js';

export interface HttpSettings
  extends Pick<Config, 'apiToken' | 'adminToken' | 'allowedHosts' | 'bodyLimitBytes' | 'host'> {
  /** Of the package. */
  version: string;
}

export interface HttpParts {
  engine: Engine;
  settings: HttpSettings;
  log: Logger;
  /** Of its own where nothing else is counted with it. */
  metrics?: TrafficMetrics;
}

/**
 * Builds the application. Routes added to it afterwards stand behind the same guards. Every answer but the metrics is JSON;
 * a failure of any kind is answered, never thrown.
 */
export function createHttpApp({ engine, settings, log, metrics = createTrafficMetrics() }: HttpParts): Hono {
  const app = new Hono();
  const answerError = (error: unknown, context: Context) => {
    // The path as it was sent: decoded, it could forge lines of the log.
    const body = describeError(error, `${context.req.method} ${new URL(context.req.url).pathname}`, log);
    return context.json(body, body.code);
  };
  app.onError(answerError);
  app.notFound(context => answerError(new MemoryError('not_found', 'No such route'), context));

  app.use(identifyRequests(), observeRequests(metrics, log));
  app.use(addSafeHeaders(), async (context, next) => {
    try {
      await next();
    } catch (thrown) {
      // Only what is no Error gets here: Hono gives the rest to onError.
      return answerError(thrown, context);
    }
  });
  app.use(guardHostAndOrigin(settings), guardBrowsers());
  app.use(requireApiToken(settings.apiToken), limitBody(settings.bodyLimitBytes));

  const operations = createOperations(engine.limits);
  const isTokenRequired = settings.apiToken !== undefined;
  addDocuments(app, () => createDocument({ version: settings.version, operations, isTokenRequired }));
  addMetricsRoute(app, engine, metrics);
  addOperations(app, { engine, operations, requireAdmin: requireAdminToken(settings.adminToken) });
  return app;
}

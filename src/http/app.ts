/** The REST application: what watches requests, then guards, then the token, the size of the body, and the routes. */
import { type Context, Hono } from 'hono';
import type { Config } from '../config.js';
import { MemoryError } from '../domain/errors.js';
import type { Engine } from '../engine/engine.js';
import type { Logger } from '../log.js';
import { requireApiToken } from './auth.js';
import { limitBody } from './body-limit.js';
import { describeError } from './errors.js';
import { guardBrowsers, guardHostAndOrigin } from './guards.js';
import { createTrafficMetrics, type TrafficMetrics } from './metrics/traffic-metrics.js';
import { observeRequests } from './observe-requests.js';
import { identifyRequests } from './request-id.js';
import { addAdminRoutes } from './routes/admin.js';
import { addAssociationRoutes } from './routes/associations.js';
import { addByTagRoutes } from './routes/by-tag.js';
import { addEnrichmentRoutes } from './routes/enrichment.js';
import { addCreationRoutes, addMemoryRoutes } from './routes/memories.js';
import { addMetricsRoutes } from './routes/metrics.js';
import { addRecallRoutes } from './routes/recall.js';
import { addStatusRoutes } from './routes/status.js';
import { addSafeHeaders } from './safe-headers.js';

export type HttpSettings = Pick<Config, 'apiToken' | 'adminToken' | 'allowedHosts' | 'bodyLimitBytes' | 'host'>;

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

  addStatusRoutes(app, engine);
  addMetricsRoutes(app, engine, metrics);
  addEnrichmentRoutes(app, engine, settings.adminToken);
  addAdminRoutes(app, engine, settings.adminToken);
  addRecallRoutes(app, engine);
  addCreationRoutes(app, engine);
  addAssociationRoutes(app, engine);
  addByTagRoutes(app, engine);
  addMemoryRoutes(app, engine);
  return app;
}

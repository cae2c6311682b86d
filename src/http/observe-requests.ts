/** Each request in the metrics and, at level debug, in the log; never with its path or its query, which may hold secrets. */
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from '../log.js';
import type { TrafficMetrics } from './metrics/traffic-metrics.js';

/** A client may send any other: they share a label. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Where the application puts what stands before every route. */
const EVERY_PATH = '/*';

export function observeRequests({ countRequest }: TrafficMetrics, log: Logger): MiddlewareHandler {
  return async (context, next) => {
    const startedMs = performance.now();
    await next();
    const durationMs = performance.now() - startedMs;
    const { method } = context.req;
    const request = {
      method: METHODS.has(method) ? method : 'other',
      route: routeOf(context),
      status: context.res.status,
    };
    countRequest({ ...request, durationMs });
    log.debug('answered a request', { ...request, duration_ms: Math.round(durationMs * 1000) / 1000 });
  };
}

/** The first route that matches takes the request, also where a guard has refused it before. */
function routeOf(context: Context): string {
  return matchedRoutes(context).find(({ path }) => path !== EVERY_PATH)?.path ?? 'unmatched';
}

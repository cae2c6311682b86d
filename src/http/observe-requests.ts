/** Counts each request and logs it at level debug, without path and query, because these may contain secrets. */
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from '../log.js';
import type { TrafficMetrics } from './metrics/traffic-metrics.js';

/**
 * Methods that have their own label. All other methods share one label, because a client may send any word as a method.
 */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Path pattern of the middleware that precedes all routes. */
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

/** The path pattern of the first matching route, even if a guard refused the request before the route ran. */
function routeOf(context: Context): string {
  return matchedRoutes(context).find(({ path }) => path !== EVERY_PATH)?.path ?? 'unmatched';
}

/** What every request and every answer has: an id, safe headers, a count, and an error for a method without a route. */
import { randomUUID } from 'node:crypto';
import type { Context, Handler, Hono, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { MemoryError } from '../domain/errors.js';
import type { Logger } from '../log.js';
import { currentCancellation, currentRequestId, withRequest } from '../request-context.js';
import type { TrafficMetrics } from './metrics/traffic-metrics.js';

export type ResourceHandlers = Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Handler>>;

/**
 * Registers a path. Fixed paths must be registered before patterns that match them too, because the first match handles
 * every method. A method without a handler throws MemoryError `method_not_allowed` and is answered with an Allow
 * header.
 */
export function addResource(app: Hono, path: string, handlers: ResourceHandlers): void {
  for (const [method, handler] of Object.entries(handlers)) app.on(method, path, handler);
  const methods = Object.keys(handlers).flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  app.all(path, context => {
    context.header('Allow', methods.join(', '));
    throw new MemoryError('method_not_allowed', `The method ${context.req.method} is not allowed on ${path}`);
  });
}

export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** Sets the headers on the answers of all later handlers, including errors. The page sets its own cache control. */
export function addSafeHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(SAFE_HEADERS)) {
      if (!context.res.headers.has(name)) setAnswerHeader(context, name, value);
    }
  };
}

/**
 * Sets a header on an answer that a later handler has made. `context.header` would copy the answer. The server sends a
 * copy as a stream, and a stream takes several times as long as one text.
 *
 * @throws TypeError if the answer comes from `fetch`, because its headers cannot be changed
 */
export function setAnswerHeader({ res }: Context, name: string, value: string): void {
  res.headers.set(name, value);
}

export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Sets the id on every answer, including errors. Every line logged during the request contains the id. An internal
 * request without its own id gets the id of the request that caused it.
 */
export function identifyRequests(): MiddlewareHandler {
  return (context, next) => {
    const stated = context.req.header(REQUEST_ID_HEADER);
    const id = stated !== undefined && ACCEPTED.test(stated) ? stated : (currentRequestId() ?? randomUUID());
    return withRequest({ id, signal: currentCancellation() }, async () => {
      await next();
      setAnswerHeader(context, REQUEST_ID_HEADER, id);
    });
  };
}

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

/** Carries out the operations on an open engine. It checks no rights, so the guards must stand before it. */
import { type Context, Hono } from 'hono';
import { createOperations } from '../api/operations.js';
import type { ErrorBody } from '../api/render/error.js';
import { MemoryError } from '../domain/errors.js';
import type { Engine } from '../engine/engine.js';
import type { Logger } from '../log.js';
import { describeError } from './errors.js';
import { addEngineMetricsRoute } from './metrics/route.js';
import { addOperations } from './operations.js';
import { identifyRequests } from './request-id.js';

/**
 * Answers a request to the memory, in this process or in another.
 *
 * @param answerWithinMs how long another process may take
 */
export type MemoryFetch = (request: Request, answerWithinMs?: number) => Response | Promise<Response>;

/**
 * Every answer but the metrics is JSON; a failure of any kind is answered, never thrown.
 *
 * @param log gets the faults of the engine
 */
export function createMemoryApp(engine: Engine, log: Logger): Hono {
  const app = new Hono();
  answerErrors(app, log);
  app.use(identifyRequests());
  addEngineMetricsRoute(app, engine);
  addOperations(app, engine, createOperations(engine.limits));
  return app;
}

/** Writes a failure in the words of the path that was called. */
export type ErrorRenderer = (context: Context, error: unknown, body: ErrorBody) => object;

/**
 * Makes an application answer every failure, and every path that it does not know, with the one error body.
 *
 * @param render for paths that have another
 */
export function answerErrors(app: Hono, log: Logger, render: ErrorRenderer = (_context, _error, body) => body): void {
  const answerError = (error: unknown, context: Context) => {
    // The path as it was sent: decoded, it could forge lines of the log.
    const body = describeError(error, `${context.req.method} ${new URL(context.req.url).pathname}`, log);
    const { retryAfterMs } = error instanceof MemoryError ? error : {};
    if (retryAfterMs !== undefined) context.header('Retry-After', String(Math.ceil(retryAfterMs / 1000)));
    return context.json(render(context, error, body), body.code);
  };
  app.onError(answerError);
  app.notFound(context => answerError(new MemoryError('not_found', 'No such route'), context));
  app.use(async (context, next) => {
    try {
      await next();
    } catch (thrown) {
      // Only what is no Error gets here: Hono gives the rest to onError.
      return answerError(thrown, context);
    }
  });
}

/**
 * The routes of the operations, and that of the metrics. A process that has the memory open runs them, for its own
 * callers and for other processes; another process forwards the requests. Permissions are checked before.
 */
import { type Context, Hono } from 'hono';
import type { ErrorBody } from '../api/answer-fields.js';
import { IDEMPOTENCY_KEY_HEADER } from '../api/memories.js';
import { type Operation, runOperation, statusOfAnswer } from '../api/operation.js';
import { createOperations } from '../api/operations.js';
import { MemoryError } from '../domain/errors.js';
import type { Engine } from '../engine/engine.js';
import { readOnly } from '../engine/read-only.js';
import type { Logger } from '../log.js';
import { describeError } from './errors.js';
import { addResource, identifyRequests, type ResourceHandlers } from './every-request.js';
import type { TrafficMetrics } from './metrics/traffic-metrics.js';
import { parseBody, queryOf, readBytes } from './params.js';

/**
 * Sends a request to the process that has the memory open. Every failure of that process is an answer.
 *
 * @param answerWithinMs time limit for the other process
 * @throws MemoryError when the other process does not answer
 */
export type Forward = (request: Request, answerWithinMs?: number) => Promise<Response>;

/** The memory is open in this process, or requests are forwarded to another one. */
type Reached = { engine: Engine; forward?: undefined } | { engine?: undefined; forward: Forward };

/** @throws MemoryError when no process has the memory open and this process cannot open it */
export type Reach = () => Promise<Reached>;

/**
 * Every answer except the metrics is JSON. Every failure becomes an answer and is never thrown.
 *
 * @param log logs the internal errors of the engine
 */
export function createMemoryApp(engine: Engine, log: Logger): Hono {
  const app = new Hono();
  answerErrors(app, log);
  app.use(identifyRequests());
  const reach: Reach = async () => ({ engine });
  addMetricsRoute(app, reach);
  addOperations(app, reach, createOperations(engine.limits));
  return app;
}

/** Renders a failure in the format of the requested path. */
export type ErrorRenderer = (context: Context, error: unknown, body: ErrorBody) => object;

/**
 * Makes an application answer every failure, and every unknown path, with the standard error body.
 *
 * @param render renders the error body for paths with another format
 */
export function answerErrors(app: Hono, log: Logger, render: ErrorRenderer = (_context, _error, body) => body): void {
  const answerError = (error: unknown, context: Context) => {
    // The path is logged as it was sent, because a decoded path could forge log lines.
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
      // Only thrown values that are not an Error reach this point. Hono passes every Error to onError.
      return answerError(thrown, context);
    }
  });
}

/** A request with this header, whatever its value, changes nothing and leaves no trace. */
export const READ_ONLY_HEADER = 'x-engraph-read-only';

/**
 * Registers a route for every operation. It runs the operation if the memory is open in this process.
 *
 * @param operations a fixed path must precede every pattern that also matches it
 */
export function addOperations(app: Hono, reach: Reach, operations: readonly Operation[]): void {
  for (const path of new Set(operations.map(operation => operation.path))) {
    const handlers: ResourceHandlers = {};
    for (const operation of operations.filter(candidate => candidate.path === path)) {
      handlers[operation.method] = handlerOf(operation, reach);
    }
    addResource(app, path, handlers);
  }
}

function handlerOf(operation: Operation, reach: Reach): NonNullable<ResourceHandlers['GET']> {
  return async context => {
    const { req: request } = context;
    const reached = await reach();
    if (reached.forward) return reached.forward(request.raw);
    const engine = request.header(READ_ONLY_HEADER) === undefined ? reached.engine : readOnly(reached.engine);
    // Clients may send a body slowly, so a request takes its place only when the body has arrived.
    const bytes = operation.body && (await readBytes(request.raw));
    const answer = await runOperation(operation, engine, () => ({
      params: request.param() as Record<string, string>,
      query: queryOf(request, { schema: operation.query, further: operation.ignoredQuery }),
      body: bytes && parseBody(request, bytes, operation.isBodyOptional),
      idempotencyKey: request.header(IDEMPOTENCY_KEY_HEADER) || undefined,
    }));
    return context.json(answer, statusOfAnswer(operation, answer));
  };
}

const PATH = '/metrics';
/** The text format of Prometheus. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/**
 * With `?part=memory`, the answer contains only the metrics of the memory. A process that adds metrics of its own
 * traffic sends this parameter to the memory.
 */
const PART = 'part';
const OF_MEMORY = 'memory';

/**
 * Registers `/metrics` with the statistics of the memory, and with the traffic of this process, if it is counted. When the
 * memory cannot answer, the route returns the failure of the memory.
 */
export function addMetricsRoute(app: Hono, reach: Reach, traffic?: TrafficMetrics): void {
  addResource(app, PATH, {
    GET: async ({ req: request, body }) => {
      queryOf(request, { further: [PART] });
      const ofMemory = await memoryMetrics(await reach(), request.url);
      if (typeof ofMemory !== 'string') return ofMemory;
      const isWhole = traffic !== undefined && request.query(PART) !== OF_MEMORY;
      const text = isWhole ? `${await traffic.registry.metrics()}\n${ofMemory}` : ofMemory;
      return body(text, 200, { 'Content-Type': CONTENT_TYPE });
    },
  });
}

/** Returns the metrics of the memory, or the failure of the process that has the memory open. */
async function memoryMetrics({ engine, forward }: Reached, url: string): Promise<string | Response> {
  if (engine) {
    const [statistics, { engineMetrics }] = await Promise.all([
      engine.statistics(),
      import('./metrics/engine-metrics.js'),
    ]);
    return engineMetrics(statistics);
  }
  const answer = await forward(new Request(new URL(`${PATH}?${PART}=${OF_MEMORY}`, url)));
  return answer.ok ? answer.text() : answer;
}

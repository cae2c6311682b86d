/** Registers the operations of the interface as routes. */
import type { Hono } from 'hono';
import { IDEMPOTENCY_KEY_HEADER } from '../api/memories.js';
import { type Operation, runOperation, statusOf } from '../api/operation.js';
import { readOnly } from '../engine/read-only.js';
import type { Reach } from './memory-app.js';
import { parseBody, queryOf, readBytes } from './params.js';
import { addResource, type ResourceHandlers } from './resource.js';

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
    return context.json(answer, statusOf(operation, answer));
  };
}

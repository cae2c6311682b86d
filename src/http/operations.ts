/** Registers the operations of the interface as routes. */
import type { Hono } from 'hono';
import { IDEMPOTENCY_KEY_HEADER } from '../api/idempotency-key.js';
import type { Operation } from '../api/operation.js';
import type { Engine } from '../engine/engine.js';
import { parseJsonBody, parseOptionalJsonBody, queryOf, readBytes } from './params.js';
import { addResource, type ResourceHandlers } from './resource.js';

/**
 * Registers a route for every operation.
 *
 * @param operations a fixed path must precede every pattern that also matches it
 */
export function addOperations(app: Hono, engine: Engine, operations: readonly Operation[]): void {
  for (const path of new Set(operations.map(operation => operation.path))) {
    const handlers: ResourceHandlers = {};
    for (const operation of operations.filter(candidate => candidate.path === path)) {
      handlers[operation.method] = handlerOf(operation, engine);
    }
    addResource(app, path, handlers);
  }
}

function handlerOf(operation: Operation, engine: Engine): NonNullable<ResourceHandlers['GET']> {
  return async context => {
    const { req: request } = context;
    // Clients may send a body slowly, so a request takes its place only when the body has arrived.
    const bytes = operation.body && (await readBytes(request.raw));
    const answer = async () => {
      const { body, status } = await operation.run(engine, {
        params: request.param() as Record<string, string>,
        query: queryOf(request, { schema: operation.query, further: operation.ignoredQuery }),
        body: bytes && (await parserOf(operation)(request, bytes, engine.limits)),
        idempotencyKey: request.header(IDEMPOTENCY_KEY_HEADER) || undefined,
      });
      return context.json(body, status);
    };
    return operation.needsNoPlace ? answer() : engine.inPlace(answer);
  };
}

function parserOf({ isBodyOptional }: Operation): typeof parseJsonBody {
  return isBodyOptional ? parseOptionalJsonBody : parseJsonBody;
}

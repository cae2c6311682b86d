/** Registers a path with its methods. A request with another method is refused with an explicit error. */
import type { Handler, Hono } from 'hono';
import { MemoryError } from '../domain/errors.js';

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

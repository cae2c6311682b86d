/** Routes that say how the service is. */
import type { Hono } from 'hono';
import { renderHealth } from '../../api/render/health.js';
import type { Engine } from '../../engine/engine.js';
import { addResource } from '../resource.js';

/** Registers `/health`. */
export function addStatusRoutes(app: Hono, engine: Engine): void {
  addResource(app, '/health', {
    GET: async context => {
      const health = renderHealth(await engine.health());
      return context.json(health, health.status === 'healthy' ? 200 : 503);
    },
  });
}

/** The routes of the metrics, in the format of Prometheus. */
import type { Hono } from 'hono';
import type { Engine } from '../../engine/engine.js';
import type { MemoryFetch } from '../memory-app.js';
import { addResource } from '../resource.js';
import type { TrafficMetrics } from './traffic-metrics.js';

const PATH = '/metrics';

/** Registers `/metrics`: the traffic of this process, and what the memory says of itself. */
export function addMetricsRoute(app: Hono, memory: MemoryFetch, { registry }: TrafficMetrics): void {
  addResource(app, PATH, {
    GET: async ({ req: request, body }) => {
      const ofMemory = async () => (await memory(new Request(new URL(PATH, request.url)))).text();
      const [traffic, text] = await Promise.all([registry.metrics(), ofMemory()]);
      return body(`${traffic}\n${text}`, 200, { 'Content-Type': registry.contentType });
    },
  });
}

/** Registers `/metrics` with the engine's part alone. */
export function addEngineMetricsRoute(app: Hono, engine: Engine): void {
  addResource(app, PATH, {
    GET: async context => {
      const [statistics, { engineMetrics }] = await Promise.all([engine.statistics(), import('./engine-metrics.js')]);
      return context.text(await engineMetrics(statistics));
    },
  });
}

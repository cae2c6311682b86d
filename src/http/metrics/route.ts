/** The routes of the metrics, in the format of Prometheus. */
import type { Hono } from 'hono';
import type { Engine } from '../../engine/engine.js';
import type { MemoryFetch } from '../memory-app.js';
import { addResource } from '../resource.js';
import type { TrafficMetrics } from './traffic-metrics.js';

const PATH = '/metrics';
/** The query of those who have metrics of their own process, and ask for the memory alone. */
const PART = 'part';
const OF_MEMORY = 'memory';

/**
 * Registers `/metrics`: the traffic of this process, and what the memory says of itself. Where the memory cannot say so, its
 * failure is the answer.
 */
export function addMetricsRoute(app: Hono, memory: MemoryFetch, { registry }: TrafficMetrics): void {
  addResource(app, PATH, {
    GET: async ({ req: request, body }) => {
      const ofMemory = await memory(new Request(new URL(`${PATH}?${PART}=${OF_MEMORY}`, request.url)));
      if (!ofMemory.ok) return ofMemory;
      const text = await ofMemory.text();
      const traffic = request.query(PART) === OF_MEMORY ? '' : `${await registry.metrics()}\n`;
      return body(`${traffic}${text}`, 200, { 'Content-Type': registry.contentType });
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

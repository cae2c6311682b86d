/** Registers the metrics routes, in the Prometheus format. */
import type { Hono } from 'hono';
import type { Engine } from '../../engine/engine.js';
import type { MemoryFetch } from '../memory-app.js';
import { queryOf } from '../params.js';
import { addResource } from '../resource.js';
import type { TrafficMetrics } from './traffic-metrics.js';

const PATH = '/metrics';
/**
 * With `?part=memory`, the answer contains only the metrics of the memory. A process that adds metrics of its own
 * traffic sends this parameter to the memory.
 */
const PART = 'part';
const OF_MEMORY = 'memory';

/**
 * Registers `/metrics` with the traffic of this process and the statistics of the memory. When the memory cannot
 * answer, the route returns the failure of the memory.
 */
export function addMetricsRoute(app: Hono, memory: MemoryFetch, { registry }: TrafficMetrics): void {
  addResource(app, PATH, {
    GET: async ({ req: request, body }) => {
      queryOf(request, { further: [PART] });
      const ofMemory = await memory(new Request(new URL(`${PATH}?${PART}=${OF_MEMORY}`, request.url)));
      if (!ofMemory.ok) return ofMemory;
      const text = await ofMemory.text();
      const traffic = request.query(PART) === OF_MEMORY ? '' : `${await registry.metrics()}\n`;
      return body(`${traffic}${text}`, 200, { 'Content-Type': registry.contentType });
    },
  });
}

/** Registers `/metrics` with only the metrics of the engine. */
export function addEngineMetricsRoute(app: Hono, engine: Engine): void {
  addResource(app, PATH, {
    GET: async context => {
      const [statistics, { engineMetrics }] = await Promise.all([engine.statistics(), import('./engine-metrics.js')]);
      return context.text(await engineMetrics(statistics));
    },
  });
}

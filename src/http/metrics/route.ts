/** Registers the metrics routes, in the Prometheus format. */
import type { Hono } from 'hono';
import type { Reach, Reached } from '../memory-app.js';
import { queryOf } from '../params.js';
import { addResource } from '../resource.js';
import type { TrafficMetrics } from './traffic-metrics.js';

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
    const [statistics, { engineMetrics }] = await Promise.all([engine.statistics(), import('./engine-metrics.js')]);
    return engineMetrics(statistics);
  }
  const answer = await forward(new Request(new URL(`${PATH}?${PART}=${OF_MEMORY}`, url)));
  return answer.ok ? answer.text() : answer;
}

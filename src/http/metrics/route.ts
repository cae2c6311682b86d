/** The route of the metrics, in the format of Prometheus. */
import type { Hono } from 'hono';
import type { Engine } from '../../engine/engine.js';
import { addResource } from '../resource.js';
import { engineMetrics } from './engine-metrics.js';
import type { TrafficMetrics } from './traffic-metrics.js';

/** Registers `/metrics`. */
export function addMetricsRoute(app: Hono, engine: Engine, { registry }: TrafficMetrics): void {
  addResource(app, '/metrics', {
    GET: async context => {
      const [traffic, memory] = await Promise.all([registry.metrics(), engine.statistics().then(engineMetrics)]);
      return context.body(`${traffic}\n${memory}`, 200, { 'Content-Type': registry.contentType });
    },
  });
}

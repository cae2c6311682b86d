/** Reports the resources that the process uses. They are read at each request, so no timer runs. */

import { Counter, Gauge, type Registry } from 'prom-client';
import { yieldToEventLoop } from '../../event-loop.js';

/** The names are those that other programs use for the same values. */
export function addProcessMetrics(registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process that is held in RAM.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time that the process has used, in all its threads.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process was started, in seconds since 1970.',
    registers,
  }).set(Math.round(performance.timeOrigin) / 1000);
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How late the event loop was when this was asked for.',
    registers,
    async collect() {
      const startedMs = performance.now();
      await yieldToEventLoop();
      this.set((performance.now() - startedMs) / 1000);
    },
  });
  new Counter({
    name: 'engraph_event_loop_busy_seconds_total',
    help: 'Seconds that the event loop was busy; the rate per second is the share of one core.',
    registers,
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1000);
    },
  });
}

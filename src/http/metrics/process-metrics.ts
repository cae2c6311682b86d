/** Exports the resource usage of the process. Values are read at each request, so no timer runs. */

import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Adds the metrics of the process. Metrics that are usual in other programs keep their usual names. */
export function addProcessMetrics(registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used by all threads of the process.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process, in seconds since 1970.',
    registers,
  }).set(Math.round(performance.timeOrigin) / 1000);
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'Delay of the event loop at the time of this request.',
    registers,
    async collect() {
      const startedMs = performance.now();
      await nextTurn();
      this.set((performance.now() - startedMs) / 1000);
    },
  });
  new Counter({
    name: 'engraph_event_loop_busy_seconds_total',
    help: 'Seconds in which the event loop was busy. The rate per second is the share of one core.',
    registers,
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1000);
    },
  });
}

/** Counts requests and tool calls when they are answered, and shows the resources of the process. Each application has a registry. */
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { DURATION_BOUNDS_MS, type ToolCallObserver } from '../../domain/reports.js';

export interface AnsweredRequest {
  method: string;
  /** The path pattern, never the path: a label with unlimited values would exhaust the memory of the collector. */
  route: string;
  status: number;
  durationMs: number;
}

export interface TrafficMetrics {
  registry: Registry;
  countRequest(request: AnsweredRequest): void;
  /** Counts the tool calls of an MCP server in the same process. */
  observeToolCall: ToolCallObserver;
}

const buckets = DURATION_BOUNDS_MS.map(boundMs => boundMs / 1000);

export function createTrafficMetrics(): TrafficMetrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'engraph_http_requests_total',
    help: 'Answered HTTP requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'engraph_http_request_duration_seconds',
    help: 'Duration of answering an HTTP request.',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  });
  const toolCalls = new Counter({
    name: 'engraph_mcp_tool_calls_total',
    help: 'Calls of MCP tools, by outcome.',
    labelNames: ['tool', 'outcome'],
    registers,
  });
  const toolSeconds = new Histogram({
    name: 'engraph_mcp_tool_call_duration_seconds',
    help: 'Duration of a call of an MCP tool.',
    labelNames: ['tool'],
    buckets,
    registers,
  });
  addProcessMetrics(registry);
  return {
    registry,
    countRequest: ({ method, route, status, durationMs }) => {
      requests.inc({ method, route, status });
      requestSeconds.observe({ method, route }, durationMs / 1000);
    },
    observeToolCall: tool => {
      const startedMs = performance.now();
      return outcome => {
        toolCalls.inc({ tool, outcome });
        toolSeconds.observe({ tool }, (performance.now() - startedMs) / 1000);
      };
    },
  };
}

/** Adds the metrics of the process. Metrics that are usual in other programs keep their usual names. */
function addProcessMetrics(registry: Registry): void {
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

/** Computes figures of the service over the last minutes from successive readings of the metrics. */

export interface Reading {
  atMs: number;
  metrics: ReadonlyMap<string, number>;
}

export interface Series {
  label: string;
  unit: string;
  /** Oldest first. */
  values: number[];
}

interface Figure {
  label: string;
  unit: string;
  metric: string;
  /** A counter is shown as its increase per second. */
  isCounter?: boolean;
  /** Factor that converts the unit of the metric to the shown unit. */
  scale?: number;
}

const FIGURES: readonly Figure[] = [
  { label: 'Memories', unit: '', metric: 'engraph_memories' },
  { label: 'Waiting work', unit: '', metric: 'engraph_queue_depth' },
  { label: 'Requests', unit: '/s', metric: 'engraph_http_requests_total', isCounter: true },
  { label: 'Recalls', unit: '/s', metric: 'engraph_recalls_total', isCounter: true },
  { label: 'Tool calls', unit: '/s', metric: 'engraph_mcp_tool_calls_total', isCounter: true },
  { label: 'Store failures', unit: '/s', metric: 'engraph_store_failures_total', isCounter: true },
  { label: 'Processor', unit: '%', metric: 'process_cpu_seconds_total', isCounter: true, scale: 100 },
  { label: 'Main memory', unit: 'MB', metric: 'process_resident_memory_bytes', scale: 1e-6 },
];

/** Figures without a value are left out. */
export function toSeries(readings: readonly Reading[]): Series[] {
  return FIGURES.flatMap(figure => {
    const values = figure.isCounter ? growth(readings, figure) : levels(readings, figure);
    return values.length === 0 ? [] : [{ label: figure.label, unit: figure.unit, values }];
  });
}

function levels(readings: readonly Reading[], { metric, scale = 1 }: Figure): number[] {
  return readings.flatMap(({ metrics }) => {
    const value = metrics.get(metric);
    return value === undefined ? [] : [value * scale];
  });
}

function growth(readings: readonly Reading[], { metric, scale = 1 }: Figure): number[] {
  return readings.slice(1).flatMap(({ atMs, metrics }, index) => {
    const before = readings[index];
    const [from, to] = [before?.metrics.get(metric), metrics.get(metric)];
    if (before === undefined || from === undefined || to === undefined || atMs <= before.atMs) return [];
    // Counters begin at 0 again when the service restarts, so the difference can be negative.
    return [(Math.max(0, to - from) * scale * 1000) / (atMs - before.atMs)];
  });
}

/**
 * Formats durations counted by the engine as a Prometheus histogram. prom-client accepts only single durations, not
 * counts.
 */
import { DURATION_BOUNDS_MS, type DurationCounts } from '../../domain/statistics.js';

/** @param name ends in `_seconds` */
export function durationText(name: string, help: string, { counts, total, sumMs }: DurationCounts): string {
  let soFar = 0;
  const buckets = DURATION_BOUNDS_MS.map((boundMs, index) => {
    soFar += counts[index] ?? 0;
    return `${name}_bucket{le="${boundMs / 1000}"} ${soFar}`;
  });
  const lines = [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} histogram`,
    ...buckets,
    `${name}_bucket{le="+Inf"} ${total}`,
    `${name}_sum ${sumMs / 1000}`,
    `${name}_count ${total}`,
  ];
  return `${lines.join('\n')}\n`;
}

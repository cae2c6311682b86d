/** Summarises many measurements of the same thing. */

/** The smallest value that is at least as large as the given share of all values. NaN if there are no values. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Median and 95th percentile. */
export function summary(values) {
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95) };
}

/** Duration of an action in milliseconds. */
export async function timed(action) {
  const startedMs = performance.now();
  await action();
  return performance.now() - startedMs;
}

/** Runs the action for each input, one after the other, and returns the durations in milliseconds. */
export async function durationsOf(inputs, action) {
  const durations = [];
  for (const input of inputs) durations.push(await timed(() => action(input)));
  return durations;
}

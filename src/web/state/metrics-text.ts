/** Parses metrics in the text format of Prometheus. */

/** The sum of all samples of each metric, by its name. */
export function readMetrics(text: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const name = line.slice(0, Math.max(0, line.search(/[{ ]/)));
    // A label may contain a space, so the value is the text after the last space.
    const value = Number(line.slice(line.lastIndexOf(' ') + 1));
    if (name !== '' && !Number.isNaN(value)) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return sums;
}

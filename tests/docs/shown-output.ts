/** Compares the output of an example with the output shown on its page, where `…` stands for anything. */

/**
 * Returns undefined if the printed text equals the shown text, otherwise a message with the printed text. A shown line
 * `…` stands for any number of lines, including none.
 */
export function differenceFromText(printed: string, shown: string): string | undefined {
  const lines = shown.trim().split('\n');
  const pattern = lines.map(line => (line === '…' ? '(?:.*\\n)*?' : `${patternOf(line)}\\n`)).join('');
  return new RegExp(`^${pattern}$`).test(`${printed.trim()}\n`) ? undefined : `it printed\n${printed}`;
}

function patternOf(line: string): string {
  const parts = line.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return parts.join('.*');
}

/** Returns the difference, if any. Every value on the page must be in the output. The output may have more values. */
export function differenceFromJson(printed: string, shown: string): string | undefined {
  const path = firstDifference(JSON.parse(printed), JSON.parse(shown), '');
  return path === undefined ? undefined : `at '${path}' it answered otherwise: ${printed}`;
}

function firstDifference(actual: unknown, shown: unknown, path: string): string | undefined {
  if (shown === '…') return actual === undefined ? path : undefined;
  if (typeof shown === 'string' && shown.includes('…') && typeof actual === 'string')
    return differenceFromText(actual, shown) === undefined ? undefined : path;
  if (typeof shown !== 'object' || shown === null) return Object.is(actual, shown) ? undefined : path;
  if (typeof actual !== 'object' || actual === null) return path;
  if (Array.isArray(shown) !== Array.isArray(actual)) return path;
  for (const [key, value] of Object.entries(shown)) {
    const difference = firstDifference((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** Writes tags and metadata as texts in which the rules find credentials. */

/** Tags of one record stand on one line, because a whole line would count as a line of a configuration. */
export function textOfTags(tags: unknown): string {
  return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string').join(' , ') : textOf(tags);
}

/** Writes each value of any JSON on a line of its own, after the key that leads to it. */
export function textOfMetadata(metadata: unknown): string {
  const lines: string[] = [];
  // A list of pending values instead of recursion, because the input may be nested to any depth.
  const pending: [key: string, value: unknown][] = [['', metadata]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [key, value] = next;
    if (Array.isArray(value)) pending.push(...value.map((each): [string, unknown] => [key, each]));
    else if (typeof value === 'object' && value !== null) pending.push(...entriesOf(value));
    else if (textOf(value) !== '') lines.push(key === '' ? textOf(value) : `${key}: ${textOf(value)}`);
  }
  return lines.reverse().join('\n');
}

/** The entries of an object. `{name: "PASSWORD", value: "…"}`, as in many configurations, counts as one entry. */
function entriesOf(value: object): [string, unknown][] {
  const { name, key = name, value: named, ...others } = value as Record<string, unknown>;
  const isPair = typeof key === 'string' && named !== undefined;
  return isPair ? [...Object.entries(others), [key, named]] : Object.entries(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

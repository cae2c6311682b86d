/** Writes tags and metadata as texts in which the rules find credentials. */

/** Tags of one record stand on one line, because a whole line would count as a line of a configuration. */
export function textOfTags(tags: unknown): string {
  return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string').join(' , ') : textOf(tags);
}

/** Writes each value of any JSON on a line of its own, after the key that leads to it, and each key without a text. */
export function textOfMetadata(metadata: unknown): string {
  const lines: string[] = [];
  // A list of pending values instead of recursion, because the input may be nested to any depth.
  const pending: [key: string, value: unknown][] = [['', metadata]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [key, value] = next;
    const parts = partsOf(key, value);
    // A loop instead of spread arguments, because a list may be longer than arguments may be.
    for (const part of parts) pending.push(part);
    const text = textOf(value);
    if (text !== '') lines.push(key === '' ? text : `${key}: ${text}`);
    else if (key !== '' && !Array.isArray(value)) lines.push(key);
  }
  return lines.reverse().join('\n');
}

function partsOf(key: string, value: unknown): [key: string, value: unknown][] {
  if (Array.isArray(value)) return value.length === 0 ? [[key, null]] : value.map(each => [key, each]);
  return typeof value === 'object' && value !== null ? entriesOf(value) : [];
}

/** The entries of an object. `{name: "PASSWORD", value: "…"}`, as in many configurations, counts as one entry. */
function entriesOf(value: object): [key: string, value: unknown][] {
  const { name, key = name, value: named, ...others } = value as Record<string, unknown>;
  const isPair = typeof key === 'string' && named !== undefined;
  return isPair ? [...Object.entries(others), [key, named]] : Object.entries(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Canonical JSON: equal values have equal texts, independent of the order of their keys. */

/** Leaves out keys with the value undefined, like `JSON.stringify`. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = value as Record<string, unknown>;
  const keys = Object.keys(members).filter(key => members[key] !== undefined);
  return `{${keys
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(members[key])}`)
    .join(',')}}`;
}

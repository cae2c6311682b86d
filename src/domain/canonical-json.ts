/** JSON as text in one form: equal values have equal texts, in whatever order their keys came. */

/** A key without a value is left out, as `JSON.stringify` does. */
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

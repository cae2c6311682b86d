/** JSON values. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A free-form JSON object. */
export type Metadata = { [key: string]: Json };

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

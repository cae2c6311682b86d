/** JSON values. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A free-form JSON object. */
export type Metadata = { [key: string]: Json };

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads the names of query parameters. An unknown name is refused (docs/decisions.md, "Unknown parameters"). */
import type { z } from 'zod';
import { namesOf, type RawInput, unknownParameter } from './input.js';

/** Parameters that every route takes: the tokens (docs/decisions.md, "Tokens"). */
const TOKENS: readonly string[] = ['api_key', 'admin_token'];
/** Clients write the items of a list as `name[]` or `name[0]`. */
const LIST_ITEM = /^(?<name>[^[\]]+)\[(?<index>\d*)\]$/;

export interface QueryRules {
  /** Describes the parameters. Undefined if the route takes none. */
  schema?: z.ZodObject | undefined;
  /** Further parameters, which the schema does not describe. */
  further?: readonly string[] | undefined;
}

/**
 * Returns the values by name: a text, or an array of texts for a name that occurs several times.
 *
 * @throws MemoryError `invalid` naming an unknown parameter and the nearest known one
 */
export function readQuery(search: URLSearchParams, { schema, further = [] }: QueryRules): RawInput {
  const listed = schema ? Object.keys(schema.shape) : [];
  const known = new Set([...(schema ? namesOf(schema) : []), ...further, ...TOKENS]);
  const values = new Map<string, { index: number; value: string }[]>();
  for (const [written, value] of search) {
    const { name = written, index = '' } = LIST_ITEM.exec(written)?.groups ?? {};
    if (!known.has(name)) throw unknownParameter(written, listed);
    const items = values.get(name) ?? [];
    items.push({ index: Number(index), value });
    values.set(name, items);
  }
  return Object.fromEntries([...values].map(([name, items]) => [name, inOrder(items)]));
}

/** The order of a list matters for a vector. Items without an index keep their order. */
function inOrder(items: readonly { index: number; value: string }[]): string | string[] {
  const texts = items.toSorted((a, b) => a.index - b.index).map(({ value }) => value);
  const [first = ''] = texts;
  return texts.length > 1 ? texts : first;
}

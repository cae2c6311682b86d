/** Reads the compact answers of `GRAPH.QUERY`, in which every value is a pair of its type and its content. */

/** The server's numbers for the types of values. */
const TYPES = { null: 1, boolean: 4, double: 5, list: 6, map: 10, point: 11, vector: 12 } as const;

type Pair = [type: number, value: unknown];

/** Returns a row for each record, keyed by column name. A statement without RETURN has no rows. */
export function readRows<Row>(reply: unknown): Row[] {
  const [header, rows] = reply as [header: [type: number, name: string][], rows?: (Pair[] | Error)[]];
  if (!rows) return [];
  const names = header.map(([, name]) => name);
  return rows.map(row => {
    if (row instanceof Error) throw row;
    const named: Record<string, unknown> = {};
    for (const [index, pair] of row.entries()) named[names[index] as string] = read(pair);
    return named as Row;
  });
}

/**
 * Reads a value of any type except nodes and edges. No statement of Engraph returns nodes or edges, but another program
 * may have put a value of any other type into a property.
 */
function read([type, value]: Pair): unknown {
  switch (type) {
    case TYPES.null:
      return null;
    case TYPES.boolean:
      return value === 'true';
    case TYPES.double:
      return Number(value);
    case TYPES.list:
      return (value as Pair[]).map(read);
    case TYPES.map:
      return mapOf(value as unknown[]);
    case TYPES.point:
    case TYPES.vector:
      return (value as unknown[]).map(Number);
    default:
      return value;
  }
}

/** @param flat alternating keys and values */
function mapOf(flat: readonly unknown[]): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  for (let index = 0; index < flat.length; index += 2) {
    map[flat[index] as string] = read(flat[index + 1] as Pair);
  }
  return map;
}

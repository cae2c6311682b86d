/**
 * Finds the first memories that pass a filter, in a given order. The server has no ordered index and would sort all of
 * them. Once it has sorted many, later requests look only at those before a bound that had enough memories then. Also
 * finds the neighbours of memories in time.
 */
import { createRecent } from '../../domain/collections.js';
import type { ListOrder, ListRequest, Neighbour, NeighbourRequest } from '../ports/search-index.js';
import type { Connection } from './connection.js';
import { selectionOf, valueToken } from './index-node.js';
import { decodeText, idIn, keyOf, type Parameters } from './values.js';

const NEWEST = 'i.timestamp_ms DESC, i.id';
const OLDEST = 'i.timestamp_ms, i.id';

interface Ordering {
  /** The indexed number by which memories are found. It sorts as `by` does, but several memories may share a number. */
  key: 'importance_rank' | 'timestamp_ms' | 'updated_ms';
  isDescending: boolean;
  by: string;
}

const ORDERS: Record<ListOrder, Ordering> = {
  importance: { key: 'importance_rank', isDescending: true, by: `i.importance DESC, ${NEWEST}` },
  newest: { key: 'timestamp_ms', isDescending: true, by: NEWEST },
  oldest: { key: 'timestamp_ms', isDescending: false, by: OLDEST },
  updated_desc: { key: 'updated_ms', isDescending: true, by: `i.updated_ms DESC, ${NEWEST}` },
  updated_asc: { key: 'updated_ms', isDescending: false, by: `i.updated_ms, ${OLDEST}` },
};

/** Maximum number of memories that are sorted up to a bound. */
const SORTED_MAX = 4_000;
/** A bound is set behind this many times the requested memories, so that it also serves later requests. */
const BOUND_FACTOR = 8;
/** Maximum number of entries of a cache. */
export const CACHED_MAX = 1_000;

/** What is read of the memories found, which are nodes `i` in order. */
interface Reading {
  /** Clauses that may lead to other nodes. They keep the order of the rows, and the variable `measure`. */
  follow?: string;
  column: string;
  parameters?: Parameters;
}

export interface Ordered {
  /** Reads the first memories that pass the filter, in order. */
  first<Found>(request: ListRequest, reading: Reading): Promise<Found[]>;
}

interface Beginning<Found> {
  found: Found[];
  /** The number of memories that were sorted, or the bound behind them; null if there are no others behind them. */
  measure: number | null;
}

export function createOrdered(connection: Connection): Ordered {
  /** Distances of bounds from the start of their range. */
  const distances = createRecent<number>(CACHED_MAX, () => 1);

  const first = async <Found>(request: ListRequest, reading: Reading): Promise<Found[]> => {
    const { filter, order, limit, offset = 0 } = request;
    const { key, isDescending } = ORDERS[order];
    // The server reads numbers of rows with 32 bits, and no graph has as many memories.
    if (limit <= 0 || offset + limit >= 2 ** 31) return [];
    // Most requests with a start come from enrichment, and each has tags of its own. All these requests share a distance.
    const startMs = key === 'timestamp_ms' ? (isDescending ? filter.toMs : filter.fromMs) : undefined;
    const name = JSON.stringify([order, startMs === undefined && [filter.tags, filter.excludedTagKeys]]);
    const distance = distances.get(name);
    if (distance !== undefined) {
      const bound = (startMs ?? 0) + distance;
      const { found, measure: count } = await sortUpToBound<Found>(connection, request, { ...reading, bound });
      if (count !== null && count >= offset + limit && count <= SORTED_MAX) return found;
    }
    const { found, measure: bound } = await sortAll<Found>(connection, request, reading);
    if (bound !== null) distances.set(name, bound - (startMs ?? 0));
    return found;
  };
  return { first };
}

export async function list({ first }: Ordered, request: ListRequest): Promise<string[]> {
  return (await first<string>(request, { column: idIn('i') })).map(decodeText);
}

/**
 * Reads the first of the memories up to a bound. Stops after one more than `SORTED_MAX` memories, which may not contain
 * the first ones.
 */
async function sortUpToBound<Found>(
  connection: Connection,
  { filter, order, limit, offset = 0 }: ListRequest,
  { bound, ...reading }: Reading & { bound: number },
): Promise<Beginning<Found>> {
  const { key, isDescending, by } = ORDERS[order];
  const { match, parameters } = selectionOf(filter, [`i.${key} ${isDescending ? '>=' : '<='} $bound`]);
  const clauses = `${match} WITH i LIMIT $max WITH collect(i) AS all
    UNWIND all AS i WITH i, size(all) AS measure ORDER BY ${by} SKIP $offset LIMIT $limit`;
  const limits = { limit, offset, max: SORTED_MAX + 1, bound };
  return read(connection, clauses, { ...reading, parameters: { ...parameters, ...limits, ...reading.parameters } });
}

/** Reads the first of all memories that pass the filter, and a bound behind the first and some further memories. */
async function sortAll<Found>(
  connection: Connection,
  { filter, order, limit, offset = 0 }: ListRequest,
  reading: Reading,
): Promise<Beginning<Found>> {
  const { key, isDescending, by } = ORDERS[order];
  const { match, parameters } = selectionOf(filter);
  const clauses = `${match} WITH i ORDER BY ${by} LIMIT $reach
    WITH collect(i) AS all, ${isDescending ? 'min' : 'max'}(i.${key}) AS last
    WITH all, CASE WHEN size(all) = $reach THEN last END AS measure
    UNWIND all[$offset..$end] AS i WITH i, measure`;
  const end = offset + limit;
  const limits = { offset, end, reach: Math.max(end, Math.min(end * BOUND_FACTOR, SORTED_MAX / 2)) };
  return read(connection, clauses, { ...reading, parameters: { ...parameters, ...limits, ...reading.parameters } });
}

/** The answer is one row, because a server may cut an answer off after some number of rows. */
async function read<Found>(
  connection: Connection,
  clauses: string,
  { follow = '', column, parameters = {} }: Reading,
): Promise<Beginning<Found>> {
  const [row] = await connection.read<Beginning<Found>>(
    `${clauses} ${follow} RETURN measure, collect(${column}) AS found`,
    parameters,
  );
  return row ?? { found: [], measure: null };
}

interface NeighboursRow {
  seed: string;
  before: string[];
  after: string[];
}

export async function neighbours(
  connection: Connection,
  { ids, span, maxGapMs, keys }: NeighbourRequest,
): Promise<Neighbour[]> {
  if (ids.length === 0 || span <= 0) return [];
  const idByKey = new Map(ids.map(id => [keyOf(id), id]));
  /** Builds a subquery that collects the nearest memories on one side. A memory that shares several tags counts once. */
  const side = (window: string, order: string, name: string) => `CALL {
      WITH s UNWIND s.tag_tokens AS token
      WITH s, token WHERE token STARTS WITH 'w' ${keys ? 'AND token IN $tokens' : ''}
      MATCH (i:_MemoryIndex) WHERE token IN i.tag_tokens AND ${window}
      WITH DISTINCT i ORDER BY i.timestamp_ms ${order}, i.id LIMIT $span
      RETURN collect(${idIn('i')}) AS ${name}
    }`;
  const rows = await connection.readByIds<NeighboursRow>(
    `UNWIND $ids AS id MATCH (s:_MemoryIndex {id: id})
     ${side('i.timestamp_ms < s.timestamp_ms AND i.timestamp_ms >= s.timestamp_ms - $gap_ms', 'DESC', 'before')}
     ${side('i.timestamp_ms > s.timestamp_ms AND i.timestamp_ms <= s.timestamp_ms + $gap_ms', 'ASC', 'after')}
     RETURN s.id AS seed, before, after`,
    ids,
    { span, gap_ms: maxGapMs, ...(keys && { tokens: keys.map(key => valueToken('tag', key)) }) },
  );
  return rows.flatMap(({ seed, before, after }) => {
    const of = idByKey.get(seed) ?? seed;
    const at = (found: string[], sign: number) =>
      found.map((id, position) => ({ of, id: decodeText(id), distance: sign * (position + 1) }));
    return [...at(before, -1), ...at(after, 1)];
  });
}

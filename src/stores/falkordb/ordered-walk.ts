/**
 * The first of a selection in some order, without sorting all of it: the server sorts only what it has read. A bound on the
 * key of the order is sought that leaves enough and not too many, by counts that end early.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import type { ListOrder } from '../ports/search-index.js';
import type { Connection } from './connection.js';
import { decodeText, idIn } from './encoding.js';
import { countStatement, selectionOf } from './selection.js';

interface OrderKey {
  field: 'importance' | 'timestamp_ms' | 'updated_ms';
  isDescending: boolean;
}

const IMPORTANCE: OrderKey = { field: 'importance', isDescending: true };
const NEWEST: OrderKey = { field: 'timestamp_ms', isDescending: true };

/** Equals in all keys are in order of id. */
const ORDERS: Record<ListOrder, readonly OrderKey[]> = {
  importance: [IMPORTANCE, NEWEST],
  newest: [NEWEST],
  oldest: [{ field: 'timestamp_ms', isDescending: false }],
  updated_desc: [{ field: 'updated_ms', isDescending: true }, NEWEST],
  updated_asc: [{ field: 'updated_ms', isDescending: false }, NEWEST],
};

/** What each key may be, and the least difference worth telling apart before equals are looked for. */
const DOMAINS: Record<OrderKey['field'], { least: number; most: number; step: number }> = {
  importance: { least: 0, most: 2, step: 1e-7 },
  timestamp_ms: { least: -1e14, most: 3e14, step: 1 },
  updated_ms: { least: -1e14, most: 3e14, step: 1 },
};

/** So many are sorted at once. */
const SORTED_MAX = 1_000;
const HINTS_MAX = 1_000;

export interface OrderedWalk {
  /** Ids of the first that pass, in order. */
  first(request: { filter: MemoryFilter; order: ListOrder; limit: number }): Promise<string[]>;
}

/** Up to here there are enough, and not too many. */
interface Bound {
  enough: number;
}

/** Between these is a value that too many have. */
interface Bracket {
  tooFew: number;
  tooMany: number;
}

interface Wanted {
  part: Part;
  key: OrderKey;
  limit: number;
}

/** @returns remembers the bounds that it found, which mostly hold the next time */
export function createOrderedWalk(connection: Connection): OrderedWalk {
  const hints = new Map<string, Bound | Bracket>();

  const sorted = async (filter: MemoryFilter, part: Part, limit: number): Promise<string[]> => {
    const { match, parameters } = selectionOf(filter, part.conditions);
    // In one row, since a server may end an answer after some number of rows.
    const rows = await connection.read<{ ids: string[] }>(
      `${match} WITH i ORDER BY ${orderBy(part.keys)} LIMIT $limit RETURN collect(${idIn('i')}) AS ids`,
      { ...parameters, ...part.bounds, limit },
    );
    return rows.flatMap(({ ids }) => ids.map(decodeText));
  };

  const count = async (filter: MemoryFilter, part: Part): Promise<number> => {
    const selection = selectionOf(filter, part.conditions);
    const parameters = { ...selection.parameters, ...part.bounds, max: SORTED_MAX + 1 };
    const [row] = await connection.read<{ count: number }>(countStatement(selection), parameters);
    return row?.count ?? 0;
  };

  /** Narrows a part that is too large to be sorted by its first key, and what is equal in it by the next. */
  const take = async (filter: MemoryFilter, part: Part, limit: number): Promise<string[]> => {
    const [key, ...rest] = part.keys;
    if (!key || limit > SORTED_MAX || (await count(filter, part)) <= SORTED_MAX) return sorted(filter, part, limit);
    const found = await seek(filter, { part, key, limit });
    if ('enough' in found) return sorted(filter, upTo(part, key, found.enough), limit);
    const front = await sorted(filter, upTo(part, key, found.tooFew), limit);
    const equals = between(part, key, found);
    const value = await commonValue(filter, equals, key.field);
    if (value === undefined) return sorted(filter, part, limit);
    return [...front, ...(await take(filter, { ...equals, keys: rest }, limit - front.length))];
  };

  const seek = async (filter: MemoryFilter, { part, key, limit }: Wanted): Promise<Bound | Bracket> => {
    const { least, most, step } = DOMAINS[key.field];
    const name = JSON.stringify([key, part.conditions, part.bounds, filter.tags, filter.excludedTagKeys]);
    const remember = <Found extends Bound | Bracket>(found: Found): Found => {
      if (hints.size >= HINTS_MAX) hints.clear();
      hints.set(name, found);
      return found;
    };
    let [tooFew, tooMany]: [number, number] = key.isDescending ? [most, least] : [least, most];
    const hint = hints.get(name);
    const tried = hint && 'tooFew' in hint ? [hint.tooFew, hint.tooMany] : hint ? [hint.enough] : [];
    while (Math.abs(tooFew - tooMany) > step) {
      const middle = (tooFew + tooMany) / 2;
      const bound = tried.shift() ?? (step === 1 ? Math.round(middle) : middle);
      const there = await count(filter, upTo(part, key, bound));
      if (there >= limit && there <= SORTED_MAX) return remember({ enough: bound });
      if (there > SORTED_MAX) tooMany = bound;
      else tooFew = bound;
    }
    return remember({ tooFew, tooMany });
  };

  /** The one value that a part has of a field; undefined when it has several. */
  const commonValue = async (
    filter: MemoryFilter,
    part: Part,
    field: OrderKey['field'],
  ): Promise<number | undefined> => {
    const { match, parameters } = selectionOf(filter, part.conditions);
    const [row] = await connection.read<{ value: number }>(`${match} WITH i LIMIT 1 RETURN i.${field} AS value`, {
      ...parameters,
      ...part.bounds,
    });
    if (!row) return undefined;
    const { value } = row;
    const others = await Promise.all(
      ['<', '>'].map(sign =>
        count(filter, {
          ...part,
          conditions: [...part.conditions, `i.${field} ${sign} $value`],
          bounds: { ...part.bounds, value },
        }),
      ),
    );
    return others.every(there => there === 0) ? value : undefined;
  };

  return {
    first: ({ filter, order, limit }) =>
      limit <= 0 ? Promise.resolve([]) : take(filter, { keys: ORDERS[order], conditions: [], bounds: {} }, limit),
  };
}

/** The nodes of a selection that lie within some bounds, and how they are ordered. */
interface Part {
  keys: readonly OrderKey[];
  conditions: readonly string[];
  bounds: Readonly<Record<string, number>>;
}

function upTo(part: Part, { field, isDescending }: OrderKey, bound: number): Part {
  const name = `${field}_bound`;
  const condition = `i.${field} ${isDescending ? '>=' : '<='} $${name}`;
  return { ...part, conditions: [...part.conditions, condition], bounds: { ...part.bounds, [name]: bound } };
}

/** What lies behind the one bound, and up to the other. */
function between(
  part: Part,
  { field, isDescending }: OrderKey,
  { tooFew, tooMany }: { tooFew: number; tooMany: number },
): Part {
  const [front, back] = [`${field}_front`, `${field}_back`];
  const conditions = isDescending
    ? [`i.${field} < $${front}`, `i.${field} >= $${back}`]
    : [`i.${field} > $${front}`, `i.${field} <= $${back}`];
  return {
    ...part,
    conditions: [...part.conditions, ...conditions],
    bounds: { ...part.bounds, [front]: tooFew, [back]: tooMany },
  };
}

function orderBy(keys: readonly OrderKey[]): string {
  return [...keys.map(({ field, isDescending }) => `i.${field}${isDescending ? ' DESC' : ''}`), 'i.id'].join(', ');
}

/**
 * Finds the first nodes of a selection in a given order. Does not sort the whole selection, because the server would
 * have to read all its nodes. Instead, searches for a bound on the sort key up to which there are enough nodes,
 * but not too many to sort. A statement stops reading as soon as there are too many nodes.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import type { ListOrder } from '../ports/search-index.js';
import type { Connection } from './connection.js';
import { decodeText, idIn } from './encoding.js';
import { countStatement, selectionOf } from './selection.js';
import { createWalkHints, type Walk } from './walk-hints.js';
import { isWithin, middleOf, type OrderKey, type Part, type Range, rangeOf } from './walk-range.js';

const IMPORTANCE: OrderKey = { field: 'importance', isDescending: true };
const NEWEST: OrderKey = { field: 'timestamp_ms', isDescending: true };
const OLDEST: OrderKey = { field: 'timestamp_ms', isDescending: false };

/** Nodes that are equal in all keys are ordered by id. */
const ORDERS: Record<ListOrder, readonly OrderKey[]> = {
  importance: [IMPORTANCE, NEWEST],
  newest: [NEWEST],
  oldest: [OLDEST],
  updated_desc: [{ field: 'updated_ms', isDescending: true }, NEWEST],
  updated_asc: [{ field: 'updated_ms', isDescending: false }, OLDEST],
};

/** Maximum number of nodes sorted at once. A walk with a greater `limit` sorts the whole selection. */
export const SORTED_MAX = 1_000;
/**
 * If a part has more nodes than the wanted number multiplied by this factor, the walk remembers a bound. With the bound,
 * the next request sorts fewer nodes.
 */
const NARROWED_FROM = 4;

/**
 * The value to read for each node `i` is the expression `column`. The clauses `follow` come before the expression, and
 * may lead from `i` to other nodes.
 */
interface Reading {
  follow?: string;
  column: string;
}

interface WalkRequest {
  filter: MemoryFilter;
  order: ListOrder;
  limit: number;
}

export interface OrderedWalk {
  /** Reads the first nodes that pass the filter, in order. */
  first<Found>(request: WalkRequest, reading: Reading): Promise<Found[]>;
  /** Returns the ids of the first nodes that pass the filter, in order. */
  firstIds(request: WalkRequest): Promise<string[]>;
}

/**
 * If the filter sets the start of the range, the distance to the last node found is multiplied by this factor before it
 * is remembered. Otherwise it would often be too short for the next request, which has another start.
 */
const WIDENED = 4;

interface Wanted {
  filter: MemoryFilter;
  limit: number;
  reading: Reading;
}

/** @returns a walk that remembers the bounds that it found, because they are usually right for the next request */
export function createOrderedWalk(connection: Connection): OrderedWalk {
  const hints = createWalkHints();

  /**
   * Reads the wanted nodes of a part. If the part is too large to be sorted, narrows it by its first key. If too many
   * nodes have the same value of the first key, narrows these nodes by the next key.
   */
  const take = async <Found>(wanted: Wanted, part: Part): Promise<Found[]> => {
    const { filter, limit } = wanted;
    const [key, ...rest] = part.keys;
    if (!key || limit > SORTED_MAX) return sorted(connection, wanted, part);
    const walk = { part, range: rangeOf(key, filter), filter };
    const hint = hints.get(walk);
    const isNear = hint !== undefined && 'enough' in hint;
    if (isNear) {
      const { found, count } = await beginning<Found>(connection, wanted, upTo(part, key, hint.enough));
      if (count >= limit && count <= SORTED_MAX) return found;
    }
    if (isNear || !hint) {
      const { found, count, bound } = await beginning<Found>(connection, wanted, part);
      if (count > limit * NARROWED_FROM && bound !== null) hints.note(walk, { enough: widened(walk.range, bound) });
      if (count <= SORTED_MAX) return found;
    }
    const { found, behind } = await seek<Found>(wanted, key, walk);
    if (!behind) return found;
    const equals = between(part, key, behind);
    if (!(await hasSingleValue(connection, filter, equals, key.field))) return sorted(connection, wanted, part);
    const others = await take<Found>({ ...wanted, limit: limit - found.length }, { ...equals, keys: rest });
    return [...found, ...others];
  };

  /**
   * @returns all wanted nodes; or, if a group of equal nodes is too large, the nodes before the group and the bounds of
   * the group
   */
  const seek = async <Found>(wanted: Wanted, key: OrderKey, walk: Walk) => {
    const { part, range } = walk;
    let [tooFew, tooMany] = [range.start, range.end];
    let before: Found[] = [];
    const hint = hints.get(walk);
    const known = hint && 'tooFew' in hint ? [hint.tooFew, hint.tooMany] : [];
    const tried = known.filter(value => isWithin(range, value));
    while (Math.abs(tooFew - tooMany) > range.step) {
      const bound = tried.shift() ?? middleOf(range, tooFew, tooMany);
      const { found, count } = await beginning<Found>(connection, wanted, upTo(part, key, bound));
      if (count >= wanted.limit && count <= SORTED_MAX) {
        hints.note(walk, { enough: bound });
        return { found };
      }
      if (count > SORTED_MAX) tooMany = bound;
      else [tooFew, before] = [bound, found];
    }
    hints.note(walk, { tooFew, tooMany });
    return { found: before, behind: { tooFew, tooMany } };
  };

  const first = async <Found>({ filter, order, limit }: WalkRequest, reading: Reading) =>
    limit <= 0 ? [] : take<Found>({ filter, limit, reading }, { keys: ORDERS[order], conditions: [], bounds: {} });
  return { first, firstIds: async request => (await first<string>(request, { column: idIn('i') })).map(decodeText) };
}

/** Moves a bound away from the start if the filter sets the start. */
function widened({ start, startsAtFilter }: Range, bound: number): number {
  return startsAtFilter ? start + (bound - start) * WIDENED : bound;
}

/** The first nodes of a part, and the number of nodes in the part. Counting stops at SORTED_MAX + 1. */
interface Beginning<Found> {
  found: Found[];
  count: number;
  /** Value of the first key in the last node found. */
  bound: number | null;
}

const COUNTED = 'WITH i LIMIT $max WITH collect(i) AS all UNWIND all AS i WITH i, size(all) AS count';
const NOT_COUNTED = 'WITH i, 0 AS count';

async function beginning<Found>(
  connection: Connection,
  { filter, limit, reading }: Wanted,
  part: Part,
  counting = COUNTED,
): Promise<Beginning<Found>> {
  const { follow = '', column } = reading;
  const [key] = part.keys;
  const bound = key ? `${key.isDescending ? 'min' : 'max'}(i.${key.field})` : 'null';
  const { match, parameters } = selectionOf(filter, part.conditions);
  // The answer is one row, because a server may cut an answer off after some number of rows.
  const [row] = await connection.read<Beginning<Found>>(
    `${match} ${counting} ORDER BY ${orderBy(part.keys)} LIMIT $limit ${follow} RETURN count, ${bound} AS bound, collect(${column}) AS found`,
    { ...parameters, ...part.bounds, limit, max: SORTED_MAX + 1 },
  );
  return row ?? { found: [], count: 0, bound: null };
}

/** Reads the wanted number of nodes from a part that the server must sort as a whole. */
async function sorted<Found>(connection: Connection, wanted: Wanted, part: Part): Promise<Found[]> {
  return (await beginning<Found>(connection, wanted, part, NOT_COUNTED)).found;
}

/** Whether all nodes of a part have the same value in a field; false for an empty part. */
async function hasSingleValue(
  connection: Connection,
  filter: MemoryFilter,
  { conditions, bounds }: Part,
  field: OrderKey['field'],
): Promise<boolean> {
  const { match, parameters } = selectionOf(filter, conditions);
  const statement = `${match} WITH i LIMIT 1 RETURN i.${field} AS value`;
  const [row] = await connection.read<{ value: number }>(statement, { ...parameters, ...bounds });
  if (!row) return false;
  const others = await Promise.all(
    ['<', '>'].map(sign => {
      const selection = selectionOf(filter, [...conditions, `i.${field} ${sign} $value`]);
      const of = { ...selection.parameters, ...bounds, ...row, max: 1 };
      return connection.read<{ count: number }>(countStatement(selection), of);
    }),
  );
  return others.every(([other]) => other?.count === 0);
}

function upTo(part: Part, { field, isDescending }: OrderKey, bound: number): Part {
  const name = `${field}_bound`;
  const condition = `i.${field} ${isDescending ? '>=' : '<='} $${name}`;
  return { ...part, conditions: [...part.conditions, condition], bounds: { ...part.bounds, [name]: bound } };
}

/** Narrows a part to the nodes whose `field` has a value after `tooFew`, up to and including the value `tooMany`. */
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

/** Lists memories in a requested order, and counts memories by tag or by model. */
import { conditionsOf, isSetCondition, type MemoryFilter, type SetCondition } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { type Connection, GIVEN_ROWS, placeholders, type SqlValue } from '../database/connection.js';
import type { ListOrder } from '../ports/search-index.js';
import { filterClause, SET_ROWS } from './filter-clause.js';
import { fewRows } from './filtered-rows.js';
import { type MemoryRow, memoryOf } from './rows.js';

/** The orders of a list, each with its index. No index contains `id`, so SQLite sorts equal entries by `id` itself. */
const ORDERS: Record<ListOrder, { by: string; index: string }> = {
  importance: { by: 'importance DESC, timestamp_ms DESC, id', index: 'memories_by_importance' },
  newest: { by: 'timestamp_ms DESC, id', index: 'memories_by_timestamp' },
  oldest: { by: 'timestamp_ms, id', index: 'memories_by_timestamp' },
  updated_desc: { by: 'updated_ms DESC, timestamp_ms DESC, id', index: 'memories_by_update' },
  updated_asc: { by: 'updated_ms, timestamp_ms, id', index: 'memories_by_update' },
};

interface ListRequest {
  filter: MemoryFilter;
  order: ListOrder;
  limit: number;
}

/**
 * Lists ids of memories in one of three ways. The first way reads only the first memories of each tag. It is used if
 * the filter only asks for any of some tags, perhaps within a time window, and an index lists these memories in the
 * requested order. Otherwise, if few rows can pass the filter, the rows that pass are sorted. In all other cases, the
 * rows are read in the requested order until enough of them have passed the filter.
 */
export function list(connection: Connection, request: ListRequest): string[] {
  const { filter, order, limit } = request;
  const conditions = conditionsOf(filter);
  const source = tagWalks(request) ?? givenRows(fewRows(connection, conditions)) ?? walkOf(ORDERS[order].index);
  const { text, values } = filterClause(conditions);
  return connection
    .all<{ id: string }>(
      `SELECT id FROM ${source.text} WHERE ${text} ORDER BY ${ORDERS[order].by} LIMIT ?`,
      ...source.values,
      ...values,
      limit,
    )
    .map(({ id }) => id);
}

export function listByTags(
  connection: Connection,
  { keys, limit, offset }: { keys: readonly string[]; limit: number; offset: number },
): Memory[] {
  const request = { order: 'importance', limit: limit + offset, window: [] } as const;
  const { text, values } = readInOrder({ field: 'tag', values: keys }, request);
  return connection
    .all<MemoryRow>(
      `SELECT memories.* FROM ${text} ORDER BY ${ORDERS.importance.by} LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    )
    .map(memoryOf);
}

export function countByTags(connection: Connection, keys: readonly string[]): number {
  const statement = `SELECT count(DISTINCT memory) AS count FROM memory_tags
    WHERE key IN (${placeholders(keys)}) AND ${SET_ROWS.tag}`;
  return connection.get<{ count: number }>(statement, ...keys)?.count ?? 0;
}

/** A source of rows of `memories`, as the text that follows FROM. */
interface Source {
  text: string;
  values: SqlValue[];
}

function walkOf(index: string): Source {
  return { text: `memories INDEXED BY ${index}`, values: [] };
}

function givenRows(rows: readonly number[] | undefined): Source | undefined {
  return rows && { text: GIVEN_ROWS, values: [JSON.stringify(rows)] };
}

/** @returns undefined when a walk over tags cannot serve the filter in the requested order */
function tagWalks({ filter, order, limit }: ListRequest): Source | undefined {
  const [condition, created, ...more] = conditionsOf(filter);
  if (!condition || !isSetCondition(condition) || more.length > 0) return undefined;
  const { needs, values } = condition;
  if (values.length === 0 || values.length > KEYS_MAX || needs === 'none' || (needs === 'all' && values.length > 1))
    return undefined;
  if (!created) return isWalked(order) ? readInOrder(condition, { order, limit, window: [] }) : undefined;
  if (isSetCondition(created) || created.field !== 'createdMs' || order !== 'newest') return undefined;
  return readInOrder(condition, { order, limit, window: [created.least, created.most] });
}

/** Maximum number of keys. Each key takes up to two SELECTs, and a compound SELECT of SQLite has at most 500 terms. */
const KEYS_MAX = 200;

/** The orders in which an index lists the memories of a tag. */
type TagOrder = 'importance' | 'newest';

function isWalked(order: ListOrder): order is TagOrder {
  return order === 'importance' || order === 'newest';
}

/** Returns a source that reads only the first memories of each tag. */
function readInOrder(
  { field, values: keys }: Pick<SetCondition, 'field' | 'values'>,
  { order, limit, window }: { order: TagOrder; limit: number; window: readonly number[] },
): Source {
  const within = window.length > 0 ? 'AND tag.timestamp_ms BETWEEN ? AND ?' : '';
  const by = order === 'importance' ? 'tag.importance DESC, tag.timestamp_ms DESC' : 'tag.timestamp_ms DESC';
  const index = order === 'importance' ? 'INDEXED BY memory_tags_by_importance' : 'NOT INDEXED';
  const parts = keys.flatMap(key =>
    // Read whole tags and prefixes separately, because the index by importance stores them separately.
    (field === 'tag' ? [1] : [0, 1]).map(isWhole => ({
      text: `SELECT * FROM (
        SELECT memories.row AS given FROM memory_tags AS tag ${index} CROSS JOIN memories ON memories.row = tag.memory
        WHERE tag.key = ? AND tag.is_whole = ? ${within} ORDER BY ${by}, memories.id LIMIT ?
      )`,
      values: [key, isWhole, ...window, limit],
    })),
  );
  return {
    text: `(${parts.map(({ text }) => text).join(' UNION ')}) CROSS JOIN memories ON memories.row = given`,
    values: parts.flatMap(({ values }) => values),
  };
}

export function countEmbedded(connection: Connection, models?: readonly string[]): number {
  const condition = models ? `IN (${placeholders(models)})` : 'IS NOT NULL';
  const statement = `SELECT count(*) AS count FROM memories WHERE embedded_by ${condition}`;
  return connection.get<{ count: number }>(statement, ...(models ?? []))?.count ?? 0;
}

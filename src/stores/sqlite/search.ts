/** Finding memories by tag and by order, and counting them. */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { ListOrder } from '../graph-store.js';
import { type Connection, GIVEN_ROWS, placeholders, type SqlValue } from './connection.js';
import { filterClause } from './filter-clause.js';
import { filteredRows } from './filtered-rows.js';
import { type MemoryRow, memoryOf } from './rows.js';

/** The index holds the order, but for ids of the same instant. */
const ORDERS: Record<ListOrder, { by: string; index: string }> = {
  importance: { by: 'importance DESC, timestamp_ms DESC, id', index: 'memories_by_importance' },
  newest: { by: 'timestamp_ms DESC, id', index: 'memories_by_timestamp' },
  updated_desc: { by: 'updated_ms DESC, timestamp_ms DESC, id', index: 'memories_by_update' },
  updated_asc: { by: 'updated_ms, timestamp_ms, id', index: 'memories_by_update' },
};

interface ListRequest {
  filter: MemoryFilter;
  order: ListOrder;
  limit: number;
}

/** Sorts what the filter leaves when that is little; otherwise walks the order until enough has passed. */
export function list(connection: Connection, request: ListRequest): string[] {
  const { filter, order, limit } = request;
  const { by, index } = ORDERS[order];
  const { text, values } = filterClause(filter);
  const select = (from: string, ...more: SqlValue[]) =>
    connection.all<{ id: string }>(
      `SELECT id FROM ${from} WHERE ${text} ORDER BY ${by} LIMIT ?`,
      ...more,
      ...values,
      limit,
    );
  const left = filteredRows(connection, filter);
  const rows = left?.isAll ? select(GIVEN_ROWS, JSON.stringify(left.rows)) : select(`memories INDEXED BY ${index}`);
  return rows.map(({ id }) => id);
}

export function listByTags(
  connection: Connection,
  { keys, limit, offset }: { keys: readonly string[]; limit: number; offset: number },
): Memory[] {
  // Each tag is read in order only as far as the page reaches.
  const parts = keys.map(
    () => `SELECT * FROM (
      SELECT memories.row AS found FROM memory_tags AS tag CROSS JOIN memories ON memories.row = tag.memory
      WHERE tag.key = ? AND tag.is_whole = 1
      ORDER BY tag.importance DESC, tag.timestamp_ms DESC, memories.id LIMIT ?
    )`,
  );
  return connection
    .all<MemoryRow>(
      `SELECT * FROM memories WHERE row IN (${parts.join(' UNION ')}) ORDER BY ${ORDERS.importance.by} LIMIT ? OFFSET ?`,
      ...keys.flatMap(key => [key, limit + offset]),
      limit,
      offset,
    )
    .map(memoryOf);
}

export function countMemories(connection: Connection): number {
  return connection.get<{ count: number }>('SELECT count(*) AS count FROM memories')?.count ?? 0;
}

export function countEmbedded(connection: Connection, models?: readonly string[]): number {
  const condition = models ? `IN (${placeholders(models)})` : 'IS NOT NULL';
  const statement = `SELECT count(*) AS count FROM memories WHERE embedded_by ${condition}`;
  return connection.get<{ count: number }>(statement, ...(models ?? []))?.count ?? 0;
}

/** Finding memories by tag and by order, and counting them. */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { ListOrder } from '../graph-store.js';
import type { Connection } from './connection.js';
import { filterClause } from './filter-clause.js';
import { type MemoryRow, memoryOf } from './rows.js';

const ORDER_BY: Record<ListOrder, string> = {
  importance: 'importance DESC, timestamp_ms DESC, id',
  updated_desc: 'updated_ms DESC, timestamp_ms DESC, id',
  updated_asc: 'updated_ms, timestamp_ms, id',
};

export function list(
  connection: Connection,
  request: { filter: MemoryFilter; order: ListOrder; limit: number },
): string[] {
  const { text, values } = filterClause(request.filter);
  const statement = `SELECT id FROM memories WHERE ${text} ORDER BY ${ORDER_BY[request.order]} LIMIT ?`;
  return connection.all<{ id: string }>(statement, ...values, request.limit).map(({ id }) => id);
}

export function listByTags(
  connection: Connection,
  { keys, limit, offset }: { keys: readonly string[]; limit: number; offset: number },
): Memory[] {
  const { text, values } = filterClause({ tags: { keys, mode: 'any', match: 'exact' } });
  const statement = `SELECT * FROM memories WHERE ${text} ORDER BY ${ORDER_BY.importance} LIMIT ? OFFSET ?`;
  return connection.all<MemoryRow>(statement, ...values, limit, offset).map(memoryOf);
}

export function countMemories(connection: Connection): number {
  return connection.get<{ count: number }>('SELECT count(*) AS count FROM memories')?.count ?? 0;
}

export function countEmbedded(connection: Connection): number {
  const statement = 'SELECT count(*) AS count FROM memories WHERE embedded_by IS NOT NULL';
  return connection.get<{ count: number }>(statement)?.count ?? 0;
}

/**
 * A filter read from its own side: the rows it leaves, taken from the index of its most selective part. A search or a
 * listing that starts here costs what the filter leaves, however many memories there are.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Connection, SqlValue } from './connection.js';

export interface FilteredRows {
  /** Every row that passes the filter is among them when `isAll`, else a part of those; some may not pass. */
  rows: number[];
  isAll: boolean;
}

interface Source {
  text: string;
  values: SqlValue[];
}

/** Index entries read from each part of the filter. */
const ROWS_MAX = 3_000;

/** The rows a filter leaves when one of its parts shows that they are few; else undefined. */
export function fewRows(connection: Connection, filter: MemoryFilter): number[] | undefined {
  const sources = sourcesOf(filter).map(source => ({ source, count: countOf(connection, source) }));
  const [smallest] = sources.toSorted((a, b) => a.count - b.count);
  return smallest && smallest.count <= ROWS_MAX ? rowsOf(connection, smallest.source) : undefined;
}

/** @returns undefined when no part of the filter can be read by itself */
export function filteredRows(connection: Connection, filter: MemoryFilter): FilteredRows | undefined {
  const few = fewRows(connection, filter);
  if (few) return { rows: few, isAll: true };
  const sources = sourcesOf(filter);
  if (sources.length === 0) return undefined;
  return { rows: [...new Set(sources.flatMap(source => rowsOf(connection, source)))], isAll: false };
}

function countOf(connection: Connection, { text, values }: Source): number {
  const statement = `SELECT count(*) AS count FROM (SELECT 1 FROM (${text}) LIMIT ?)`;
  return connection.get<{ count: number }>(statement, ...values, ROWS_MAX + 1)?.count ?? 0;
}

function rowsOf(connection: Connection, { text, values }: Source): number[] {
  const statement = `SELECT row FROM (${text}) LIMIT ?`;
  return connection.all<{ row: number }>(statement, ...values, ROWS_MAX).map(({ row }) => row);
}

/** For each part of the filter the rows that it leaves, newest first where an index has that order. */
function sourcesOf(filter: MemoryFilter): Source[] {
  const { tags, validAtMs } = filter;
  const window = windowOf(filter);
  const sources: Source[] = [];
  const groups = tags?.mode === 'all' ? tags.keys.map(key => [key]) : tags ? [tags.keys] : [];
  for (const keys of groups) {
    sources.push(unionOf(keys.map(key => taggedWithin(key, window))));
    if (tags?.match === 'exact') sources.push(unionOf(keys.map(taggedExactly)));
  }
  if (filter.fromMs !== undefined || filter.toMs !== undefined) {
    const text = 'SELECT row FROM memories WHERE timestamp_ms BETWEEN ? AND ? ORDER BY timestamp_ms DESC';
    sources.push({ text, values: window });
  }
  if (validAtMs !== undefined) sources.push(validAt(validAtMs));
  return sources;
}

function windowOf({ fromMs, toMs }: MemoryFilter): [fromMs: number, toMs: number] {
  return [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER];
}

function taggedWithin(key: string, window: [number, number]): Source {
  const text = `SELECT memory AS row FROM memory_tags WHERE key = ? AND timestamp_ms BETWEEN ? AND ?
    ORDER BY timestamp_ms DESC`;
  return { text, values: [key, ...window] };
}

function taggedExactly(key: string): Source {
  return { text: 'SELECT memory AS row FROM memory_tags WHERE key = ? AND is_whole = 1', values: [key] };
}

/** The three ways to be valid, each of them one range of the index. */
function validAt(instantMs: number): Source {
  const open = 'SELECT row FROM memories WHERE archived = 0 AND valid_to_ms IS NULL AND valid_from_ms';
  const text = `${open} IS NULL UNION ALL ${open} <= ? UNION ALL
    SELECT row FROM memories WHERE archived = 0 AND valid_to_ms > ? AND ifnull(valid_from_ms <= ?, TRUE)`;
  return { text, values: [instantMs, instantMs, instantMs] };
}

/** Every part is bounded by itself: SQLite would otherwise sort all of them before it takes the first. */
function unionOf(parts: readonly Source[]): Source {
  return {
    text: parts.map(({ text }) => `SELECT * FROM (${text} LIMIT ${ROWS_MAX + 1})`).join(' UNION '),
    values: parts.flatMap(({ values }) => values),
  };
}

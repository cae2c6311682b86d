/**
 * A filter read from its own side: the rows it leaves, taken from the index of its most selective part. A search or a
 * listing that starts here costs what the filter leaves, however many memories there are.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Connection, SqlValue } from '../database/connection.js';
import { keyToken } from './record-indexes.js';
import { countMemories, rowsWithout } from './tag-blocks.js';
import { termFrequencies } from './term-frequencies.js';

export interface FilteredRows {
  /** Every row that passes the filter is among them when `isAll`, else a part of those; some may not pass. */
  rows: number[];
  isAll: boolean;
}

/** One part of a filter. */
interface Source {
  /** How many rows it leaves, counted no further than one beyond `max`. */
  count: number;
  /** How many rows it may give. */
  max: number;
  rows(): number[];
}

/** Index entries read from each part of the filter. */
const ROWS_MAX = 3_000;
/** Rows without a tag are found at a higher price each. */
const ROWS_WITHOUT_MAX = 500;

/** The rows a filter leaves when one of its parts shows that they are few; else undefined. */
export function fewRows(connection: Connection, filter: MemoryFilter): number[] | undefined {
  return smallestOf(sourcesOf(connection, filter))?.rows();
}

/** @returns undefined when no part of the filter can be read by itself */
export function filteredRows(connection: Connection, filter: MemoryFilter): FilteredRows | undefined {
  const sources = sourcesOf(connection, filter);
  const smallest = smallestOf(sources);
  if (smallest) return { rows: smallest.rows(), isAll: true };
  if (sources.length === 0) return undefined;
  return { rows: [...new Set(sources.flatMap(source => source.rows()))], isAll: false };
}

/** The excluded tag that most memories have, when more than half do: what lacks it is then worth reading by itself. */
export function prevailingExclusion(connection: Connection, filter: MemoryFilter): ExcludedTag | undefined {
  const { excludedTagKeys = [] } = filter;
  if (excludedTagKeys.length === 0) return undefined;
  const memoryCount = countMemories(connection);
  const frequencies = termFrequencies(
    connection,
    excludedTagKeys.map(key => keyToken(key, 'prefix')),
  );
  const excluded = excludedTagKeys.map(key => {
    return { key, lackedBy: memoryCount - (frequencies.get(keyToken(key, 'prefix')) ?? 0) };
  });
  const [prevailing] = excluded.sort((a, b) => a.lackedBy - b.lackedBy);
  return prevailing && prevailing.lackedBy * 2 < memoryCount ? prevailing : undefined;
}

export interface ExcludedTag {
  key: string;
  /** How many memories do not have it. */
  lackedBy: number;
}

/** The one that leaves least, when it gives all it leaves. */
function smallestOf(sources: readonly Source[]): Source | undefined {
  const [smallest] = sources.filter(({ count, max }) => count <= max).sort((a, b) => a.count - b.count);
  return smallest;
}

/** For each part of the filter the rows that it leaves, newest first where an index has that order. */
function sourcesOf(connection: Connection, filter: MemoryFilter): Source[] {
  const parts = rangesOf(filter).map(range => fromRange(connection, range));
  const prevailing = prevailingExclusion(connection, filter);
  if (!prevailing) return parts;
  const rows = () => rowsWithout(connection, prevailing.key, ROWS_WITHOUT_MAX);
  return [...parts, { count: prevailing.lackedBy, max: ROWS_WITHOUT_MAX, rows }];
}

function fromRange(connection: Connection, { text, values }: Range): Source {
  const counting = `SELECT count(*) AS count FROM (SELECT 1 FROM (${text}) LIMIT ?)`;
  const reading = `SELECT row FROM (${text}) LIMIT ?`;
  return {
    count: connection.get<{ count: number }>(counting, ...values, ROWS_MAX + 1)?.count ?? 0,
    max: ROWS_MAX,
    rows: () => connection.all<{ row: number }>(reading, ...values, ROWS_MAX).map(({ row }) => row),
  };
}

/** A statement that reads rows by an index. */
interface Range {
  text: string;
  values: SqlValue[];
}

function rangesOf(filter: MemoryFilter): Range[] {
  const { tags, validAtMs } = filter;
  const window = windowOf(filter);
  const ranges: Range[] = [];
  const given = tags?.mode === 'all' ? tags.keys.map(key => [key]) : tags ? [tags.keys] : [];
  const groups = given.filter(keys => keys.length > 0);
  for (const keys of groups) {
    ranges.push(unionOf(keys.map(key => taggedWithin(key, window))));
    if (tags?.match === 'exact') ranges.push(unionOf(keys.map(taggedExactly)));
  }
  if (filter.fromMs !== undefined || filter.toMs !== undefined) {
    const text = 'SELECT row FROM memories WHERE timestamp_ms BETWEEN ? AND ? ORDER BY timestamp_ms DESC';
    ranges.push({ text, values: window });
  }
  if (validAtMs !== undefined) ranges.push(validAt(validAtMs));
  return ranges;
}

function windowOf({ fromMs, toMs }: MemoryFilter): [fromMs: number, toMs: number] {
  return [fromMs ?? Number.MIN_SAFE_INTEGER, toMs ?? Number.MAX_SAFE_INTEGER];
}

function taggedWithin(key: string, window: [number, number]): Range {
  const text = `SELECT memory AS row FROM memory_tags WHERE key = ? AND timestamp_ms BETWEEN ? AND ?
    ORDER BY timestamp_ms DESC`;
  return { text, values: [key, ...window] };
}

function taggedExactly(key: string): Range {
  return { text: 'SELECT memory AS row FROM memory_tags WHERE key = ? AND is_whole = 1', values: [key] };
}

/** The three ways to be valid, each of them one range of the index. */
function validAt(instantMs: number): Range {
  const open = 'SELECT row FROM memories WHERE archived = 0 AND valid_to_ms IS NULL AND valid_from_ms';
  const text = `${open} IS NULL UNION ALL ${open} <= ? UNION ALL
    SELECT row FROM memories WHERE archived = 0 AND valid_to_ms > ? AND ifnull(valid_from_ms <= ?, TRUE)`;
  return { text, values: [instantMs, instantMs, instantMs] };
}

/** Every part is bounded by itself: SQLite would otherwise sort all of them before it takes the first. */
function unionOf(parts: readonly Range[]): Range {
  return {
    text: parts.map(({ text }) => `SELECT * FROM (${text} LIMIT ${ROWS_MAX + 1})`).join(' UNION '),
    values: parts.flatMap(({ values }) => values),
  };
}

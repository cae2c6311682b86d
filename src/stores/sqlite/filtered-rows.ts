/**
 * Finds the rows that pass a filter by reading the index of its most selective condition. The cost depends on the
 * number of rows that meet this condition, not on the number of memories.
 */
import {
  type Condition,
  isSetCondition,
  type NumberCondition,
  type NumberField,
  type SetCondition,
  setToken,
  UNBOUNDED_MS,
} from '../../domain/filter.js';
import type { Connection, SqlValue } from '../database/connection.js';
import { NUMBER_COLUMNS, SET_ROWS } from './filter-clause.js';
import { countMemories, rowsWithout } from './tags.js';
import { termFrequencies } from './words.js';

/** The rows for one condition. */
interface Source {
  /** Number of rows that meet the condition; counting stops just above `max`. */
  count: number;
  /** Maximum number of rows to read. */
  max: number;
  rows(): number[];
}

/** Maximum number of rows to read for each condition. */
const ROWS_MAX = 3_000;
/**
 * A condition with more tags than this is not read from the index of tags. Such a condition is not selective, each tag takes
 * up to two SELECTs, and a compound SELECT of SQLite has at most 500 terms.
 */
export const KEYS_MAX = 200;
/** Maximum number of rows to read for an excluded tag. A row without a tag costs more to find than a row with a tag. */
const ROWS_WITHOUT_MAX = 500;
/** Fields with an index. Most memories are valid from the beginning, so `validFromMs` would exclude almost nothing. */
const INDEXED_NUMBERS: ReadonlySet<NumberField> = new Set(['createdMs', 'validUntilMs']);

/**
 * Returns the rows that meet the most selective condition. A condition that more than `rowsMax` rows meet is not selective;
 * for an excluded tag the maximum is `ROWS_WITHOUT_MAX`.
 *
 * @returns undefined when no condition is selective
 */
export function selectiveRows(
  connection: Connection,
  conditions: readonly Condition[],
  rowsMax = ROWS_MAX,
): number[] | undefined {
  return smallestOf(sourcesOf(connection, conditions, rowsMax))?.rows();
}

/**
 * Returns the rows of the most selective condition, or else some rows for each condition, of which the newest come first
 * where an index has that order. Without any such condition, returns the rows that were stored last.
 *
 * @param rowsMax maximum number of rows for each condition
 */
export function newestRows(connection: Connection, conditions: readonly Condition[], rowsMax: number): number[] {
  const sources = sourcesOf(connection, conditions, rowsMax);
  const smallest = smallestOf(sources);
  if (smallest) return smallest.rows();
  if (sources.length > 0) return [...new Set(sources.flatMap(source => source.rows()))];
  return rowsIn(connection, 'SELECT row FROM memories ORDER BY row DESC LIMIT ?', rowsMax);
}

/**
 * Returns the most frequent excluded tag, if more than half of all memories have it. For such a tag, reading the rows
 * without the tag is cheaper than skipping the rows with the tag.
 */
export function prevailingExclusion(connection: Connection, conditions: readonly Condition[]): ExcludedTag | undefined {
  const keys = conditions.flatMap(condition =>
    isSetCondition(condition) && condition.field === 'tagPrefix' && condition.needs === 'none' ? condition.values : [],
  );
  if (keys.length === 0) return undefined;
  const memoryCount = countMemories(connection);
  const tokens = new Map(keys.map(key => [key, setToken('tagPrefix', key)]));
  const frequencies = termFrequencies(connection, [...tokens.values()]);
  const excluded = [...tokens].map(([key, token]) => ({
    key,
    countWithout: memoryCount - (frequencies.get(token) ?? 0),
  }));
  const [prevailing] = excluded.sort((a, b) => a.countWithout - b.countWithout);
  return prevailing && prevailing.countWithout * 2 < memoryCount ? prevailing : undefined;
}

export interface ExcludedTag {
  key: string;
  /** Number of memories without the tag. */
  countWithout: number;
}

/** Returns the source with the fewest rows, among the sources that can return all their rows. */
function smallestOf(sources: readonly Source[]): Source | undefined {
  const [smallest] = sources.filter(({ count, max }) => count <= max).sort((a, b) => a.count - b.count);
  return smallest;
}

/**
 * Returns sources for those conditions that can be read from an index. A source reads the rows that meet its condition,
 * newest first if the index has that order.
 */
function sourcesOf(connection: Connection, conditions: readonly Condition[], rowsMax: number): Source[] {
  const sources = rangesOf(conditions).map(range => fromRange(connection, range, rowsMax));
  const prevailing = prevailingExclusion(connection, conditions);
  if (!prevailing) return sources;
  const rows = () => rowsWithout(connection, prevailing.key, ROWS_WITHOUT_MAX);
  return [...sources, { count: prevailing.countWithout, max: ROWS_WITHOUT_MAX, rows }];
}

function fromRange(connection: Connection, { text, values }: Range, rowsMax: number): Source {
  const counting = `SELECT count(*) AS count FROM (SELECT 1 FROM (${text}) LIMIT ?)`;
  const reading = `SELECT row FROM (${text}) LIMIT ?`;
  return {
    count: connection.get<{ count: number }>(counting, ...values, rowsMax + 1)?.count ?? 0,
    max: rowsMax,
    rows: () => rowsIn(connection, reading, ...values, rowsMax),
  };
}

/** A statement that reads rows through an index. */
interface Range {
  text: string;
  values: SqlValue[];
}

function rangesOf(conditions: readonly Condition[]): Range[] {
  const numbers = conditions.filter(condition => !isSetCondition(condition));
  const created = numbers.find(({ field }) => field === 'createdMs');
  return [
    ...conditions.filter(isSetCondition).flatMap(condition => taggedRanges(condition, created)),
    ...numbers.filter(({ field }) => INDEXED_NUMBERS.has(field)).map(numberRange),
  ];
}

function numberRange({ field, least, most }: NumberCondition): Range {
  const column = NUMBER_COLUMNS[field];
  return {
    text: `SELECT row FROM memories WHERE ${column} BETWEEN ? AND ? ORDER BY ${column} DESC`,
    values: [least, most],
  };
}

/** @param created a condition on the creation time, which is also part of the index of tags */
function taggedRanges({ field, needs, values }: SetCondition, created: NumberCondition | undefined): Range[] {
  if (needs === 'none' || values.length === 0) return [];
  if (needs === 'any' && values.length > KEYS_MAX) return [];
  const groups = needs === 'all' ? values.map(value => [value]) : [values];
  return groups.flatMap(keys => [
    unionOf(keys.map(key => taggedWithin(key, created))),
    ...(field === 'tag' ? [unionOf(keys.map(taggedExactly))] : []),
  ]);
}

function taggedWithin(key: string, created: NumberCondition | undefined): Range {
  const text = `SELECT memory AS row FROM memory_tags WHERE key = ? AND timestamp_ms BETWEEN ? AND ?
    ORDER BY timestamp_ms DESC`;
  return { text, values: [key, created?.least ?? -UNBOUNDED_MS, created?.most ?? UNBOUNDED_MS] };
}

function taggedExactly(key: string): Range {
  return { text: `SELECT memory AS row FROM memory_tags WHERE key = ? AND ${SET_ROWS.tag}`, values: [key] };
}

/**
 * Joins ranges into one. Each part has its own limit, because SQLite would otherwise sort all rows before it returns
 * the first row.
 */
function unionOf(parts: readonly Range[]): Range {
  return {
    text: parts.map(({ text }) => `SELECT * FROM (${text} LIMIT ${ROWS_MAX + 1})`).join(' UNION '),
    values: parts.flatMap(({ values }) => values),
  };
}

function rowsIn(connection: Connection, statement: string, ...values: SqlValue[]): number[] {
  return connection.all<{ row: number }>(statement, ...values).map(({ row }) => row);
}

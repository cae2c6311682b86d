/**
 * Ranks rows by the words that they contain. The index lists the rows of a word quickly. This module sums the weights
 * in a hash table, which takes a fraction of the time of grouping and sorting in SQL.
 */
import type { Connection } from '../database/connection.js';
import type { RowRange } from './row-range.js';

/** The rows of one word. */
export interface Postings {
  /** Row numbers, highest first. */
  rows: readonly number[];
  /** Weight that the word adds to the score of each row. */
  weight: number;
}

export interface RankedRow {
  row: number;
  score: number;
}

/**
 * The statement returns the row numbers as one text, because a result with many rows is slower. It casts the bounds,
 * because the driver passes every number as REAL, and the index would then read all rows.
 */
const READ = `SELECT (SELECT json_group_array(hit) FROM (
  SELECT rowid AS hit FROM memory_text
  WHERE memory_text MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
  ORDER BY rowid DESC LIMIT ?
)) AS hits`;

/**
 * Returns the rows of the range that match an expression of the full-text index, highest row first.
 *
 * @param most maximum number of rows to read
 */
export function readPostings(
  connection: Connection,
  expression: string,
  { first, last, most }: RowRange & { most: number },
): number[] {
  const hits = connection.get<{ hits: string }>(READ, expression, first, last, most)?.hits;
  return JSON.parse(hits ?? '[]') as number[];
}

/**
 * Sums the weights of the matching words for every row. Returns the best rows first, and of rows with equal scores the
 * highest row number first.
 *
 * @param most maximum number of rows to return
 */
export function rankPostings(lists: readonly Postings[], most = Number.POSITIVE_INFINITY): RankedRow[] {
  const scores = new Map<number, number>();
  for (const { rows, weight } of lists) for (const row of rows) scores.set(row, (scores.get(row) ?? 0) + weight);
  const least = most < scores.size ? leastOfBest([...scores.values()], most) : Number.NEGATIVE_INFINITY;
  const best: RankedRow[] = [];
  for (const [row, score] of scores) if (score >= least) best.push({ row, score });
  return best.sort((a, b) => b.score - a.score || b.row - a.row).slice(0, most);
}

/** Returns the lowest of the `most` best scores. Without it, all rows would be sorted. */
function leastOfBest(scores: readonly number[], most: number): number {
  return Float64Array.from(scores).sort()[scores.length - most] as number;
}

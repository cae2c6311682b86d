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
const READ = `SELECT (SELECT group_concat(hit) FROM (
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
  const hits = connection.get<{ hits: string | null }>(READ, expression, first, last, most)?.hits;
  return hits ? numbersIn(hits) : [];
}

const ZERO = 48;
const COMMA = 44;

/** Parses whole numbers between commas, several times as fast as splitting the text. */
function numbersIn(text: string): number[] {
  const found: number[] = [];
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === COMMA) {
      found.push(value);
      value = 0;
    } else value = value * 10 + code - ZERO;
  }
  found.push(value);
  return found;
}

/**
 * Sums the weights of the matching words for every row. Returns the best rows first, and of rows with equal scores the
 * highest row number first.
 *
 * @param most maximum number of rows to return
 */
export function rankPostings(lists: readonly Postings[], most = Number.POSITIVE_INFINITY): RankedRow[] {
  const { rows, scores } = sumByRow(lists);
  const least = most < rows.length ? leastOfBest(scores, most) : Number.NEGATIVE_INFINITY;
  const best: RankedRow[] = [];
  const equal: number[] = [];
  for (let index = 0; index < rows.length; index++) {
    const [row, score] = [rows[index] as number, scores[index] as number];
    if (score > least) best.push({ row, score });
    else if (score === least) equal.push(row);
  }
  best.sort((a, b) => b.score - a.score || b.row - a.row);
  const missing = Math.min(most, rows.length) - best.length;
  const last = Float64Array.from(equal)
    .sort()
    .subarray(equal.length - missing)
    .reverse();
  for (const row of last) best.push({ row, score: least });
  return best;
}

/** Returns the lowest of the `most` best scores. */
function leastOfBest(scores: readonly number[], most: number): number {
  return new Float64Array(scores).sort()[scores.length - most] as number;
}

const FREE = -1;
/** Multiplier for Fibonacci hashing (Knuth, "The Art of Computer Programming", volume 3, 6.4). */
const GOLDEN = 2_654_435_761;

/**
 * Sums the weights by row in a hash table with open addressing, because few rows of the store occur in the lists, and
 * each of these rows occurs a few times.
 */
function sumByRow(lists: readonly Postings[]): { rows: number[]; scores: number[] } {
  const count = lists.reduce((sum, { rows }) => sum + rows.length, 0);
  const bits = Math.max(4, Math.ceil(Math.log2(count + 1)) + 1);
  const places = new Int32Array(2 ** bits).fill(FREE);
  const last = places.length - 1;
  const rows: number[] = [];
  const scores: number[] = [];
  for (const list of lists) {
    const { weight } = list;
    for (const row of list.rows) {
      let slot = Math.imul(row, GOLDEN) >>> (32 - bits);
      while (places[slot] !== FREE && rows[places[slot] as number] !== row) slot = (slot + 1) & last;
      const place = places[slot] as number;
      if (place === FREE) {
        places[slot] = rows.push(row) - 1;
        scores.push(weight);
      } else (scores[place] as number) += weight;
    }
  }
  return { rows, scores };
}

/** Finds full-text candidates (`stores/text-plan.ts` says how). Each word has a list of rows in the index of words. */
import { type Condition, conditionsOf, isSetCondition, type SetCondition, setToken } from '../../domain/filter.js';
import { type Connection, GIVEN_ROWS } from '../database/connection.js';
import type { TextAnswer, TextHit, TextSearch } from '../ports/search-index.js';
import { ENTRIES_MAX, findByWords, type Ranking, type WeightedTerm, type WordCounts } from '../text-plan.js';
import { filterClause, NUMBER_COLUMNS, termExpression } from './filter-clause.js';
import { newestRows, prevailingExclusion, selectiveRows } from './filtered-rows.js';
import { countMemories } from './tags.js';
import { termFrequencies } from './words.js';

/** Maximum number of rows whose words are read one by one, where the index of words would find too few. */
const ROWS_MAX = 500;
/** Maximum number of memories of a time window whose rows bound the search of the index. */
const WINDOW_MAX = 10_000;
/**
 * A filter that at most one in this many memories passes is selective. Its rows are read first, because most entries of
 * the index would be read in vain.
 */
const SELECTIVE_RATIO = 4;
/** Maximum number of words by which rows are ranked one by one. SQLite refuses sums of more than a thousand terms. */
const TERMS_MAX = 500;
/** Number of rows that one statement checks against the filter. */
const ROWS_PER_CHECK = 200;

interface Search extends TextSearch {
  connection: Connection;
  memoryCount: number;
  conditions: readonly Condition[];
  /** Conditions that the index of words evaluates. */
  inIndex: readonly SetCondition[];
  /** Conditions that are checked for each row. */
  besideIndex: readonly Condition[];
  range: RowRange;
}

/** All rows that can pass the filter are between these two, which are included. */
interface RowRange {
  first: number;
  last: number;
}

export function searchText(connection: Connection, request: TextSearch): Promise<TextAnswer> {
  const conditions = conditionsOf(request.filter);
  const memoryCount = countMemories(connection);
  const range = rangeOfWindow(connection, conditions);
  const search = { ...request, connection, memoryCount, conditions, range, ...splitConditions(connection, conditions) };
  return findByWords<TextHit>(
    {
      // Of a frequent word, only the newest entries are read.
      entriesOfOneMax: Number.POSITIVE_INFINITY,
      count: async (terms, scope): Promise<WordCounts> => {
        const tokens = scope.map(([field, value]) => setToken(field, value));
        const found = termFrequencies(connection, [...terms, ...tokens]);
        const frequencies = new Map(terms.map(term => [term, found.get(term) ?? 0]));
        return {
          statistics: { memoryCount, frequencies },
          countOf: (field, value) => found.get(setToken(field, value)) ?? 0,
          searchedMax: range.last - range.first + 1,
        };
      },
      rankMatches: async (terms, all) => rankMatches(search, terms, all),
      rankNewest: async all => rankRows(search, all, newestRows(connection, conditions, ROWS_MAX)),
      inOrder: (a, b) => b.score - a.score,
    },
    request,
  );
}

/**
 * Decides which conditions the index evaluates. The index skips memories with an excluded tag one entry at a time. This
 * is slow for a tag that most memories have, so the search itself checks such a tag for each row.
 */
function splitConditions(
  connection: Connection,
  conditions: readonly Condition[],
): Pick<Search, 'inIndex' | 'besideIndex'> {
  const prevailing = prevailingExclusion(connection, conditions)?.key;
  const isBeside = (needs: SetCondition['needs'], value: string) => needs === 'none' && value === prevailing;
  const sets = conditions.filter(isSetCondition);
  const part = (isWanted: (needs: SetCondition['needs'], value: string) => boolean) =>
    sets.flatMap(condition => {
      const values = condition.values.filter(value => isWanted(condition.needs, value));
      return values.length > 0 ? [{ ...condition, values }] : [];
    });
  return {
    inIndex: part((needs, value) => !isBeside(needs, value)),
    besideIndex: [...part(isBeside), ...conditions.filter(condition => !isSetCondition(condition))],
  };
}

/** Most memories are stored in the order of their times, so the rows of a time window are close together. */
function rangeOfWindow(connection: Connection, conditions: readonly Condition[]): RowRange {
  const everyRow = { first: 1, last: Number.MAX_SAFE_INTEGER };
  const window = conditions.find(condition => !isSetCondition(condition) && condition.field === 'createdMs');
  if (!window || isSetCondition(window)) return everyRow;
  const found = connection.get<RowRange & { count: number }>(
    `SELECT min(row) AS first, max(row) AS last, count(*) AS count FROM (
       SELECT row FROM memories WHERE ${NUMBER_COLUMNS.createdMs} BETWEEN ? AND ? LIMIT ${WINDOW_MAX + 1}
     )`,
    window.least,
    window.most,
  );
  return found && found.count > 0 && found.count <= WINDOW_MAX ? found : everyRow;
}

function rankMatches(search: Search, terms: readonly WeightedTerm[], all: readonly WeightedTerm[]): Ranking<TextHit> {
  const { connection, besideIndex, limit, memoryCount } = search;
  const few = selectiveRows(connection, besideIndex, Math.min(ROWS_MAX, Math.floor(memoryCount / SELECTIVE_RATIO)));
  if (few) return { hits: rankRows(search, all, few), isComplete: true };
  const hits: TextHit[] = [];
  for (const part of partsByScore(search, terms)) {
    hits.push(...passingOf(search, part));
    if (hits.length >= limit) break;
  }
  return { hits: hits.slice(0, limit) };
}

interface RankedRow {
  row: number;
  score: number;
}

/**
 * Returns the rows in which the terms occur, in parts of `ROWS_PER_CHECK`. The best come first, and of equal ones the
 * last stored.
 */
function* partsByScore({ connection, inIndex, range }: Search, terms: readonly WeightedTerm[]): Generator<RankedRow[]> {
  const scores = new Map<number, number>();
  for (const { term, weight } of terms) {
    const rows = rowsWith(connection, termExpression(term, inIndex), range);
    for (const row of rows) scores.set(row, (scores.get(row) ?? 0) + weight);
  }
  // Sorting the few different scores takes less time than sorting all rows, of which usually only the first are wanted.
  const rowsOf = new Map<number, number[]>();
  for (const [row, score] of scores) {
    const rows = rowsOf.get(score);
    if (rows) rows.push(row);
    else rowsOf.set(score, [row]);
  }
  let part: RankedRow[] = [];
  for (const score of [...rowsOf.keys()].sort((a, b) => b - a)) {
    for (const row of (rowsOf.get(score) ?? []).sort((a, b) => b - a)) {
      part.push({ row, score });
      if (part.length < ROWS_PER_CHECK) continue;
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}

/** Returns the rows of the range that match an expression of the index, the last stored first. */
function rowsWith(connection: Connection, expression: string, { first, last }: RowRange): number[] {
  // The rows are returned as one text, because the driver takes longer to return many rows. The bounds are cast, because
  // the driver passes every number as REAL, and the index would then read all rows.
  const statement = `SELECT (SELECT json_group_array(hit) FROM (
    SELECT rowid AS hit FROM memory_text
    WHERE memory_text MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
    ORDER BY rowid DESC LIMIT ${ENTRIES_MAX}
  )) AS hits`;
  return JSON.parse(connection.get<{ hits: string }>(statement, expression, first, last)?.hits ?? '[]') as number[];
}

/** Returns those rows, in their order, that meet the conditions beside the index. */
function passingOf({ connection, besideIndex }: Search, ranked: readonly RankedRow[]): TextHit[] {
  const { text, values } = filterClause(besideIndex);
  const passing = connection.get<{ ids: string }>(
    `SELECT json_group_object(row, id) AS ids FROM ${GIVEN_ROWS} WHERE ${text}`,
    JSON.stringify(ranked.map(({ row }) => row)),
    ...values,
  );
  const ids = JSON.parse(passing?.ids ?? '{}') as Record<number, string>;
  return ranked.flatMap(({ row, score }) => (ids[row] === undefined ? [] : [{ id: ids[row], score }]));
}

/** Ranks those rows that pass the filter by the same score, but reads the words of the rows instead of the index. */
function rankRows(
  { connection, limit, conditions }: Search,
  all: readonly WeightedTerm[],
  rows: readonly number[],
): TextHit[] {
  const filter = filterClause(conditions);
  const terms = all.slice(0, TERMS_MAX);
  const score = terms.map(() => '? * (instr(text, ?) > 0)').join(' + ');
  return connection.all<TextHit>(
    `WITH passing AS MATERIALIZED (
       SELECT row AS hit, id FROM ${GIVEN_ROWS}
       WHERE ${filter.text}
     ), texts AS MATERIALIZED (
       SELECT hit, id, ' ' || content || ' ' || tags || ' ' AS text FROM passing JOIN memory_text ON rowid = hit
     ), scored AS MATERIALIZED (SELECT hit, id, ${score} AS score FROM texts)
     SELECT id, score FROM scored WHERE score > 0 ORDER BY score DESC, hit DESC LIMIT ?`,
    JSON.stringify(rows),
    ...filter.values,
    ...terms.flatMap(({ term, weight }) => [weight, ` ${term} `]),
    limit,
  );
}

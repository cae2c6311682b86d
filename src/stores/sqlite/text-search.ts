/**
 * Finds full-text candidates. A search reads a bounded number of index entries, rarest terms first, so that the cost of
 * a search does not grow with the number of memories. If few rows pass the filter, the search starts from these rows
 * instead. If the filter has a time window of moderate size, the search reads only the index entries of its rows.
 */
import { partsOf } from '../../domain/collections.js';
import {
  type Condition,
  conditionsOf,
  isSetCondition,
  isUnmeetable,
  type SetCondition,
  setToken,
} from '../../domain/filter.js';
import { type Connection, GIVEN_ROWS } from '../database/connection.js';
import type { TextAnswer, TextHit, TextSearch } from '../ports/search-index.js';
import { bestOf, planTerms, scopeFields, scopeSizeOf, type TermPlan, type WeightedTerm } from '../text-plan.js';
import { filterClause, termExpression } from './filter-clause.js';
import {
  fewRows,
  filteredRows,
  lengthOf,
  prevailingExclusion,
  type RowRange,
  rangeOfRows,
  rangeOfWindow,
} from './filtered-rows.js';
import { termFrequencies } from './words.js';

/** Maximum number of index entries to read for one word and, unless the store is small, for all words together. */
const POSTINGS_MAX = 6_000;
/**
 * Number of ranked rows that are checked against the filter for each wanted hit. A low number usually suffices, because
 * most memories pass most filters.
 */
const EXAMINED_PER_HIT = 2;
/**
 * If at most one in this many matches passes the filter, the filter counts as selective. With a selective filter, the
 * search may miss rows that pass, because it reads only some of the index entries.
 */
const STARVED_RATIO = 4;
/** If rare words find too few memories and at most this many are in scope, the search ranks these by all words. */
const SCOPE_MAX = 3_000;
/** Reading and ranking a memory takes as long as reading about this many index entries outside the scope. */
const ENTRIES_PER_ROW = 1_000;
/** Maximum number of index entries that a search of a window reads for all words together. */
const WINDOW_POSTINGS_MAX = 30_000;
/**
 * In a store with more memories than `WINDOW_POSTINGS_MAX`, a window with a greater share of all rows is searched like
 * the whole store, because reading only the window saves little.
 */
const WINDOW_SHARE_MAX = 0.5;
/**
 * Maximum number of the newest memories to rank by all words if rare words have found too few, although many memories
 * pass the filter. A low number suffices, because enough of these memories contain a common word.
 */
const NEWEST_MAX = 500;
/** Fewer memories are read one by one, because each word has a fixed cost in the index. */
const INDEXED_FROM = 300;
/**
 * Number of rows that the first query checks against the filter, for each wanted hit. A quarter more rows than hits
 * usually suffice, because most memories pass most filters.
 */
const FIRST_ROWS_PER_HIT = 1.25;
/** Maximum number of rows that one query checks against the filter. */
const ROWS_PER_READ = 200;
/**
 * A search starts from the currently valid memories only if at most this many memories are valid. Usually nearly all
 * memories are valid. The limit is low, so that the search finds out cheaply that more memories are valid.
 */
const FEW_VALID_MAX = 300;

const byScore = (a: TextHit, b: TextHit) => b.score - a.score;
const EVERY_ROW = { first: 1, last: Number.MAX_SAFE_INTEGER };

export function searchText(connection: Connection, search: TextSearch, memoryCount: number): TextAnswer {
  const { terms, filter, limit } = search;
  const conditions = conditionsOf(filter);
  const scope = scopeFields(conditions).map(([field, value]) => setToken(field, value));
  const found = termFrequencies(connection, [...terms, ...scope]);
  const statistics = { memoryCount, frequencies: new Map(terms.map(term => [term, found.get(term) ?? 0])) };
  const scopeSize = scopeSizeOf(conditions, (field, value) => found.get(setToken(field, value)) ?? 0);
  const plan = planTerms(terms, { statistics, scopeSize, postingsMax: POSTINGS_MAX });
  // An `any` condition without values cannot be expressed as an index query, and no memory meets it.
  if (limit === 0 || plan.terms.length === 0 || conditions.some(isUnmeetable)) return { hits: [], statistics };
  const isSmall = memoryCount <= POSTINGS_MAX;
  const entryCount = plan.terms.reduce((sum, { term }) => sum + (found.get(term) ?? 0), 0);
  const parts = { connection, conditions, limit, plan, memoryCount, isSmall, scopeSize, entryCount };
  const passes = { ...parts, ...splitConditions(connection, conditions) };
  return { hits: findHits(passes), statistics };
}

interface Passes {
  connection: Connection;
  limit: number;
  plan: TermPlan;
  memoryCount: number;
  /** Whether the store is so small that reading the entries of every term is cheap. */
  isSmall: boolean;
  /** Upper bound of the number of memories that meet every `SetCondition` of the filter. */
  scopeSize: number;
  /** Number of index entries of all terms, in and out of the scope. */
  entryCount: number;
  conditions: readonly Condition[];
  /** Conditions that the index evaluates. */
  inIndex: readonly SetCondition[];
  /** Conditions that are checked for each index entry. */
  besideIndex: readonly Condition[];
}

/**
 * Decides which conditions the index evaluates. The index skips memories with an excluded tag one entry at a time. This
 * is slow for a tag that most memories have, so the search itself checks such a tag for each entry that it reads.
 */
function splitConditions(
  connection: Connection,
  conditions: readonly Condition[],
): Pick<Passes, 'inIndex' | 'besideIndex'> {
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

/** Searches by words first, unless a count before the search shows that few rows can pass the filter. */
function findHits(passes: Passes): TextHit[] {
  const { connection, conditions, besideIndex, limit, plan, isSmall, scopeSize, entryCount } = passes;
  const readFilter = () => filteredRows(connection, conditions);
  // The index of words cannot tell how many memories meet such a condition.
  const isUnknown = besideIndex.some(condition => isSetCondition(condition) || condition.field === 'createdMs');
  const few = isUnknown ? fewRows(connection, conditions) : fewRows(connection, besideIndex, FEW_VALID_MAX);
  if (few) return rankFew(passes, few);
  const within = isUnknown ? rankWindow(passes) : undefined;
  if (within) return within;

  const best = runPass(passes, plan.affordable, { looksAt: limit * EXAMINED_PER_HIT });
  if (best.hits.length >= limit) return best.hits;
  if (plan.affordable.length < plan.terms.length && scopeSize <= SCOPE_MAX) return rankScope(passes);
  let left = isStarved(best) ? readFilter() : undefined;
  if (left?.isAll) return rankFew(passes, left.rows);

  // At this point, rare words have found too few rows. If reading all entries is cheap, the common words are used too.
  const isCheap = isSmall || entryCount <= POSTINGS_MAX;
  const all = runPass(passes, isCheap ? plan.terms : plan.affordable);
  if (isCheap || all.hits.length >= limit || !(isUnknown || isStarved(all))) return all.hits;
  left ??= isStarved(all) ? readFilter() : filteredRows(connection, conditions, NEWEST_MAX);
  return left ? bestOf([all.hits, rankRows(passes, left.rows)], limit, byScore) : all.hits;
}

/**
 * Ranks the few memories in scope by all words, because a word that is common in the store may be the only word of a
 * wanted memory. Reads either the index entries of the words, or the memories.
 */
function rankScope(passes: Passes): TextHit[] {
  const { connection, conditions, plan, scopeSize, entryCount } = passes;
  if (entryCount > scopeSize * ENTRIES_PER_ROW) {
    const scope = filteredRows(connection, conditions);
    if (scope?.isAll) return rankFew(passes, scope.rows);
  }
  return runPass(passes, plan.terms).hits;
}

/** Ranks by all words. `rows` must contain all rows that pass the filter. */
function rankFew(passes: Passes, rows: readonly number[]): TextHit[] {
  const range = rows.length < INDEXED_FROM ? undefined : rangeOfRows(rows);
  if (!range) return rankRows(passes, rows);
  return runPass(passes, passes.plan.terms, { range, most: lengthOf(range) }).hits;
}

/**
 * Ranks the memories of a window by all words. If the words have too many index entries in the window, ranks by the
 * rarest of them. If this finds too few hits, it also ranks the newest memories by all words.
 *
 * @returns undefined when the filter has no window, or its memories are too many or not close together
 */
function rankWindow(passes: Passes): TextHit[] | undefined {
  const { connection, conditions, limit, plan, isSmall, memoryCount } = passes;
  const isLarge = memoryCount > WINDOW_POSTINGS_MAX;
  const rowsMax = isLarge ? memoryCount * WINDOW_SHARE_MAX : Number.POSITIVE_INFINITY;
  const range = rangeOfWindow(connection, conditions, rowsMax);
  if (!range) return undefined;
  const budget = isSmall ? Number.POSITIVE_INFINITY : WINDOW_POSTINGS_MAX;
  const { hits, isComplete } = runPass(passes, plan.terms, { range, most: lengthOf(range), budget });
  if (isComplete || hits.length >= limit) return hits;
  return bestOf([hits, rankRows(passes, filteredRows(connection, conditions)?.rows ?? [])], limit, byScore);
}

function isStarved({ hits, matched }: PassResult): boolean {
  return hits.length * STARVED_RATIO <= matched;
}

interface PassResult {
  hits: TextHit[];
  /** Number of ranked rows. If there are fewer than `limit` hits, the filter has checked all ranked rows. */
  matched: number;
  /** Whether the budget was enough for the entries of all terms. */
  isComplete: boolean;
}

interface Reading {
  range?: RowRange;
  /** Maximum number of index entries to read for one term. */
  most?: number;
  /** Maximum number of index entries to read for all terms together. */
  budget?: number;
  /** Maximum number of ranked rows to check against the filter. */
  looksAt?: number;
}

/**
 * Ranks by the sum of the idf of the matching terms. This is BM25 without term frequency and length, which matter
 * little in short texts. One index entry is read for each row that a term occurs in. The caller computes the full
 * scores of the candidates.
 *
 * @param terms rarest first; if the budget ends, the entries of later terms are not read
 */
function runPass(
  { connection, limit, inIndex, besideIndex }: Passes,
  terms: readonly WeightedTerm[],
  { range = EVERY_ROW, most = POSTINGS_MAX, budget = Number.POSITIVE_INFINITY, looksAt }: Reading = {},
): PassResult {
  let left = budget;
  const lists: Postings[] = [];
  for (const { term, weight } of terms) {
    const rows = readPostings(connection, termExpression(term, inIndex), { ...range, most: Math.min(most, left) });
    lists.push({ rows, weight });
    left -= rows.length;
    if (left <= 0) break;
  }
  const ranked = rankPostings(lists, looksAt);
  const result = { matched: ranked.length, isComplete: left > 0 };
  const filter = filterClause(besideIndex);
  const hits: TextHit[] = [];
  const first = Math.min(ROWS_PER_READ, Math.ceil(limit * FIRST_ROWS_PER_HIT));
  for (const part of [ranked.slice(0, first), ...partsOf(ranked.slice(first), ROWS_PER_READ)]) {
    // The ids are read as one JSON text, because the driver takes longer to return many rows.
    const passing = connection.get<{ ids: string }>(
      `SELECT json_group_object(row, id) AS ids FROM ${GIVEN_ROWS} WHERE ${filter.text}`,
      JSON.stringify(part.map(({ row }) => row)),
      ...filter.values,
    );
    const ids = JSON.parse(passing?.ids ?? '{}') as Record<number, string>;
    for (const { row, score } of part) {
      const id = ids[row];
      if (id !== undefined) hits.push({ id, score });
      if (hits.length === limit) return { hits, ...result };
    }
  }
  return { hits, ...result };
}

/**
 * Ranks the rows that pass the filter by the same score as `runPass`, but reads the words of the rows instead of the
 * index.
 */
function rankRows({ connection, limit, plan: { terms }, conditions }: Passes, rows: readonly number[]): TextHit[] {
  const filter = filterClause(conditions);
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

/** The rows of one word. */
interface Postings {
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
function readPostings(
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
function rankPostings(lists: readonly Postings[], most = Number.POSITIVE_INFINITY): RankedRow[] {
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

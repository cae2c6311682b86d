/** Ranks memories by the words that they contain. */
import { type Condition, isSetCondition, type MemoryFilter } from '../../domain/filter.js';
import type { TermStatistics, TextHit } from '../ports/search-index.js';
import type { TermPlan, WeightedTerm } from '../text-plan.js';
import type { Connection } from './connection.js';
import { decodeText, idIn } from './encoding.js';
import { type OrderedWalk, SORTED_MAX } from './ordered-walk.js';
import type { Parameters } from './parameters.js';
import { countStatement, type Selection, selectionOf } from './selection.js';
import { combinationsOf, type SplitTerms, splitTerms, type TermCombination, weightOf } from './term-combinations.js';
import { combinedExpression, stemExpression, stemToken } from './tokens.js';

/** Rare words select this number of memories for each requested hit; these memories are then ranked by all words. */
const RANKED_AGAIN = 4;
/**
 * The first stage of combinations is planned for this multiple of the limit, because the estimate assumes independent
 * terms.
 */
const PLANNED_HITS_FACTOR = 2;
/**
 * A search for the newest memories with a term reads this many times the expected number. The memories with the term
 * are not spread evenly.
 */
const NEWEST_READ_FACTOR = 2;
/** Reading one memory costs as much as sorting this many index entries. */
const ENTRIES_PER_NODE = 2;
/** Maximum number of the newest memories whose creation times are read to estimate the times of further memories. */
const TIMES_MAX = SORTED_MAX / 2;
/** If this many times the expected number of memories are newer than an estimated time, the estimate is not used. */
const ESTIMATE_EXCEEDED_BY = 4;
/** Approximate number of memories that are ranked when reading the index entries of all words would take too long. */
const NEWEST_RANKED = 2_000;
/** Maximum number of memories that this ranking reads. Many more may have the same creation time. */
const NEWEST_READ_MAX = 2 * NEWEST_RANKED;
/** Maximum number of values of a condition with which combinations are searched. */
const VALUES_MAX = 50;

export interface Ranking {
  connection: Connection;
  walk: OrderedWalk;
  conditions: readonly Condition[];
  limit: number;
  plan: TermPlan;
  statistics: TermStatistics;
  /** Upper bound of the share of memories that meet every `SetCondition` of the filter, 0..1. */
  scopeShare: number;
  filter: MemoryFilter;
  /** The time window of the filter. */
  window: Pick<MemoryFilter, 'fromMs' | 'toMs'>;
  selection: Selection;
}

/** Of hits with equal scores the newer memory comes first, so each hit has the creation time of its memory. */
export interface RankedHit extends TextHit {
  createdMs: number;
}

/** The terms of one search. */
interface RankedTerms extends SplitTerms {
  /** Terms that add only to the score of the best memories. */
  others: readonly WeightedTerm[];
}

/** A step of the search: one statement searches a part of the memories. */
interface Stage {
  /** The greatest possible score of a memory in this part. `others` may add more. */
  maxScore: number;
  /** Estimated number of hits that score more than the later stages. If it is too low, the next stage starts at once. */
  expectedHits: number;
  run(): Promise<RankedHit[]>;
}

/**
 * Ranks memories by the sum of the idf of those `terms` that they contain. If the query has words that are not in
 * `terms`, the best memories are ranked again with these words too. The score is BM25 without term frequency and
 * length, because these two factors hardly matter for short texts. The caller scores the candidates in full.
 *
 * Searches in stages: first memories with a separate term, then memories that contain only combined terms, greatest
 * weight first. Ends when no later memory can be among the best (MaxScore: Turtle and Flood, "Query evaluation:
 * strategies and optimizations", 1995).
 */
export async function rankFound(ranking: Ranking, terms: readonly WeightedTerm[]): Promise<RankedHit[]> {
  const { limit, plan } = ranking;
  const others = plan.terms.filter(term => !terms.includes(term));
  const stages = stagesOf(ranking, terms, others);
  const hits: RankedHit[] = [];
  for (let next = 0; next < stages.length; ) {
    const started: Promise<RankedHit[]>[] = [];
    let expectedHits = 0;
    // If a stage will probably find too few hits, the next stage is started with it.
    for (; next < stages.length && expectedHits < limit; next++) {
      const stage = stages[next] as Stage;
      started.push(stage.run());
      expectedHits += stage.expectedHits;
    }
    hits.push(...(await Promise.all(started)).flat());
    const maxOfRest = (stages[next]?.maxScore ?? Number.NEGATIVE_INFINITY) + weightOf(others);
    if (hits.filter(({ score }) => score > maxOfRest + ROUNDING).length >= limit) break;
  }
  return hits.sort(inOrder).slice(0, limit);
}

function stagesOf(ranking: Ranking, terms: readonly WeightedTerm[], others: readonly WeightedTerm[]): Stage[] {
  const { limit, statistics, window, scopeShare } = ranking;
  // With a time window the share is unknown. If it is 0, no terms are combined.
  const passingShare = isOpen(window) ? scopeShare : 0;
  const { separate, combined } = hasManyValues(ranking)
    ? { separate: terms, combined: [] }
    : splitTerms(terms, statistics, passingShare);
  const passing = statistics.memoryCount * passingShare;
  const combinations = combinationsOf(combined, statistics);
  const expectedIn = (part: readonly TermCombination[]) =>
    part.reduce((sum, { expectedShare }) => sum + expectedShare * passing, 0);
  const planned = limit * PLANNED_HITS_FACTOR;
  const isEnough = (_: TermCombination, at: number) => expectedIn(combinations.slice(0, at + 1)) >= planned;
  const firstCount = combinations.findIndex(isEnough) + 1 || combinations.length;
  const stages = [combinations.slice(0, firstCount), combinations.slice(firstCount)].flatMap((part): Stage[] => {
    const [best] = part;
    const run = () => rankCombinations(ranking, part, { separate, others });
    return best ? [{ maxScore: best.weight, expectedHits: expectedIn(part), run }] : [];
  });
  if (separate.length === 0) return stages;
  const maxOfCombined = weightOf([...combined, ...others]);
  // A memory with one of these terms scores more than any memory without a separate term.
  const decisive = separate.filter(({ weight }) => weight > maxOfCombined);
  const frequencies = decisive.map(({ term }) => statistics.frequencies.get(term) ?? 0);
  const run = () => rankSeparate(ranking, { separate, combined, others });
  return [{ maxScore: weightOf(terms), expectedHits: Math.max(0, ...frequencies) * passingShare, run }, ...stages];
}

function isOpen({ fromMs, toMs }: Ranking['window']): boolean {
  return fromMs === undefined && toMs === undefined;
}

/** Whether the filter has many values. Each combination would repeat all of them, which would take longer. */
function hasManyValues({ conditions }: Ranking): boolean {
  return conditions.some(condition => isSetCondition(condition) && condition.values.length > VALUES_MAX);
}

/** Returns the best memories with a separate term. */
async function rankSeparate(ranking: Ranking, { separate, combined, others }: RankedTerms): Promise<RankedHit[]> {
  const [only, ...more] = [...separate, ...combined];
  const newest = only && more.length === 0 && (await rankNewest(ranking, only, others));
  if (newest) return newest;
  const { conditions } = ranking;
  const expressions = separate.map(({ term, weight }) => ({ expression: stemExpression(term, conditions), weight }));
  // Grouping takes longer than the search. The entries of one word need no grouping.
  const found =
    more.length === 0
      ? `CALL db.idx.fulltext.queryNodes('_MemoryIndex', $expressions[0].expression) YIELD node
         WITH node AS i, $expressions[0].weight AS base`
      : `UNWIND $expressions AS each CALL db.idx.fulltext.queryNodes('_MemoryIndex', each.expression) YIELD node
         WITH node AS i, sum(each.weight) AS base`;
  return rankNodes(ranking, inIndex(ranking, found), { combined, others }, { expressions });
}

/**
 * Returns the newest memories with the only term of a search, or undefined if reading all index entries of the term is
 * probably faster. Without `others`, all these memories have the same score.
 *
 * The index lists the entries of a term in no useful order, so that all of them would have to be sorted. If the term is
 * frequent, the newest memories contain enough hits.
 */
async function rankNewest(
  ranking: Ranking,
  only: WeightedTerm,
  others: readonly WeightedTerm[],
): Promise<RankedHit[] | undefined> {
  const { statistics, scopeShare } = ranking;
  const entries = (statistics.frequencies.get(only.term) ?? 0) * scopeShare;
  const wanted = candidatesOf(ranking, others);
  const readCount = Math.ceil((wanted * statistics.memoryCount * NEWEST_READ_FACTOR) / entries);
  if (!(readCount * ENTRIES_PER_NODE < entries)) return undefined;
  const clauses = `MATCH (i:_MemoryIndex) WHERE i.timestamp_ms >= $from_ms AND i.words CONTAINS $word
    WITH i, $weight AS base`;
  const [[word, weight]] = wordWeights([only]) as [[string, number]];
  const from_ms = await timeOfNewest(ranking, ranking.window, readCount);
  if (from_ms === undefined) return undefined;
  const hits = await rankNodes(
    ranking,
    { clauses, conditions: ranking.selection.conditions },
    { combined: [], others },
    { word, weight, from_ms },
  );
  return hits.length >= ranking.limit ? hits : undefined;
}

/**
 * Returns a creation time such that about `count` memories that pass the filter are newer. The time is exact if `count`
 * is at most `TIMES_MAX`. Otherwise, returns undefined if far more memories are newer than the estimated time.
 */
async function timeOfNewest(
  { connection, walk }: Ranking,
  filter: MemoryFilter,
  count: number,
): Promise<number | undefined> {
  const limit = Math.min(count, TIMES_MAX);
  const times = await walk.first<number>({ filter, order: 'newest', limit }, { column: 'i.timestamp_ms' });
  const half = Math.floor((times.length - 1) / 2);
  const [middle = 0, oldest = 0] = [times[half], times.at(-1)];
  if (count <= limit || times.length < limit) return oldest;
  // Ignores the newer half of the times, because one memory may be dated far in the future.
  const perMemoryMs = (middle - oldest) / Math.max(1, times.length - 1 - half);
  const from_ms = Math.floor(oldest - perMemoryMs * (count - limit));
  const max = count * ESTIMATE_EXCEEDED_BY;
  const newer = selectionOf(filter, ['i.timestamp_ms >= $from_ms']);
  const [row] = await connection.read<{ count: number }>(countStatement(newer), { ...newer.parameters, from_ms, max });
  return (row?.count ?? 0) < max ? from_ms : undefined;
}

/**
 * Returns the best of those memories that contain one of these combinations and no separate term. The combinations
 * exclude each other, so the server need not group rows. Grouping would take several times longer.
 */
function rankCombinations(
  ranking: Ranking,
  combinations: readonly TermCombination[],
  { separate, others }: Pick<RankedTerms, 'separate' | 'others'>,
): Promise<RankedHit[]> {
  const expressions = combinations.map(({ present, absent, weight }) => ({
    expression: combinedExpression(present, [...separate, ...absent], ranking.conditions),
    weight,
  }));
  const found = `UNWIND $expressions AS each
    CALL db.idx.fulltext.queryNodes('_MemoryIndex', each.expression) YIELD node
    WITH node AS i, each.weight AS base`;
  return rankNodes(ranking, inIndex(ranking, found), { combined: [], others }, { expressions });
}

/** Nodes to rank. */
interface Found {
  /** Clauses that return nodes `i` and the sum `base` of the weights of the terms found. */
  clauses: string;
  /** Conditions that WHERE checks, because `clauses` does not check them. */
  conditions: string;
}

function inIndex({ selection }: Ranking, clauses: string): Found {
  return { clauses, conditions: selection.besideText };
}

function rankNodes(
  ranking: Ranking,
  found: Found,
  { combined, others }: Pick<RankedTerms, 'combined' | 'others'>,
  parameters: Parameters,
): Promise<RankedHit[]> {
  const base = combined.length > 0 ? withWords('base', '$combined') : 'base';
  const candidates = `WITH i, ${base} AS score ${BEST_FIRST} LIMIT $candidates`;
  // The weights of `others` are added after LIMIT, so that the server computes them for few memories only.
  const best = others.length > 0 ? `WITH i, ${withWords('score', '$others')} AS score ${BEST_FIRST} LIMIT $limit` : '';
  return rank(ranking, `${found.clauses} WHERE ${found.conditions} ${candidates} ${best}`, {
    ...parameters,
    combined: wordWeights(combined),
    others: wordWeights(others),
    candidates: candidatesOf(ranking, others),
  });
}

/** Returns the number of memories whose score may include the weights of `others`. */
function candidatesOf({ limit }: Ranking, others: readonly WeightedTerm[]): number {
  return others.length > 0 ? limit * RANKED_AGAIN : limit;
}

/** Ranks all memories that pass the filter. The caller has checked that they are few. */
export function rankSelected(ranking: Ranking): Promise<RankedHit[]> {
  return rankMatched(ranking, ranking.selection.match);
}

/** Ranks about `NEWEST_RANKED` of the newest memories that pass the filter by all words of the search. */
export async function rankNewestSelected(ranking: Ranking): Promise<RankedHit[]> {
  const { filter } = ranking;
  const estimate = await timeOfNewest(ranking, filter, NEWEST_RANKED);
  const from_ms = estimate ?? (await timeOfNewest(ranking, filter, TIMES_MAX));
  const { match } = selectionOf(filter, ['i.timestamp_ms >= $from_ms']);
  const newest = `${match} WITH i ORDER BY i.timestamp_ms DESC, i.id LIMIT $read`;
  return rankMatched(ranking, newest, { from_ms: from_ms ?? 0, read: NEWEST_READ_MAX });
}

/** @param match clauses that return each memory to rank as `i` */
function rankMatched(ranking: Ranking, match: string, parameters: Parameters = {}): Promise<RankedHit[]> {
  const scored = `${match} WITH i, ${withWords('0.0', '$words')} AS score WHERE score > 0`;
  const best = `WITH i, score ${BEST_FIRST} LIMIT $limit`;
  return rank(ranking, `${scored} ${best}`, { ...parameters, words: wordWeights(ranking.plan.terms) });
}

/** Returns an expression that adds to a score the weights of those `words` that `i` contains. */
function withWords(score: string, words: string): string {
  return `reduce(sum = ${score}, word IN ${words} | sum + CASE WHEN i.words CONTAINS word[0] THEN word[1] ELSE 0.0 END)`;
}

function wordWeights(terms: readonly WeightedTerm[]): [word: string, weight: number][] {
  return terms.map(({ term, weight }) => [` ${stemToken(term)} `, weight]);
}

const BEST_FIRST = 'ORDER BY score DESC, i.timestamp_ms DESC, i.id';

/**
 * Returns hits in the order of the nodes. They are read as one row, because the client takes longer to decode many rows.
 *
 * @param ranked clauses that return nodes `i` and their `score`
 */
async function rank(ranking: Ranking, ranked: string, parameters: Parameters): Promise<RankedHit[]> {
  const { connection, limit, selection } = ranking;
  const [row] = await connection.read<{ ids: string[]; scores: number[]; times: number[] }>(
    `${ranked} RETURN collect(${idIn('i')}) AS ids, collect(score) AS scores, collect(i.timestamp_ms) AS times`,
    { ...selection.parameters, ...parameters, limit },
  );
  const { ids = [], scores = [], times = [] } = row ?? {};
  return ids.map((id, at) => ({ id: decodeText(id), score: scores[at] as number, createdMs: times[at] as number }));
}

/** Equal sums of weights may differ by less than this, because stages add the weights in different orders. */
const ROUNDING = 1e-9;

export function inOrder(a: RankedHit, b: RankedHit): number {
  const difference = b.score - a.score;
  if (Math.abs(difference) > ROUNDING) return difference;
  return b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1);
}

/** Ranks memories by the words that they contain. */
import { type Condition, isSetCondition } from '../../domain/filter.js';
import type { TermStatistics, TextHit } from '../ports/search-index.js';
import type { TermPlan, WeightedTerm } from '../text-plan.js';
import type { Connection } from './connection.js';
import { decodeText, idIn } from './encoding.js';
import type { Parameters } from './parameters.js';
import type { Selection } from './selection.js';
import { combinationsOf, type SplitTerms, splitTerms, type TermCombination, weightOf } from './term-combinations.js';
import { combinedExpression, stemExpression, stemToken } from './tokens.js';

/** Rare words select this number of memories for each requested hit; these memories are then ranked by all words. */
const RANKED_AGAIN = 4;
/**
 * The first stage of combinations is planned for this multiple of the limit, because the estimate assumes independent
 * terms.
 */
const PLANNED_HITS_FACTOR = 2;
/** Maximum number of values of a condition with which combinations are searched. */
const VALUES_MAX = 50;

export interface Ranking {
  connection: Connection;
  conditions: readonly Condition[];
  limit: number;
  plan: TermPlan;
  statistics: TermStatistics;
  /**
   * Upper bound of the share of memories that pass the filter, 0..1. It is 0 if the filter has a time window, because the
   * share is then unknown. Terms are then not combined.
   */
  passingShare: number;
  selection: Selection;
  /** Maximum number of index entries that a search for a single word reads. */
  postingsMax: number;
}

/** Of hits with equal scores the newer memory comes first, so each hit has the creation time of its memory. */
interface RankedHit extends TextHit {
  createdMs: number;
}

/** The terms of one search. */
interface RankedTerms extends SplitTerms {
  /** Terms that add only to the score of the best memories. */
  others: readonly WeightedTerm[];
}

/** A step of the search: one statement searches a part of the memories. */
interface Stage {
  /** The greatest possible score of a memory in this part, without the weights of `others`. */
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
export async function rankFound(ranking: Ranking, terms: readonly WeightedTerm[]): Promise<TextHit[]> {
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
  const best = hits.sort(inOrder).slice(0, limit);
  return best.map(({ id, score }) => ({ id, score }));
}

function stagesOf(ranking: Ranking, terms: readonly WeightedTerm[], others: readonly WeightedTerm[]): Stage[] {
  const { limit, statistics, passingShare } = ranking;
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

/** Whether the filter has many values. Each combination would repeat all of them, which would take longer. */
function hasManyValues({ conditions }: Ranking): boolean {
  return conditions.some(condition => isSetCondition(condition) && condition.values.length > VALUES_MAX);
}

/** Returns the best memories with a separate term. */
function rankSeparate(ranking: Ranking, { separate, combined, others }: RankedTerms): Promise<RankedHit[]> {
  const { conditions, postingsMax } = ranking;
  const expressions = separate.map(({ term, weight }) => ({ expression: stemExpression(term, conditions), weight }));
  // A search for one word reads at most `$budget` entries. A search for several words has no LIMIT here, because LIMIT
  // would make the server lose its position in the entries.
  const found =
    separate.length + combined.length === 1
      ? `CALL db.idx.fulltext.queryNodes('_MemoryIndex', $expressions[0].expression) YIELD node
         WITH node AS i LIMIT $budget WITH i, $expressions[0].weight AS base`
      : `UNWIND $expressions AS each CALL db.idx.fulltext.queryNodes('_MemoryIndex', each.expression) YIELD node
         WITH node AS i, sum(each.weight) AS base`;
  return rankNodes(ranking, found, { combined, others }, { expressions, budget: postingsMax });
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
  return rankNodes(ranking, found, { combined: [], others }, { expressions });
}

/** @param found clauses that return nodes `i` and the sum `base` of the weights of the terms found */
function rankNodes(
  ranking: Ranking,
  found: string,
  { combined, others }: Pick<RankedTerms, 'combined' | 'others'>,
  parameters: Parameters,
): Promise<RankedHit[]> {
  const base = combined.length > 0 ? withWords('base', '$combined') : 'base';
  const score = others.length > 0 ? withWords('base', '$others') : 'base';
  // The weights of `others` are added after LIMIT, so that the server computes them for few memories only.
  const best = `WITH i, ${base} AS base ORDER BY base DESC, i.timestamp_ms DESC, i.id LIMIT $candidates`;
  const ranked = `${found} WHERE ${ranking.selection.conditions} ${best} WITH i, ${score} AS score`;
  return rank(ranking, ranked, {
    ...parameters,
    combined: wordWeights(combined),
    others: wordWeights(others),
    candidates: others.length > 0 ? ranking.limit * RANKED_AGAIN : ranking.limit,
  });
}

/** Ranks all memories that pass the filter. The caller has checked that they are few. */
export function rankSelected(ranking: Ranking): Promise<TextHit[]> {
  const ranked = `${ranking.selection.match} WITH i, ${withWords('0.0', '$words')} AS score WHERE score > 0`;
  return rank(ranking, ranked, { words: wordWeights(ranking.plan.terms) });
}

/** Returns an expression that adds to a score the weights of those `words` that `i` contains. */
function withWords(score: string, words: string): string {
  return `reduce(sum = ${score}, word IN ${words} | sum + CASE WHEN i.words CONTAINS word[0] THEN word[1] ELSE 0.0 END)`;
}

function wordWeights(terms: readonly WeightedTerm[]) {
  return terms.map(({ term, weight }) => [` ${stemToken(term)} `, weight]);
}

/** @param ranked clauses that return nodes `i` and their `score` */
async function rank(ranking: Ranking, ranked: string, parameters: Parameters): Promise<RankedHit[]> {
  const { connection, limit, selection } = ranking;
  const rows = await connection.read<RankedHit>(
    `${ranked} RETURN ${idIn('i')} AS id, score, i.timestamp_ms AS createdMs
     ORDER BY score DESC, createdMs DESC, i.id LIMIT $limit`,
    { ...selection.parameters, ...parameters, limit },
  );
  return rows.map(row => ({ ...row, id: decodeText(row.id) }));
}

/** Equal sums of weights may differ by less than this, because stages add the weights in different orders. */
const ROUNDING = 1e-9;

function inOrder(a: RankedHit, b: RankedHit): number {
  const difference = b.score - a.score;
  if (Math.abs(difference) > ROUNDING) return difference;
  return b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1);
}

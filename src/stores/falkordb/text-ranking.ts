/** Ranks memories by the words that they contain. */
import type { Condition } from '../../domain/filter.js';
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
/** A stage is planned to find this multiple of the limit, because terms are not independent. */
const SPARE = 2;

export interface Ranking {
  connection: Connection;
  conditions: readonly Condition[];
  limit: number;
  plan: TermPlan;
  statistics: TermStatistics;
  /** Estimated share of the memories that pass the filter; 0 without an estimate. */
  passingShare: number;
  selection: Selection;
  /** Maximum number of index entries that a search for a single word reads. */
  postingsMax: number;
}

/** The terms of one search. */
interface RankedTerms extends SplitTerms {
  /** Terms that add only to the score of the best memories. */
  others: readonly WeightedTerm[];
}

/** A part of the memories, which one statement searches. */
interface Stage {
  /** The greatest sum of weights that a memory of this part can have, without the other terms. */
  most: number;
  /** Estimated number of memories that score more than all memories of the later stages. */
  expectedHits: number;
  run(): Promise<TextHit[]>;
}

/**
 * Ranks memories by the sum of the idf of those `terms` that they contain. If the query has words that are not in
 * `terms`, the best memories are ranked again with these words too. The score is BM25 without term frequency and
 * length, because these two factors hardly matter for short texts. The caller scores the candidates in full.
 *
 * Searches the memories in stages: memories with rare terms come first, those with the most common terms alone last.
 * Ends when no later stage can contain one of the best (MaxScore: Turtle and Flood, "Query evaluation: strategies and
 * optimizations", 1995).
 */
export async function rankFound(ranking: Ranking, terms: readonly WeightedTerm[]): Promise<TextHit[]> {
  const { limit, plan } = ranking;
  const others = plan.terms.filter(term => !terms.includes(term));
  const stages = stagesOf(ranking, terms, others);
  const hits: TextHit[] = [];
  for (let next = 0; next < stages.length; ) {
    const started: Promise<TextHit[]>[] = [];
    let expectedHits = 0;
    // If a stage will probably find too few hits, the next stage is started with it.
    for (; next < stages.length && expectedHits < limit; next++) {
      const stage = stages[next] as Stage;
      started.push(stage.run());
      expectedHits += stage.expectedHits;
    }
    hits.push(...(await Promise.all(started)).flat());
    const mostOfRest = (stages[next]?.most ?? Number.NEGATIVE_INFINITY) + weightOf(others);
    if (hits.filter(({ score }) => score > mostOfRest).length >= limit) break;
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, limit);
}

function stagesOf(ranking: Ranking, terms: readonly WeightedTerm[], others: readonly WeightedTerm[]): Stage[] {
  const { limit, statistics, passingShare } = ranking;
  const { rare, common } = splitTerms(terms, statistics);
  const passing = statistics.memoryCount * passingShare;
  const combinations = combinationsOf(common, statistics);
  const expectedIn = (part: readonly TermCombination[]) =>
    part.reduce((sum, { expectedShare }) => sum + expectedShare * passing, 0);
  const isEnough = (_: TermCombination, at: number) => expectedIn(combinations.slice(0, at + 1)) >= limit * SPARE;
  const first = combinations.findIndex(isEnough) + 1 || combinations.length;
  const stages = [combinations.slice(0, first), combinations.slice(first)].flatMap((part): Stage[] => {
    const [best] = part;
    const run = () => rankCombinations(ranking, part, { rare, others });
    return best ? [{ most: best.weight, expectedHits: expectedIn(part), run }] : [];
  });
  if (rare.length === 0) return stages;
  const mostWithoutRare = weightOf([...common, ...others]);
  const frequencies = rare.map(({ term, weight }) =>
    weight > mostWithoutRare ? (statistics.frequencies.get(term) ?? 0) : 0,
  );
  const run = () => rankByRare(ranking, { rare, common, others });
  return [{ most: weightOf(terms), expectedHits: Math.max(...frequencies) * passingShare, run }, ...stages];
}

/** Returns the best memories with a rare term. */
function rankByRare(ranking: Ranking, { rare, common, others }: RankedTerms): Promise<TextHit[]> {
  const { conditions, postingsMax } = ranking;
  const expressions = rare.map(({ term, weight }) => ({ expression: stemExpression(term, conditions), weight }));
  // A search for one word reads at most `$budget` entries. A search for several words has no LIMIT here, because LIMIT
  // would make the server lose its position in the entries.
  const found =
    rare.length + common.length === 1
      ? `CALL db.idx.fulltext.queryNodes('_MemoryIndex', $expressions[0].expression) YIELD node
         WITH node AS i LIMIT $budget WITH i, $expressions[0].weight AS base`
      : `UNWIND $expressions AS each CALL db.idx.fulltext.queryNodes('_MemoryIndex', each.expression) YIELD node
         WITH node AS i, sum(each.weight) AS base`;
  return rankAgain(ranking, found, { common, others }, { expressions, budget: postingsMax });
}

/**
 * Returns the best memories of some combinations of common terms, without a rare term. Each combination is one search.
 * A memory is found by one of them only, so the server need not group the memories, which would take several times
 * longer.
 */
function rankCombinations(
  ranking: Ranking,
  combinations: readonly TermCombination[],
  { rare, others }: Pick<RankedTerms, 'rare' | 'others'>,
): Promise<TextHit[]> {
  const expressions = combinations.map(({ present, absent, weight }) => ({
    expression: combinedExpression(present, [...rare, ...absent], ranking.conditions),
    weight,
  }));
  const found = `UNWIND $expressions AS each
    CALL db.idx.fulltext.queryNodes('_MemoryIndex', each.expression) YIELD node
    WITH node AS i, each.weight AS base`;
  return rankAgain(ranking, found, { common: [], others }, { expressions });
}

/** @param found clauses that return nodes `i` and the sum `base` of their weights */
function rankAgain(
  ranking: Ranking,
  found: string,
  { common, others }: Pick<RankedTerms, 'common' | 'others'>,
  parameters: Parameters,
): Promise<TextHit[]> {
  const base = common.length > 0 ? withWords('base', '$common') : 'base';
  const score = others.length > 0 ? withWords('base', '$others') : 'base';
  // All other values are computed after LIMIT, for few memories.
  const best = `WITH i, ${base} AS base ORDER BY base DESC, i.timestamp_ms DESC LIMIT $depth WITH i, ${score} AS score`;
  return rank(ranking, `${found} WHERE ${ranking.selection.conditions} ${best}`, {
    ...parameters,
    common: wordWeights(common),
    others: wordWeights(others),
    depth: others.length > 0 ? ranking.limit * RANKED_AGAIN : ranking.limit,
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
async function rank(ranking: Ranking, ranked: string, parameters: Parameters): Promise<TextHit[]> {
  const { connection, limit, selection } = ranking;
  const rows = await connection.read<TextHit>(
    `${ranked} RETURN ${idIn('i')} AS id, score ORDER BY score DESC, i.timestamp_ms DESC, i.id LIMIT $limit`,
    { ...selection.parameters, ...parameters, limit },
  );
  return rows.map(({ id, score }) => ({ id: decodeText(id), score }));
}

/** Measures how well a set of questions is answered: ranking, irrelevant results, and confidence. */
import type { Confidence } from '../../src/domain/recall.js';
import { hasOwnEvidence } from './own-evidence.js';
import { type AnswerableQuery, parametersOf } from './queries.js';
import type { Asked } from './stored-memories.js';

const PLACES = 10;
const FIRST = 5;
const LEVELS: readonly Confidence[] = ['none', 'low', 'medium', 'high'];

export interface RankingFigures {
  precisionAt1: number;
  /** Mean share of a question's expected memories among the first five. */
  recallAt5: number;
  /** Mean reciprocal rank of the first expected memory among the first ten. */
  meanReciprocalRank: number;
  /** Questions whose first result is not an expected memory, each with its first result. */
  missed: string[];
}

export async function measureRanking(asked: Asked, queries: readonly AnswerableQuery[]): Promise<RankingFigures> {
  const missed: string[] = [];
  const ranks: { first: number; found: number }[] = [];
  for (const { ask, expected } of queries) {
    const { results } = await asked.ask({ limit: PLACES, ...parametersOf(ask) });
    const names = results.map(({ memory }) => asked.nameOf(memory.id));
    const places = expected.map(name => (names.includes(name) ? names.indexOf(name) + 1 : Infinity));
    const first = Math.min(...places);
    if (first > 1) missed.push(`${labelOf(ask)} [${expected.join(', ')}: ${first}] ${names[0] ?? '(nothing)'}`);
    ranks.push({ first, found: mean(places.map(place => (place <= FIRST ? 1 : 0))) });
  }
  return {
    precisionAt1: mean(ranks.map(({ first }) => (first === 1 ? 1 : 0))),
    recallAt5: mean(ranks.map(({ found }) => found)),
    meanReciprocalRank: mean(ranks.map(({ first }) => 1 / first)),
    missed,
  };
}

/** Counts the results that match neither words nor meaning of their question, among the first five of each question. */
export async function countWithoutEvidence(asked: Asked, queries: readonly AnswerableQuery[]) {
  let total = 0;
  let without = 0;
  for (const { ask } of queries) {
    const parameters = parametersOf(ask);
    const { results } = await asked.ask({ ...parameters, limit: FIRST });
    total += results.length;
    without += results.filter(result => !hasOwnEvidence(String(parameters.query), result)).length;
  }
  return { total, without, share: without / total };
}

export type LevelCounts = Record<Confidence, number>;

export async function countLevels(asked: Asked, asks: readonly AnswerableQuery['ask'][]): Promise<LevelCounts> {
  const counts: LevelCounts = { none: 0, low: 0, medium: 0, high: 0 };
  for (const ask of asks) counts[(await asked.ask(parametersOf(ask))).confidence] += 1;
  return counts;
}

/** Probability that an answerable question gets a higher level than an unanswerable one. Equal levels count half. */
export function areaUnderCurve(answerable: LevelCounts, unanswerable: LevelCounts): number {
  let points = 0;
  for (const [index, level] of LEVELS.entries()) {
    const below = LEVELS.slice(0, index).reduce((sum, lower) => sum + unanswerable[lower], 0);
    points += answerable[level] * (below + unanswerable[level] / 2);
  }
  return points / (countOf(answerable) * countOf(unanswerable));
}

function countOf(counts: LevelCounts): number {
  return LEVELS.reduce((sum, level) => sum + counts[level], 0);
}

function labelOf(ask: AnswerableQuery['ask']): string {
  return typeof ask === 'string' ? ask : JSON.stringify(ask);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

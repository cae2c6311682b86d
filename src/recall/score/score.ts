/** Computes the score of a candidate and its components. The total depends only on the components and the weights. */
import type { ScoreComponents } from '../../domain/recall.js';
import type { ScoreWeights } from '../../domain/settings.js';
import { MS_PER_DAY } from '../../domain/time.js';
import type { RecallContext } from '../context.js';
import { contextBonus } from '../language/hints.js';
import type { Candidate, Score } from '../pool.js';
import { RANKING } from '../ranking-constants.js';

export function scoreOf({ plan, settings, nowMs }: RecallContext, candidate: Omit<Candidate, 'score'>): Score {
  const { weights } = settings;
  const { memory, accessedMs, query, own, propagated, recencyBonus, relation } = candidate;
  const share = isSaidByAnother(candidate) ? RANKING.shareOfUnlikely : 1;
  const components: ScoreComponents = {
    vector: own.cosine,
    keyword: own.keyword,
    exact: own.exact,
    importance: memory.importance,
    confidence: memory.confidence,
    recency: recency(accessedMs, nowMs),
    tag: own.tag,
    relation,
    // Give full relevance to a memory that decay has not processed.
    relevance: memory.relevance_score ?? 1,
    lexical: share * own.coverageOfFields ** RANKING.coveragePower,
    meaning: share * own.similarity * query.meaningShare,
    neighbour: share * propagated,
    context: recencyBonus + (plan.hints ? contextBonus(plan.hints, candidate) : 0),
    newer: 0,
    inherited: 0,
  };
  return { total: weightedSum(components, weights), components };
}

/** Raises the score to a higher total. The difference becomes the given component. */
export function raised({ total, components }: Score, component: 'newer' | 'inherited', to: number): Score {
  return { total: to, components: { ...components, [component]: components[component] + to - total } };
}

/** Whether the query names speakers, but not the speaker of this memory. */
export function isSaidByAnother({ query, own }: Pick<Candidate, 'query' | 'own'>): boolean {
  return own.speaker !== undefined && query.speakers.size > 0 && !query.speakers.has(own.speaker);
}

/**
 * The weighted components, in the order of addition. The order is fixed, so that the same parts always produce the same
 * total.
 */
const WEIGHTED = [
  'vector',
  'keyword',
  'exact',
  'importance',
  'confidence',
  'recency',
  'tag',
  'relation',
  'relevance',
  'lexical',
  'meaning',
  'neighbour',
] as const satisfies (keyof ScoreWeights)[];

/** The contribution of each component to the total. */
export function contributions(components: ScoreComponents, weights: ScoreWeights): ScoreComponents {
  const parts = { ...components };
  for (const name of WEIGHTED) parts[name] *= weights[name];
  return parts;
}

function weightedSum(components: ScoreComponents, weights: ScoreWeights): number {
  let total = components.context;
  for (const name of WEIGHTED) total += components[name] * weights[name];
  return total;
}

/** A memory that was last accessed this many days ago, or earlier, has recency 0 (specification, "Scoring"). */
const RECENCY_WINDOW_DAYS = 180;

function recency(accessedMs: number, nowMs: number): number {
  const ageDays = (nowMs - accessedMs) / MS_PER_DAY;
  return Math.min(1, Math.max(0, 1 - ageDays / RECENCY_WINDOW_DAYS));
}

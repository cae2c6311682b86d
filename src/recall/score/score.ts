/** One candidate's score, with its parts. Pure: the total is computed from the parts and from nothing else. */
import type { ScoreComponents } from '../../domain/recall-results.js';
import type { ScoreWeights } from '../../domain/settings.js';
import { MS_PER_DAY } from '../../domain/time.js';
import type { RecallContext } from '../context.js';
import { contextBonus } from '../language/hints.js';
import type { Candidate, Score } from '../pool.js';

/** A memory last accessed this long ago, or longer, has no recency left. */
const RECENCY_WINDOW_DAYS = 180;

/** Above 1: one memory that covers the question says more than several that each cover a part. */
const COVERAGE_POWER = 1.43;
/** What a line of a talk keeps of its extra evidence when the question is about others than who says it. */
const SHARE_OF_ANOTHER = 0.7;

/** What a score is computed from. */
export type Scorable = Pick<Candidate, 'memory' | 'reading' | 'asked' | 'own' | 'lent' | 'bonus' | 'relation'>;

export function scoreOf({ plan, settings, nowMs }: RecallContext, candidate: Scorable): Score {
  const { weights } = settings;
  const { memory, reading, asked, own, lent, bonus, relation } = candidate;
  const share = isSaidByAnother(candidate) ? SHARE_OF_ANOTHER : 1;
  const components: ScoreComponents = {
    vector: own.cosine,
    keyword: own.keyword,
    exact: own.exact,
    importance: memory.importance,
    confidence: memory.confidence,
    recency: recency(reading.accessedMs, nowMs),
    tag: own.tag,
    relation,
    // A memory that decay has not reached keeps its full relevance.
    relevance: memory.relevance_score ?? 1,
    lexical: share * own.coverageOfFields ** COVERAGE_POWER,
    meaning: share * own.closeness * asked.meaningShare,
    neighbour: share * lent,
    context: bonus + (plan.hints ? contextBonus(plan.hints, { memory, text: own.text }) : 0),
  };
  return { total: weightedSum(components, weights), components };
}

/** Whether somebody else says it in a talk than the question is about. */
export function isSaidByAnother({ asked, own }: Pick<Candidate, 'asked' | 'own'>): boolean {
  return own.speaker !== undefined && asked.speakers.size > 0 && !asked.speakers.has(own.speaker);
}

/** In the order in which they are added, so that the same parts always make the same total. */
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

/** What each component adds to the total. */
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

/** max(0, 1 - age in days / 180), the age counted from the last access (specification, "Scoring"). */
function recency(accessedMs: number, nowMs: number): number {
  const ageDays = (nowMs - accessedMs) / MS_PER_DAY;
  return Math.min(1, Math.max(0, 1 - ageDays / RECENCY_WINDOW_DAYS));
}

/** One candidate's score, with its parts. Pure: the total is computed from the parts and from nothing else. */
import type { MatchType, ScoreComponents } from '../domain/answers.js';
import type { ScoreWeights } from '../domain/settings.js';
import { MS_PER_DAY } from '../domain/time.js';
import type { Candidate } from './candidate.js';
import { exactComponent, keywordComponent, tagComponent } from './components.js';
import type { ContextEvidence } from './context.js';
import type { QueryEvidence } from './evidence.js';

/** A memory last accessed this long ago, or longer, has no recency left. */
const RECENCY_WINDOW_DAYS = 180;

export interface Score {
  total: number;
  components: ScoreComponents;
  /** The channel that contributed most to the total. */
  matchType: MatchType;
  /** That channel's evidence, 0..1. */
  matchScore: number;
}

export interface ScoreInput {
  candidate: Candidate;
  /** The candidate's evidence together with that of its neighbours. */
  context: ContextEvidence;
  evidence: QueryEvidence;
}

export function scoreCandidate(
  { candidate, context, evidence }: ScoreInput,
  weights: ScoreWeights,
  nowMs: number,
): Score {
  const { memory, text } = candidate;
  const components: ScoreComponents = {
    vector: context.similarity,
    keyword: keywordComponent(evidence, text, context.presence),
    exact: exactComponent(evidence, text),
    importance: memory.importance,
    confidence: memory.confidence,
    recency: recency(memory.last_accessed, nowMs),
    tag: tagComponent(evidence, text),
    relation: 0,
    // What decay has not touched has lost nothing.
    relevance: memory.relevance_score ?? 1,
  };
  return { total: weightedSum(components, weights), components, ...strongestChannel(components, weights) };
}

function weightedSum(components: ScoreComponents, weights: ScoreWeights): number {
  const names = Object.keys(components) as (keyof ScoreComponents)[];
  return names.reduce((total, name) => total + components[name] * weights[name], 0);
}

/** max(0, 1 - age in days / 180), the age counted from the last access (specification, "Scoring"). */
function recency(lastAccessed: string, nowMs: number): number {
  const ageDays = (nowMs - Date.parse(lastAccessed)) / MS_PER_DAY;
  return Math.min(1, Math.max(0, 1 - ageDays / RECENCY_WINDOW_DAYS));
}

function strongestChannel(
  components: ScoreComponents,
  weights: ScoreWeights,
): { matchType: MatchType; matchScore: number } {
  const channels: { matchType: MatchType; contribution: number; matchScore: number }[] = [
    { matchType: 'semantic', contribution: components.vector * weights.vector, matchScore: components.vector },
    {
      matchType: 'keyword',
      contribution: components.keyword * weights.keyword + components.exact * weights.exact,
      matchScore: components.keyword,
    },
    { matchType: 'tag', contribution: components.tag * weights.tag, matchScore: components.tag },
    { matchType: 'relation', contribution: components.relation * weights.relation, matchScore: components.relation },
  ];
  const { matchType, matchScore } = channels.reduce((best, next) =>
    next.contribution > best.contribution ? next : best,
  );
  return { matchType, matchScore };
}

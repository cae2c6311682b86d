/** One candidate's score, with its parts. Pure: the total is computed from the parts and from nothing else. */
import type { MatchType, ScoreComponents } from '../domain/recall-results.js';
import type { ScoreWeights } from '../domain/settings.js';
import { MS_PER_DAY } from '../domain/time.js';
import type { Candidate } from './candidate.js';
import { keywordComponent } from './components.js';
import type { QueryEvidence } from './evidence.js';
import { contextBonus, type HintProfile } from './hints.js';
import type { NeighbourEvidence } from './neighbour-evidence.js';

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

/** What all candidates of one question are scored with. */
export interface ScoreRules {
  evidence: QueryEvidence;
  /** Absent when the caller gave no hints. */
  hints: HintProfile | undefined;
  weights: ScoreWeights;
  nowMs: number;
  /** What matched where no channel has anything to say: the tags, where some were asked for. */
  unmatchedType: Extract<MatchType, 'tag' | 'keyword'>;
}

/** @param support the candidate's evidence together with that of its neighbours */
export function scoreCandidate(candidate: Candidate, support: NeighbourEvidence, rules: ScoreRules): Score {
  const { memory } = candidate;
  const { evidence, hints, weights, nowMs } = rules;
  const components: ScoreComponents = {
    vector: support.similarity,
    keyword: keywordComponent(evidence, candidate, support.presence),
    exact: candidate.exact,
    importance: memory.importance,
    confidence: memory.confidence,
    recency: recency(memory.last_accessed, nowMs),
    tag: candidate.tag,
    relation: candidate.relation,
    // What decay has not touched has lost nothing.
    relevance: memory.relevance_score ?? 1,
    context: hints ? contextBonus(hints, candidate) : 0,
  };
  const channel = strongestChannel(components, weights) ?? { matchType: rules.unmatchedType, matchScore: 0 };
  return { total: weightedSum(components, weights), components, ...channel };
}

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
function recency(lastAccessed: string, nowMs: number): number {
  const ageDays = (nowMs - Date.parse(lastAccessed)) / MS_PER_DAY;
  return Math.min(1, Math.max(0, 1 - ageDays / RECENCY_WINDOW_DAYS));
}

function strongestChannel(
  { vector, keyword, exact, tag, relation }: ScoreComponents,
  weights: ScoreWeights,
): { matchType: MatchType; matchScore: number } | undefined {
  let best: { matchType: MatchType; matchScore: number } | undefined;
  let most = 0;
  const offer = (matchType: MatchType, contribution: number, matchScore: number) => {
    if (contribution <= most) return;
    most = contribution;
    best = { matchType, matchScore };
  };
  offer('semantic', vector * weights.vector, vector);
  offer('keyword', keyword * weights.keyword + exact * weights.exact, keyword);
  offer('tag', tag * weights.tag, tag);
  offer('relation', relation * weights.relation, relation);
  return best;
}

/** One candidate's score, with its parts. Pure: the total is computed from the parts and from nothing else. */
import type { MatchType, ScoreComponents } from '../domain/answers.js';
import type { ScoreWeights } from '../domain/settings.js';
import { MS_PER_DAY } from '../domain/time.js';
import type { Candidate } from './candidate.js';
import { exactComponent, keywordComponent, tagComponent } from './components.js';
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
}

/** @param support the candidate's evidence together with that of its neighbours */
export function scoreCandidate(candidate: Candidate, support: NeighbourEvidence, rules: ScoreRules): Score {
  const { memory, text } = candidate;
  const { evidence, hints, weights, nowMs } = rules;
  const components: ScoreComponents = {
    vector: support.similarity,
    keyword: keywordComponent(evidence, text, support.presence),
    exact: exactComponent(evidence, text),
    importance: memory.importance,
    confidence: memory.confidence,
    recency: recency(memory.last_accessed, nowMs),
    tag: tagComponent(evidence, text),
    relation: candidate.relation,
    // What decay has not touched has lost nothing.
    relevance: memory.relevance_score ?? 1,
    context: hints ? contextBonus(hints, candidate) : 0,
  };
  return { total: weightedSum(components, weights), components, ...strongestChannel(components, weights) };
}

/** What each component adds to the total. */
export function contributions(components: ScoreComponents, weights: ScoreWeights): ScoreComponents {
  const { context, ...weighted } = components;
  const names = Object.keys(weighted) as (keyof ScoreWeights)[];
  const parts = names.map(name => [name, components[name] * weights[name]]);
  return { ...(Object.fromEntries(parts) as Record<keyof ScoreWeights, number>), context };
}

function weightedSum(components: ScoreComponents, weights: ScoreWeights): number {
  const parts: number[] = Object.values(contributions(components, weights));
  return parts.reduce((total, part) => total + part, 0);
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
  const parts = contributions(components, weights);
  const channels: { matchType: MatchType; contribution: number; matchScore: number }[] = [
    { matchType: 'semantic', contribution: parts.vector, matchScore: components.vector },
    { matchType: 'keyword', contribution: parts.keyword + parts.exact, matchScore: components.keyword },
    { matchType: 'tag', contribution: parts.tag, matchScore: components.tag },
    { matchType: 'relation', contribution: parts.relation, matchScore: components.relation },
  ];
  const { matchType, matchScore } = channels.reduce((best, next) =>
    next.contribution > best.contribution ? next : best,
  );
  return { matchType, matchScore };
}

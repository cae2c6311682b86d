/** Why a recall does not return a memory, or at which place it does. */
import type { Invalidity } from './filter.js';
import type { RecallQuery, SortOrder } from './recall-query.js';
import type { ScoredMemory, ScoreExplanation } from './recall-results.js';
import type { RelationType } from './relation.js';

export interface WhyNotOutcome {
  query: RecallQuery;
  scored: ScoredMemory;
  explanation: ScoreExplanation;
  verdict: WhyNotVerdict;
  /** Among everything that was scored, 1 for the best; absent when it was no candidate. */
  rank?: number;
  /** Score of the last result that was returned; absent when none was. */
  cutoffScore?: number;
}

export type WhyNotVerdict =
  /** `place`: 1 for the first result. */
  { reason: 'returned'; place: number } | DropReason;

/** Why a step of recall has dropped a memory, with the numbers that it compared. */
export type DropReason =
  /** Better ones fill `max_tokens`. */
  | { reason: 'overBudget' }
  | { reason: 'filteredByTags'; tagKeys: readonly string[] }
  | { reason: 'filteredByExcludedTags' | 'filteredByTime' | Invalidity }
  | { reason: 'superseded'; successorId: string; relationType: RelationType }
  | { reason: 'duplicate'; twinId: string }
  /** An entity leads to it, but it is not important enough or others come first. */
  | { reason: 'behindOtherEntities' }
  /** The edges that lead to it are weaker than asked for; the strength of the strongest, 0..1. */
  | { reason: 'weakEdge'; strength: number }
  /** An edge leads to it, but it is less important than asked for. */
  | { reason: 'lowImportance' }
  | { reason: 'behindOtherEdges' }
  | { reason: 'belowThreshold' }
  /** A listing has more than were asked for. */
  | { reason: 'listedLater'; sort: SortOrder }
  | { reason: 'rankedLater'; candidateCount: number }
  /** It matches, but others match so well that it was not even a candidate. */
  | { reason: 'noCandidate' }
  | { reason: 'noEvidence' };

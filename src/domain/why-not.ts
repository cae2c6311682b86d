/** Explains why a recall does not return a memory, or at which place it returns the memory. */
import type { Invalidity } from './filter.js';
import type { RecallQuery, SortOrder } from './recall-query.js';
import type { ScoredMemory, ScoreExplanation } from './recall-results.js';
import type { RelationType } from './relation.js';

export interface WhyNotOutcome {
  query: RecallQuery;
  scored: ScoredMemory;
  explanation: ScoreExplanation;
  verdict: WhyNotVerdict;
  /** Rank among all scored memories, from 1. Undefined when the memory was not a candidate. */
  rank?: number;
  /**
   * Score of the lowest-ranked result. Results that expansion or the fallback added do not count. Undefined when no
   * result counts.
   */
  cutoffScore?: number;
}

export type WhyNotVerdict =
  /** `place`: 1 for the first result. */
  { reason: 'returned'; place: number } | DropReason;

/** Why a step of recall dropped a memory, with the values that the step compared. */
export type DropReason =
  /** Better results fill `max_tokens`. */
  | { reason: 'overBudget' }
  | { reason: 'filteredByTags'; tagKeys: readonly string[] }
  | { reason: 'filteredByExcludedTags' | 'filteredByTime' | Invalidity }
  | { reason: 'superseded'; successorId: string; relationType: RelationType }
  | { reason: 'duplicate'; twinId: string }
  /** An entity leads to the memory, but the memory is not important enough or other memories precede it. */
  | { reason: 'behindOtherEntities' }
  /** All edges to the memory are weaker than requested. `strength` is the strength of the strongest edge, 0..1. */
  | { reason: 'weakEdge'; strength: number }
  /** An edge or an entity leads to the memory, but the memory is less important than requested. */
  | { reason: 'lowImportance' }
  | { reason: 'behindOtherEdges' }
  | { reason: 'belowThreshold' }
  /** In the order of a listing, the memory comes after the limit. */
  | { reason: 'listedLater'; sort: SortOrder }
  | { reason: 'rankedLater'; candidateCount: number }
  /** The memory matches, but other memories match so much better that it was not a candidate. */
  | { reason: 'noCandidate' }
  | { reason: 'noEvidence' };

/** Why a recall does not return a memory, in the words of the interface and in a sentence. */
import type { Memory } from '../../domain/memory.js';
import type { WhyNotOutcome, WhyNotVerdict } from '../../domain/why-not.js';
import type { WhyNotAnswer } from '../answers/why-not.js';
import { roundScore } from './numbers.js';
import { renderExplanation } from './result.js';

export function renderWhyNot(outcome: WhyNotOutcome): WhyNotAnswer {
  const { query, scored, explanation, verdict, rank, cutoffScore } = outcome;
  return {
    status: 'success',
    id: scored.memory.id,
    query: query.query ?? '',
    returned: verdict.reason === 'returned',
    ...(rank !== undefined && { rank }),
    reason: REASONS[verdict.reason],
    message: messageOf(outcome),
    final_score: roundScore(scored.score),
    ...(cutoffScore !== undefined && { cutoff_score: roundScore(cutoffScore) }),
    explanation: renderExplanation(scored, explanation),
  };
}

const REASONS: Record<WhyNotVerdict['reason'], WhyNotAnswer['reason']> = {
  returned: 'returned',
  overBudget: 'ranked_too_low',
  filteredByTags: 'filtered_by_tags',
  filteredByExcludedTags: 'filtered_by_excluded_tags',
  filteredByTime: 'filtered_by_time',
  archived: 'archived',
  notYetValid: 'not_yet_valid',
  expired: 'expired',
  superseded: 'superseded',
  duplicate: 'duplicate',
  behindOtherEntities: 'kept_out_of_expansion',
  weakEdge: 'kept_out_of_expansion',
  lowImportance: 'kept_out_of_expansion',
  behindOtherEdges: 'kept_out_of_expansion',
  belowThreshold: 'below_threshold',
  listedLater: 'ranked_too_low',
  rankedLater: 'ranked_too_low',
  noCandidate: 'ranked_too_low',
  noEvidence: 'no_evidence',
};

function messageOf({ query, scored, verdict, rank }: WhyNotOutcome): string {
  const { memory, score } = scored;
  switch (verdict.reason) {
    case 'returned':
      return `It is returned, as result ${verdict.place}.`;
    case 'overBudget':
      return 'It does not fit behind better ones; raise max_tokens.';
    case 'filteredByTags':
      return `It does not have ${query.tag_mode} of the tags ${verdict.tagKeys.join(', ')}.`;
    case 'superseded':
      return `Memory ${verdict.successorId} has taken its place (${verdict.relationType}); state_mode=history shows both.`;
    case 'duplicate':
      return `Memory ${verdict.twinId} has the same text and tags and stands for it.`;
    case 'weakEdge':
      return `Its edge to a result has strength ${verdict.strength}, under expand_min_strength.`;
    case 'belowThreshold':
      return `Its score ${roundScore(score)} is below the threshold.`;
    case 'listedLater':
      return `Others come first in the order ${verdict.sort}; raise limit.`;
    case 'rankedLater':
      return `It is number ${rank} of ${verdict.candidateCount} candidates; raise limit, or ask in words that it has.`;
    default:
      return MESSAGES[verdict.reason](memory);
  }
}

/** The sentences that need nothing but the memory. */
const MESSAGES = {
  filteredByExcludedTags: () => 'It has a tag that exclude_tags leaves out.',
  filteredByTime: ({ timestamp }) => `It was created at ${timestamp}, outside the time window.`,
  archived: () => 'It is archived; state_mode=history shows it.',
  notYetValid: ({ t_valid }) => `It holds only from ${t_valid} on.`,
  expired: ({ t_invalid }) => `It no longer holds since ${t_invalid}; state_mode=history shows it.`,
  behindOtherEntities: () => 'An entity leads to it; see expand_min_importance, or raise expansion_limit.',
  lowImportance: ({ importance }) => `Its importance, ${importance}, is under expand_min_importance.`,
  behindOtherEdges: () => 'An edge leads to it, but others come first; raise relation_limit or expansion_limit.',
  noCandidate: () => 'Too many others match at least as well; raise limit, or ask more precisely.',
  noEvidence: () => 'Neither its words, nor its meaning, nor its neighbours in time led to it.',
} as const satisfies Partial<Record<WhyNotVerdict['reason'], (memory: Memory) => string>>;

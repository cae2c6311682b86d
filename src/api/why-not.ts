/** Explains why a recall does not return a memory, as a name and as a sentence. */
import { z } from 'zod';
import type { InputLimits } from '../domain/input.js';
import type { Memory } from '../domain/memory.js';
import type { WhyNotOutcome, WhyNotVerdict } from '../domain/recall.js';
import { roundScore, success, wholeNumber } from './answer-fields.js';
import { memoryId } from './fields.js';
import { readField } from './input.js';
import { type Operation, routeOf } from './operation.js';
import { readRecall, recallParameters } from './recall-request.js';
import { renderExplanation, scoreExplanation } from './recall-result.js';
import { withWholeTags } from './tags.js';

export function whyNotOperation(limits: InputLimits): Operation {
  return {
    ...routeOf('whyNot'),
    access: 'token',
    tag: 'recall',
    summary: 'Explain which filter or rank keeps a memory out of the results',
    query: recallParameters(limits).extend({ id: memoryId.describe('Id (UUID) of the memory') }),
    ignoredQuery: ['format', 'offset'],
    answers: { 200: whyNotAnswer },
    failures: ['invalid', 'not_found'],
    run: async (engine, { query: { id, ...parameters } }) => {
      const missed = readField(memoryId, id, 'id');
      const asked = await withWholeTags(engine, parameters);
      return renderWhyNot(await engine.whyNot(readRecall(asked, limits), missed));
    },
  };
}

const whyNotAnswer = z.strictObject({
  status: success,
  id: z.string().describe('Id of the requested memory'),
  query: z.string().describe('The query; empty when none was given'),
  returned: z.boolean().describe('Whether the recall returns the memory'),
  rank: wholeNumber
    .optional()
    .describe('Rank among all candidates, from 1 for the best; absent when the memory was not a candidate'),
  reason: z
    .enum([
      'returned',
      'filtered_by_tags',
      'filtered_by_excluded_tags',
      'filtered_by_time',
      'archived',
      'not_yet_valid',
      'expired',
      'superseded',
      'kept_out_of_expansion',
      'below_threshold',
      'duplicate',
      'ranked_too_low',
      'no_evidence',
    ])
    .describe('Step of recall that left the memory out; `returned` when no step did'),
  message: z.string().describe('The reason in a sentence'),
  final_score: z.number().describe('Score of the memory'),
  cutoff_score: z.number().optional().describe('Score of the last result; absent when there are no results'),
  explanation: scoreExplanation,
});
export type WhyNotAnswer = z.infer<typeof whyNotAnswer>;

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
      return 'Better results leave too little of max_tokens for it; raise max_tokens.';
    case 'filteredByTags':
      return `It does not have ${query.tag_mode} of the tags ${verdict.tagKeys.join(', ')}.`;
    case 'superseded':
      return `Memory ${verdict.successorId} has replaced it (${verdict.relationType}); state_mode=history shows both.`;
    case 'duplicate':
      return `It was merged into memory ${verdict.twinId}, which has the same text and tags.`;
    case 'weakEdge':
      return `Its edge to a result has the strength ${verdict.strength}, below expand_min_strength.`;
    case 'belowThreshold':
      return `Its score ${roundScore(score)} is below the threshold.`;
    case 'listedLater':
      return `Other memories precede it in the order ${verdict.sort}; raise limit.`;
    case 'rankedLater':
      return `It has rank ${rank} of ${verdict.candidateCount} candidates; raise limit, or use words that it contains.`;
    default:
      return MESSAGES[verdict.reason](memory);
  }
}

/** The sentences that depend only on the memory. */
const MESSAGES = {
  filteredByExcludedTags: () => 'It has a tag that exclude_tags excludes.',
  filteredByTime: ({ timestamp }) => `It was created at ${timestamp}, outside the time window.`,
  archived: () => 'It is archived; state_mode=history shows it.',
  notYetValid: ({ t_valid }) => `It is valid only from ${t_valid} on.`,
  expired: ({ t_invalid }) => `It has not been valid since ${t_invalid}; state_mode=history shows it.`,
  behindOtherEntities: () =>
    'An entity connects it to a result, but it was not added; lower expand_min_importance or raise expansion_limit.',
  lowImportance: ({ importance }) => `Its importance, ${importance}, is below expand_min_importance.`,
  behindOtherEdges: () =>
    'An edge leads to it, but other memories precede it; raise relation_limit or expansion_limit.',
  noCandidate: () => 'Too many other memories match at least as well; raise limit, or make the query more precise.',
  noEvidence: () => 'Neither its words, nor its meaning, nor its neighbours in time match the query.',
} as const satisfies Partial<Record<WhyNotVerdict['reason'], (memory: Memory) => string>>;

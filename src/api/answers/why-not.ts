/** Answers that explain why a recall does not return a memory. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';
import { scoreExplanation } from './result.js';

export const whyNotAnswer = z.strictObject({
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

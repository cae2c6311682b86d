/** Answers to the question why a recall does not return a memory. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';
import { scoreExplanation } from './result.js';

export const whyNotAnswer = z.strictObject({
  status: success,
  id: z.string().describe('Id of the memory asked about'),
  query: z.string().describe('The question; empty when nothing was asked'),
  returned: z.boolean().describe('Whether the recall returns it'),
  rank: wholeNumber.optional().describe('Among all candidates, 1 for the best; absent when it was none'),
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
    .describe('What kept it out'),
  message: z.string().describe('The reason in a sentence'),
  final_score: z.number().describe('Score of the memory'),
  cutoff_score: z.number().optional().describe('Score of the last result; absent when there is none'),
  explanation: scoreExplanation,
});
export type WhyNotAnswer = z.infer<typeof whyNotAnswer>;

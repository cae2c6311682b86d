/** Answers about the background work. */
import { z } from 'zod';
import { wholeNumber } from './common.js';

const lastError = z.string().nullable().describe('The last failure in a sentence; null without one');

const workStats = z
  .strictObject({
    processed_total: wholeNumber.describe('successes and failures together'),
    successes: wholeNumber.describe('Memories enriched'),
    failures: wholeNumber.describe('Attempts that failed'),
    failed: wholeNumber.describe('Memories given up for good'),
    last_success_id: z.string().nullable().describe('Id of the last memory enriched'),
    last_success_at: z.string().nullable().describe('ISO 8601 in UTC'),
    last_error: lastError,
    last_error_at: z.string().nullable().describe('ISO 8601 in UTC'),
  })
  .describe('Counts since the process started, except failed, which counts all memories that are given up now');

const classification = z
  .strictObject({
    pattern_classifications: wholeNumber.describe('Types found by patterns'),
    llm_attempts: wholeNumber.describe('Types asked of the language model'),
    llm_successes: wholeNumber.describe('Types that it found'),
    fallbacks: wholeNumber.describe('Memories that nothing could classify'),
    last_error: lastError,
  })
  .describe('How types were found since the start');

const languageModel = z
  .strictObject({
    model: z.string().describe('Provider and model'),
    requests: wholeNumber.describe('Questions asked of it'),
    failures: wholeNumber.describe('Questions without a usable answer'),
    input_tokens: wholeNumber.describe('Tokens it has read'),
    output_tokens: wholeNumber.describe('Tokens it has written'),
    last_error: lastError,
  })
  .nullable()
  .describe('What the language model has cost since the start; null without one');

export const workStatusAnswer = z.strictObject({
  status: z.enum(['running', 'stopped']).describe('Whether the worker runs'),
  queue_size: wholeNumber.describe('pending and inflight together'),
  pending: wholeNumber.describe('Memories that wait to be enriched'),
  inflight: wholeNumber.describe('Memories being enriched'),
  max_attempts: wholeNumber.describe('Attempts after which a memory is given up'),
  stats: workStats,
  classification,
  language_model: languageModel,
});
export type WorkStatusAnswer = z.infer<typeof workStatusAnswer>;

export const reprocessAnswer = z.strictObject({
  status: z.literal('queued').describe('Enrichment follows in the background'),
  count: wholeNumber.describe('How many ids were submitted'),
  ids: z.array(z.string()).describe('Each once, sorted'),
});
export type ReprocessAnswer = z.infer<typeof reprocessAnswer>;

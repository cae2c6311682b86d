/** Answers about the background work. */
import { z } from 'zod';

const lastError = z.string().nullable().describe('The last failure in a sentence; null without one');

const workStats = z
  .strictObject({
    processed_total: z.int().describe('successes and failures together'),
    successes: z.int().describe('Memories enriched'),
    failures: z.int().describe('Attempts that failed'),
    failed: z.int().describe('Memories given up for good'),
    last_success_id: z.string().nullable().describe('Id of the last memory enriched'),
    last_success_at: z.string().nullable().describe('ISO 8601 in UTC'),
    last_error: lastError,
    last_error_at: z.string().nullable().describe('ISO 8601 in UTC'),
  })
  .describe('Since the start, but for failed');

const classification = z
  .strictObject({
    pattern_classifications: z.int().describe('Types found by patterns'),
    llm_attempts: z.int().describe('Types asked of the language model'),
    llm_successes: z.int().describe('Types that it found'),
    fallbacks: z.int().describe('Memories that nothing could classify'),
    last_error: lastError,
  })
  .describe('How types were found since the start');

const languageModel = z
  .strictObject({
    model: z.string().describe('Provider and model'),
    requests: z.int(),
    failures: z.int().describe('Requests that failed'),
    input_tokens: z.int(),
    output_tokens: z.int(),
    last_error: lastError,
  })
  .nullable()
  .describe('What the language model has cost since the start; null without one');

export const workStatusAnswer = z.strictObject({
  status: z.enum(['running', 'stopped']),
  queue_size: z.int().describe('pending and inflight together'),
  pending: z.int().describe('Memories that wait to be enriched'),
  inflight: z.int().describe('Memories being enriched'),
  max_attempts: z.int().describe('Attempts after which a memory is given up'),
  stats: workStats,
  classification,
  language_model: languageModel,
});
export type WorkStatusAnswer = z.infer<typeof workStatusAnswer>;

export const reprocessAnswer = z.strictObject({
  status: z.literal('queued'),
  count: z.int().describe('How many ids were submitted'),
  ids: z.array(z.string()).describe('Each once, sorted'),
});
export type ReprocessAnswer = z.infer<typeof reprocessAnswer>;

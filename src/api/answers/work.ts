/** Answers about the background work. */
import { z } from 'zod';
import { wholeNumber } from './common.js';

const lastError = z.string().nullable().describe('The last failure in a sentence; null when there was none');

const workStats = z
  .strictObject({
    processed_total: wholeNumber.describe('Sum of successes and failures'),
    successes: wholeNumber.describe('Number of memories enriched'),
    failures: wholeNumber.describe('Number of failed attempts'),
    failed: wholeNumber.describe('Number of memories given up permanently'),
    last_success_id: z.string().nullable().describe('Id of the last enriched memory'),
    last_success_at: z.string().nullable().describe('ISO 8601 in UTC'),
    last_error: lastError,
    last_error_at: z.string().nullable().describe('ISO 8601 in UTC'),
  })
  .describe('Counts since the process started. `failed` counts all memories now given up');

const classification = z
  .strictObject({
    pattern_classifications: wholeNumber.describe('Number of types found by patterns'),
    llm_attempts: wholeNumber.describe('Number of questions to the language model about types'),
    llm_successes: wholeNumber.describe('Number of types that the language model found'),
    fallbacks: wholeNumber.describe('Number of memories that could not be classified'),
    last_error: lastError,
  })
  .describe('How types were found since the process started');

const languageModel = z
  .strictObject({
    model: z.string().describe('Provider and model'),
    requests: wholeNumber.describe('Number of questions asked'),
    failures: wholeNumber.describe('Number of questions without a usable answer'),
    input_tokens: wholeNumber.describe('Input tokens'),
    output_tokens: wholeNumber.describe('Output tokens'),
    last_error: lastError,
  })
  .nullable()
  .describe('Usage of the language model since the process started; null when no language model is configured');

export const workStatusAnswer = z.strictObject({
  status: z.enum(['running', 'stopped']).describe('Whether the worker is running'),
  queue_size: wholeNumber.describe('Sum of pending and inflight'),
  pending: wholeNumber.describe('Number of memories waiting for enrichment'),
  inflight: wholeNumber.describe('Number of memories being enriched'),
  max_attempts: wholeNumber.describe('Number of attempts before a memory is given up'),
  stats: workStats,
  classification,
  language_model: languageModel,
});
export type WorkStatusAnswer = z.infer<typeof workStatusAnswer>;

export const reprocessAnswer = z.strictObject({
  status: z.literal('queued').describe('Enrichment follows in the background'),
  count: wholeNumber.describe('Number of submitted ids'),
  ids: z.array(z.string()).describe('The submitted ids, sorted and without duplicates'),
});
export type ReprocessAnswer = z.infer<typeof reprocessAnswer>;

/** The background work: its state, and enriching memories again. */
import { z } from 'zod';
import { isPlainObject } from '../domain/json.js';
import type { WorkStatus } from '../domain/reports.js';
import type { Reprocessing } from '../domain/results.js';
import { wholeNumber } from './answer-fields.js';
import { ids } from './fields.js';
import { isGiven, objectIn, optional, type RawInput, readField } from './input.js';
import { type Operation, routeOf } from './operation.js';

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

const workStatusAnswer = z.strictObject({
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

const reprocessAnswer = z.strictObject({
  status: z.literal('queued').describe('Enrichment follows in the background'),
  count: wholeNumber.describe('Number of submitted ids'),
  ids: z.array(z.string()).describe('The submitted ids, sorted and without duplicates'),
});
export type ReprocessAnswer = z.infer<typeof reprocessAnswer>;

export const reprocessRequest = z.object({
  ids: optional(ids).describe('Memories to enrich again: an array, or a comma-separated text'),
});

/**
 * Reads the ids from the body, or from the query string when the body contains no ids.
 *
 * @throws MemoryError `invalid` when neither contains ids
 */
export function readReprocessing(body: unknown, query: RawInput): string[] {
  const inBody = objectIn(body);
  const given = isPlainObject(inBody) && isGiven(inBody.ids) ? inBody : query;
  return readField(ids, given.ids ?? [], 'ids');
}

export const workStatusOperation: Operation = {
  ...routeOf('workStatus'),
  access: 'token',
  tag: 'service',
  summary: 'Get the state, counts and language model usage of enrichment',
  answers: { 200: workStatusAnswer },
  needsNoPlace: true,
  failures: [],
  run: async engine => renderWorkStatus(await engine.workStatus()),
};

export const reprocessOperation: Operation = {
  ...routeOf('reprocess'),
  access: 'admin',
  tag: 'service',
  summary: 'Enrich memories again',
  query: reprocessRequest,
  body: reprocessRequest,
  isBodyOptional: true,
  answers: { 202: reprocessAnswer },
  failures: ['invalid'],
  run: async (engine, { body, query }) => renderReprocessing(await engine.reprocess(readReprocessing(body, query))),
};

function renderWorkStatus(work: WorkStatus): WorkStatusAnswer {
  const { pending, inFlight, worker, classifier, languageModel } = work;
  return {
    status: work.isRunning ? 'running' : 'stopped',
    queue_size: pending + inFlight,
    pending,
    inflight: inFlight,
    max_attempts: work.maxAttempts,
    stats: {
      processed_total: worker.successes + worker.failures,
      successes: worker.successes,
      failures: worker.failures,
      failed: work.failed,
      last_success_id: worker.lastSuccessId,
      last_success_at: worker.lastSuccessAt,
      last_error: worker.lastError,
      last_error_at: worker.lastErrorAt,
    },
    classification: {
      pattern_classifications: classifier.patternClassifications,
      llm_attempts: classifier.modelAttempts,
      llm_successes: classifier.modelSuccesses,
      fallbacks: classifier.fallbacks,
      last_error: classifier.lastError,
    },
    language_model: languageModel ? renderLanguageModel(languageModel) : null,
  };
}

function renderLanguageModel({
  description,
  usage,
}: NonNullable<WorkStatus['languageModel']>): WorkStatusAnswer['language_model'] {
  return {
    model: description,
    requests: usage.requests,
    failures: usage.failures,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    last_error: usage.lastError,
  };
}

function renderReprocessing({ submittedCount, ids }: Reprocessing): ReprocessAnswer {
  return { status: 'queued', count: submittedCount, ids };
}

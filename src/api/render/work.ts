/** Renders the state of the background work. */
import type { Reprocessing } from '../../domain/results.js';
import type { WorkStatus } from '../../domain/status.js';
import type { ReprocessAnswer, WorkStatusAnswer } from '../answers/work.js';

export function renderWorkStatus(work: WorkStatus): WorkStatusAnswer {
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

export function renderReprocessing({ submittedCount, ids }: Reprocessing): ReprocessAnswer {
  return { status: 'queued', count: submittedCount, ids };
}

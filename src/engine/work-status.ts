/** What enrichment has to do, has done and has cost. */
import type { WorkStatusAnswer } from '../domain/answers.js';
import type { WorkSettings } from '../domain/settings.js';
import type { Classifier } from '../enrichment/classify/classifier.js';
import type { Worker } from '../enrichment/worker.js';
import type { LanguageModel } from '../language-model/language-model.js';
import type { GraphStore } from '../stores/graph-store.js';

export interface WorkStatusParts {
  graph: GraphStore;
  workers: { enrich: Worker };
  classifier: Classifier;
  languageModel: LanguageModel | undefined;
  config: { work: WorkSettings };
}

export async function workStatus(parts: WorkStatusParts): Promise<WorkStatusAnswer> {
  const { graph, workers, classifier, languageModel, config } = parts;
  const { pending, inFlight, failed } = await graph.workCounts('enrich');
  const { isRunning, stats } = workers.enrich;
  const usage = languageModel?.usage;
  return {
    status: isRunning ? 'running' : 'stopped',
    queue_size: pending + inFlight,
    pending,
    inflight: inFlight,
    max_attempts: config.work.maxAttempts,
    stats: {
      processed_total: stats.successes + stats.failures,
      successes: stats.successes,
      failures: stats.failures,
      failed,
      last_success_id: stats.lastSuccessId,
      last_success_at: stats.lastSuccessAt,
      last_error: stats.lastError,
      last_error_at: stats.lastErrorAt,
    },
    classification: {
      pattern_classifications: classifier.stats.patternClassifications,
      llm_attempts: classifier.stats.modelAttempts,
      llm_successes: classifier.stats.modelSuccesses,
      fallbacks: classifier.stats.fallbacks,
      last_error: classifier.stats.lastError,
    },
    language_model: usage
      ? {
          model: languageModel.description,
          requests: usage.requests,
          failures: usage.failures,
          input_tokens: usage.inputTokens,
          output_tokens: usage.outputTokens,
          last_error: usage.lastError,
        }
      : null,
  };
}

/** The state, counts and cost of enrichment. */
import type { WorkSettings } from '../domain/settings.js';
import type { WorkStatus } from '../domain/status.js';
import type { Classifier } from '../enrichment/classify/classifier.js';
import type { Worker } from '../enrichment/worker.js';
import type { LanguageModel } from '../language-model/language-model.js';
import type { WorkQueue } from '../stores/ports/work-queue.js';

export interface WorkStatusParts {
  graph: Pick<WorkQueue, 'workCounts'>;
  workers: { enrich: Worker };
  classifier: Classifier;
  languageModel: LanguageModel | undefined;
  config: { work: WorkSettings };
}

export async function workStatus(parts: WorkStatusParts): Promise<WorkStatus> {
  const { graph, workers, classifier, languageModel, config } = parts;
  const counts = await graph.workCounts('enrich');
  return {
    isRunning: workers.enrich.isRunning,
    ...counts,
    maxAttempts: config.work.maxAttempts,
    worker: { ...workers.enrich.stats },
    classifier: { ...classifier.stats },
    ...(languageModel && {
      languageModel: { description: languageModel.description, usage: { ...languageModel.usage } },
    }),
  };
}

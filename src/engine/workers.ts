/** The background workers of one process. A memory is embedded first and then enriched. */
import type { Config } from '../config.js';
import { messageOf } from '../domain/errors.js';
import type { WorkStatus } from '../domain/reports.js';
import type { WorkSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import type { Classifier } from '../enrichment/classify/classifier.js';
import { embedMemories, enrichMemories } from '../enrichment/enrich-memories.js';
import { startWorker, type Worker } from '../enrichment/worker.js';
import type { LanguageModel } from '../language-model/language-model.js';
import type { Logger } from '../log.js';
import type { Places } from '../places.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import { createJudge } from '../replacement/judge.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { WorkQueue } from '../stores/ports/work-queue.js';
import type { VectorStore } from '../stores/vector-store.js';

export interface Workers {
  embed: Worker;
  enrich: Worker;
}

export interface WorkersParts {
  config: Pick<Config, 'work' | 'enrichment'>;
  clock: Clock;
  log: Logger;
  graph: GraphStore;
  vectors: VectorStore;
  projection: VectorProjection;
  embedder: Embedder;
  classifier: Classifier;
  places: Pick<Places, 'afterRequests'>;
  /** Whether other processes use the same graph. Each process then takes over work that an ended process has left. */
  isShared: boolean;
}

/** How often an idle worker looks for work that another process has left. */
const POLL_MS = 30_000;

/** Starts both workers. They look for due work at once, because an earlier process may have left some. */
export function startWorkers(parts: WorkersParts): Workers {
  const enrich: Worker = startEnriching(parts, { onEnriched: () => embed.notify(), takesHeld: () => embed.isHeldUp });
  const embed: Worker = startEmbedding(parts, {
    onEmbedded: () => enrich.notify(),
    onHeldUp: () => enrich.notify(),
  });
  return { embed, enrich };
}

/** Waits for the work in flight. */
export async function stopWorkers({ embed, enrich }: Workers): Promise<void> {
  await Promise.all([embed.stop(), enrich.stop()]);
}

interface EmbeddingEvents {
  onEmbedded(): void;
  onHeldUp(): void;
}

function startEmbedding(parts: WorkersParts, { onEmbedded, onHeldUp }: EmbeddingEvents): Worker {
  const { projection, embedder, vectors } = parts;
  const embedding = { projection, embedder, dimensions: vectors.dimensions };
  return startWorker({
    ...workerParts(parts, 'embedding'),
    kind: 'embed',
    perform: async (claims, onSettled) => (await embedMemories(embedding, claims)).forEach(onSettled),
    onSettled: onEmbedded,
    tidy: () => projection.repair(),
    onHeldUp,
  });
}

interface EnrichingEvents {
  /** Called after enrichment. New tags make vectors stale. The embedding worker then repairs these vectors. */
  onEnriched(count: number): void;
  /** Whether enrichment continues without vectors, because they cannot be made at present. */
  takesHeld(): boolean;
}

function startEnriching(parts: WorkersParts, { onEnriched, takesHeld }: EnrichingEvents): Worker {
  const { embedder, config, places } = parts;
  const enriching = {
    ...parts,
    model: embedder.model,
    judge: createJudge(embedder),
    settings: config.enrichment,
    afterRequests: places.afterRequests,
  };
  return startWorker({
    ...workerParts(parts, 'enrichment'),
    kind: 'enrich',
    takesHeld,
    perform: (claims, onSettled) => enrichMemories(enriching, claims, onSettled),
    onSettled: onEnriched,
  });
}

function workerParts({ graph, clock, config, log, isShared, places }: WorkersParts, name: string) {
  return {
    ...(isShared && { pollMs: POLL_MS }),
    graph,
    clock,
    settings: config.work,
    afterRequests: places.afterRequests,
    onFailure: (error: unknown, isFinal: boolean) =>
      isFinal
        ? log.warn(`${name} of a memory failed permanently`, error)
        : log.warn(`${name} is tried again: ${messageOf(error)}`),
  };
}

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

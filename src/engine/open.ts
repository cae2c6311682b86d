/**
 * Composition root: builds models, workers and engine from Config. Calls `open-stores.ts`, which builds the stores.
 */

import { randomUUID } from 'node:crypto';
import type { Config } from '../config.js';
import { type Consolidation, startConsolidation } from '../consolidation/consolidation.js';
import { messageOf } from '../domain/errors.js';
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import { prepareLanguages } from '../domain/text/language.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import { createEmbedder } from '../embedding/providers.js';
import { limitQuestions } from '../embedding/question-limit.js';
import { createClassifier, createNearestType } from '../enrichment/classify/classifier.js';
import { prepareRecognition } from '../enrichment/entities/recognize.js';
import { createShortener } from '../enrichment/shorten.js';
import { chooseLanguageModel, type LanguageModel } from '../language-model/language-model.js';
import { createLogger, type Logger, warnOnce } from '../log.js';
import { createPlaces, type Places } from '../places.js';
import { createVectorProjection } from '../projection/create-projection.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import { createJudge } from '../replacement/judge.js';
import type { FolderLock } from '../stores/data-folder/lock.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { VectorStore } from '../stores/vector-store.js';
import { systemClock } from './clock.js';
import { createEngine, type Engine, type EngineParts } from './engine.js';
import { startMaintenance } from './maintenance.js';
import { openStores } from './open-stores.js';
import { startWorkers, stopWorkers, type Workers } from './workers.js';

export interface OpenOptions {
  log?: Logger;
  /** The clock of the engine. The default is the clock of the machine. */
  clock?: Clock;
  /**
   * The caller's lock of the data folder. It is released when the engine is closed or cannot be opened.
   *
   * @internal
   */
  lock?: FolderLock;
  /** Called if the data folder cannot be written, so that the memory is only read. */
  onReadOnly?(): void;
}

/**
 * Delay after which the recognition of names is prepared. Only writes need it, and neither the start nor the first recall
 * should wait for it.
 */
const PREPARE_AFTER_MS = 3_000;

/**
 * Opens the memory. Undoes everything when a step fails.
 *
 * @throws MemoryError `unavailable` when the data folder is in use or unusable, `invalid` when the requested embeddings
 * are not available with these settings
 */
export async function openEngine(config: Config, options: OpenOptions = {}): Promise<Engine> {
  const { log = createLogger(config.logLevel, config.logFormat), clock = systemClock, lock } = options;
  const undo: (() => unknown)[] = [];
  let onRecovery = () => {};
  let onModelRecovery = () => {};
  try {
    const stores = await openStores({ config, clock, log, ...(lock && { lock }), onRecovery: () => onRecovery() });
    undo.push(() => stores.close());
    const { graph, vectors } = stores;
    if (stores.isReadOnly) options.onReadOnly?.();
    const { embedder: chosen, reason: embeddingReason } = await createEmbedder(config.embedding, { log, clock });
    const embedder = limitQuestions(chosen, clock);
    undo.push(() => embedder.close());
    const model = { clock, log, onRecovery: () => onModelRecovery() };
    const { model: languageModel, reason } = await chooseLanguageModel(config.languageModel, model);
    if (languageModel) undo.push(() => languageModel.close());
    log.info(`language model: ${languageModel?.description ?? 'none'} (${reason})`);
    const classifier = createClassifier({
      model: languageModel,
      nearest: createNearestType(embedder),
      onFailure: error => log.warn('a memory could not be classified and stays unchanged', error),
    });
    const shortener = createShortener({
      model: config.shortensContents ? languageModel : undefined,
      softLimit: config.content.softLimit,
    });
    const onVectorFailure = warnOnce(log, 'the vector store failed during a write');
    const projection = createVectorProjection({ graph, vectors, onVectorFailure });
    const background = { config, clock, log, graph, projection, embedder };
    const places = createPlaces(clock);
    const workers = startWorkers({ ...background, vectors, classifier, places, isShared: stores.isShared });
    undo.push(() => stopWorkers(workers));
    onModelRecovery = () => askAgain({ classifier, graph, workers, log });
    const maintenance = startMaintenance({ ...background, ...stores, workers, places });
    undo.push(() => maintenance.stop());
    const consolidation = consolidationOf({ ...background, vectors, workers, languageModel, places });
    undo.push(() => consolidation.stop());
    const catchUp = async () => {
      await maintenance.catchUp();
      await Promise.all([workers.embed.drain(), workers.enrich.drain()]);
    };
    let catchingUp = Promise.resolve();
    onRecovery = () => {
      catchingUp = catchingUp
        .then(catchUp)
        .catch(error => log.warn(`missed work will be queued later: ${messageOf(error)}`));
    };
    // Catch up with a server in the background. The server may be unreachable, and the start must not wait for it.
    if (stores.isRemote) onRecovery();
    else await maintenance.catchUp();
    // Prepare only after the engine has been returned, so that the start does not wait.
    setImmediate(prepareLanguages);
    clock.schedule(PREPARE_AFTER_MS, prepareRecognition);
    return createEngine({
      config,
      graph,
      vectors,
      projection,
      storage: stores.storage,
      embedder,
      embeddingReason,
      workers,
      maintenance,
      consolidation,
      places,
      classifier,
      shortener,
      languageModel,
      clock,
      log,
      caughtUp: () => catchingUp,
      closeStores: () => stores.close(),
    });
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

/** Enriches the memories again about which the language model could not be asked. */
function askAgain({ classifier, graph, workers, log }: Pick<EngineParts, 'classifier' | 'graph' | 'workers' | 'log'>) {
  const ids = classifier.takeMissed();
  if (ids.length === 0) return;
  graph.requeue('enrich', ids).then(
    () => workers.enrich.notify(),
    error => log.warn(`the types of ${ids.length} memories are not asked for again: ${messageOf(error)}`),
  );
}

export interface ConsolidatingParts {
  config: Pick<Config, 'consolidation'>;
  graph: GraphStore;
  vectors: VectorStore;
  projection: VectorProjection;
  embedder: Embedder;
  workers: Workers;
  languageModel: LanguageModel | undefined;
  places: Pick<Places, 'afterRequests'>;
  clock: Clock;
  log: Logger;
}

function consolidationOf(parts: ConsolidatingParts): Consolidation {
  const { config, embedder, workers, languageModel, log } = parts;
  const notify = () => workers.embed.notify();
  return startConsolidation({
    ...parts,
    settings: config.consolidation,
    models: [embedder.model, SUPPLIED_EMBEDDING],
    judge: createJudge(embedder),
    random: Math.random,
    newId: randomUUID,
    afterRequests: parts.places.afterRequests,
    ...(languageModel && {
      wordGroup: (texts, targetLength) =>
        languageModel.describeGroup(texts, targetLength).catch(error => {
          log.warn(`the language model failed, so groups are described without it: ${messageOf(error)}`);
          return undefined;
        }),
    }),
    onRemoved: notify,
    onRestored: notify,
    onFailure: (undertaking, error) =>
      log.warn(`consolidation: ${undertaking} failed and will be tried again later: ${messageOf(error)}`),
  });
}

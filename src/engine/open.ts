/** Composition root: Config into stores, models, workers and engine. The only place that names concrete parts. */
import type { Config } from '../config.js';
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import { createEmbedder } from '../embedding/providers.js';
import { createClassifier } from '../enrichment/classify/classifier.js';
import { createShortener } from '../enrichment/shorten.js';
import { chooseLanguageModel } from '../language-model/providers.js';
import { createLogger, type Logger } from '../log.js';
import { MissingBinaryError } from '../stores/embedded-vectors/collection.js';
import { openEmbeddedVectors } from '../stores/embedded-vectors/store.js';
import type { GraphStore } from '../stores/graph-store.js';
import { lockFolder } from '../stores/sqlite/folder-lock.js';
import { openSqliteStore } from '../stores/sqlite/store.js';
import type { VectorStore } from '../stores/vector-store.js';
import { createEngine, type Engine } from './engine.js';
import { startWorkers } from './workers.js';

export interface OpenOptions {
  log?: Logger;
  /** Tests pass one they move by hand. */
  clock?: Clock;
}

const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  schedule: (delayMs, callback, isAwaited = false) => {
    const timer = setTimeout(callback, delayMs);
    if (!isAwaited) timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Opens the memory. Undoes everything when a step fails.
 *
 * @throws MemoryError `unavailable` when the data folder is in use or cannot be used, `invalid` when the embeddings that
 * were asked for cannot be had with these settings
 */
export async function openEngine(config: Config, options: OpenOptions = {}): Promise<Engine> {
  const { log = createLogger(config.logLevel), clock = systemClock } = options;
  const undo: (() => unknown)[] = [];
  try {
    const lock = lockFolder(config.dataDir);
    undo.push(() => lock.release());
    const graph = openSqliteStore(config.dataDir);
    undo.push(() => graph.close());
    const { embedder, reason: embeddingReason } = await createEmbedder(config.embedding, { log, clock });
    undo.push(() => embedder.close());
    const { vectors, note } = await openVectors(config, log);
    if (vectors) {
      undo.push(() => vectors.close());
      await restoreVectors({ graph, vectors, embedder, log });
    }
    const { model: languageModel, reason } = await chooseLanguageModel(config.languageModel);
    log.info(`language model: ${languageModel?.description ?? 'none'} (${reason})`);
    const noteFailure = (error: unknown) => log.warn('the language model failed; the memory is kept as it is', error);
    const classifier = createClassifier(languageModel, noteFailure);
    const shortener = createShortener({
      model: languageModel,
      softLimit: config.content.softLimit,
      settings: config.summary,
      onFailure: noteFailure,
    });
    const workers = startWorkers({ config, clock, log, graph, vectors, embedder, classifier });
    return createEngine({
      config,
      graph,
      vectors,
      vectorsNote: note,
      embedder,
      embeddingReason,
      workers,
      classifier,
      shortener,
      languageModel,
      clock,
      log,
      release: async () => lock.release(),
    });
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

async function openVectors(
  config: Config,
  log: Logger,
): Promise<{ vectors: VectorStore | undefined; note: string | undefined }> {
  try {
    return { vectors: await openEmbeddedVectors(config.dataDir, config.input.vectorSize), note: undefined };
  } catch (error) {
    if (!(error instanceof MissingBinaryError)) throw error;
    const note = `${error.message}: recall works by words, tags and relations only`;
    log.warn(note);
    return { vectors: undefined, note };
  }
}

/** Makes sure that every memory gets a vector of the present model (decisions D32). */
async function restoreVectors(parts: {
  graph: GraphStore;
  vectors: VectorStore;
  embedder: Embedder;
  log: Logger;
}): Promise<void> {
  const { graph, vectors, embedder, log } = parts;
  // The folder of the vectors was removed or could not be read, now or by a process that ended before it came here.
  if ((await vectors.count()) < (await graph.countEmbedded())) {
    log.warn(`vectors were lost: ${await graph.requeueAll('embed')} memories are embedded again`);
  }
  const count = await graph.requeueOutdated([embedder.model, SUPPLIED_EMBEDDING]);
  if (count > 0)
    log.info(`${count} memories have no vector of ${embedder.model} yet: they are embedded in the background`);
}

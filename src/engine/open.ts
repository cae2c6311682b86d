/** Composition root: Config into stores, embedder, worker and engine. The only place that names concrete parts. */
import type { Config } from '../config.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import { createEmbedder } from '../embedding/providers.js';
import { embedMemories } from '../enrichment/embed-memories.js';
import { refreshStaleVectors } from '../enrichment/refresh-vectors.js';
import { startWorker } from '../enrichment/worker.js';
import { createLogger, type Logger } from '../log.js';
import { MissingBinaryError } from '../stores/embedded-vectors/collection.js';
import { openEmbeddedVectors } from '../stores/embedded-vectors/store.js';
import type { GraphStore } from '../stores/graph-store.js';
import { lockFolder } from '../stores/sqlite/folder-lock.js';
import { openSqliteStore } from '../stores/sqlite/store.js';
import type { VectorStore } from '../stores/vector-store.js';
import { createEngine, type Engine } from './engine.js';

export interface OpenOptions {
  log?: Logger;
  /** Tests pass one they move by hand. */
  clock?: Clock;
}

const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Opens the memory. Undoes everything when a step fails.
 *
 * @throws MemoryError `unavailable` when the data folder is in use or cannot be used
 */
export async function openEngine(config: Config, options: OpenOptions = {}): Promise<Engine> {
  const { log = createLogger(config.logLevel), clock = systemClock } = options;
  const undo: (() => unknown)[] = [];
  try {
    const lock = lockFolder(config.dataDir);
    undo.push(() => lock.release());
    const graph = openSqliteStore(config.dataDir);
    undo.push(() => graph.close());
    const embedder = await createEmbedder(config.embeddingProvider, config.input.vectorSize);
    undo.push(() => embedder.close());
    const { vectors, note } = await openVectors(config, log);
    if (vectors) {
      undo.push(() => vectors.close());
      await restoreLostVectors(graph, vectors, log);
    }
    const worker = vectors && startEmbedding({ config, clock, log, graph, vectors, embedder });
    return createEngine({
      config,
      graph,
      vectors,
      vectorsNote: note,
      embedder,
      worker,
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

/** The folder of the vectors was removed, or could not be read: then or by a process that ended before it came here. */
async function restoreLostVectors(graph: GraphStore, vectors: VectorStore, log: Logger): Promise<void> {
  const count = await vectors.count();
  const areLost = count < (await graph.countEmbedded()) || (count === 0 && (await graph.countMemories()) > 0);
  if (areLost) log.warn(`vectors were lost: ${await graph.requeueAll('embed')} memories are embedded again`);
}

function startEmbedding(parts: {
  config: Config;
  clock: Clock;
  log: Logger;
  graph: GraphStore;
  vectors: VectorStore;
  embedder: Embedder;
}) {
  const { config, clock, log, graph } = parts;
  return startWorker({
    graph,
    clock,
    kind: 'embed',
    settings: config.work,
    perform: claims => embedMemories(parts, claims),
    tidy: () => refreshStaleVectors(parts),
    onFailure: (error, isFinal) =>
      log.warn(isFinal ? 'a memory could not be embedded' : 'embedding is tried again', error),
  });
}

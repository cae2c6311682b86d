/** Maintains the vector store in one process: on request, periodically, and at the start. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.js';
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { ReembedReport, ReembedRequest, SyncReport, SyncRequest, TextIndexProgress } from '../domain/reports.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import { embedMemories } from '../enrichment/enrich-memories.js';
import type { Logger } from '../log.js';
import { reembed } from '../maintenance/reembed.js';
import { startSyncWorker, sync } from '../maintenance/sync.js';
import { startWordWorker } from '../maintenance/word-worker.js';
import type { Places } from '../places.js';
import type { Drift } from '../projection/drift.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { VectorStore } from '../stores/vector-store.js';
import type { Workers } from './workers.js';

export interface Maintenance {
  /** @throws MemoryError `conflict` while vectors are already being re-embedded or compared */
  reembed(request: ReembedRequest): Promise<ReembedReport>;
  /** @throws MemoryError `conflict` while vectors are already being re-embedded or compared */
  sync(request: SyncRequest): Promise<SyncReport>;
  /** Returns the drift between the stores. The result may be cached, as described in `SyncWorker`. */
  drift(): Promise<Drift>;
  /**
   * Queues every memory that has neither a vector of the current model nor a vector from a caller. An earlier vector
   * may be lost, or made with another model (docs/decisions.md, "Vectors and their model"). Also starts to analyze
   * memories again that another version of the text analyzer analyzed; `idle` waits for this.
   */
  catchUp(): Promise<void>;
  /** Undefined unless memories are being analyzed again. */
  readonly textIndex: TextIndexProgress | undefined;
  /** Resolves when no memories are being analyzed again. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export interface MaintenanceParts {
  config: Pick<Config, 'work' | 'sync'>;
  graph: GraphStore;
  vectors: VectorStore;
  projection: VectorProjection;
  embedder: Embedder;
  workers: Workers;
  places: Pick<Places, 'afterRequests'>;
  clock: Clock;
  log: Logger;
  /** Whether one of the stores is a server. */
  isRemote: boolean;
  /** Called when stored data are missing. */
  refuseWrites(reason: string): void;
}

/** Refuses writes if the graph store has lost its data: it has no memories, but the vectors still exist. */
async function refuseWritesWhenEmptied(parts: MaintenanceParts): Promise<void> {
  // Another process may have deleted the last memories with their vectors between two reads, so both must agree.
  const vectorCount = (await countLostVectors(parts)) && (await countLostVectors(parts));
  if (vectorCount > 0)
    parts.refuseWrites(`the vector store has ${vectorCount} vectors, but the graph store has no memories`);
}

/** Returns the number of vectors if the graph has neither memories nor notes of vectors that are about to be removed. */
async function countLostVectors({ graph, vectors }: MaintenanceParts): Promise<number> {
  // Count the vectors first. If another process stores the first memory meanwhile, its vector is not counted yet.
  const count = await vectors.count();
  const isExplained = count === 0 || (await graph.countMemories()) > 0 || (await graph.staleVectors(1)).length > 0;
  return isExplained ? 0 : count;
}

export function startMaintenance(parts: MaintenanceParts): Maintenance {
  const { config, graph, vectors, embedder, workers, log } = parts;
  let isStopping = false;
  let hasCaughtUp = false;
  let catchingUp = Promise.resolve();
  const embedding = {
    ...parts,
    isStopping: () => isStopping,
    newHolder: randomUUID,
    model: embedder.model,
    leaseMs: config.work.leaseMs,
    embed: async (claims: Parameters<typeof embedMemories>[1]) => {
      const settled = await embedMemories({ ...parts, dimensions: vectors.dimensions }, claims);
      workers.enrich.notify();
      return settled;
    },
    onFailure: (error: unknown) => log.warn('a batch of memories could not be embedded and stays queued', error),
  };
  const syncWorker = startSyncWorker({
    ...parts,
    isStopping: () => isStopping,
    newHolder: randomUUID,
    settings: config.sync,
    onRequeued: count => {
      log.warn(`${count} memories have no vector and will be embedded in the background`);
      workers.embed.notify();
    },
    onFailure: error => log.warn('the stores could not be compared', error),
  });
  const words = startWordWorker({
    ...parts,
    isStopping: () => isStopping,
    newHolder: randomUUID,
    afterRequests: parts.places.afterRequests,
    ...wordMessages(log),
  });
  /** Requested maintenance runs that are in progress. After each run the cached drift is outdated. */
  const running = new Set<Promise<unknown>>();
  const run = async <Report>(start: () => Promise<Report>): Promise<Report> => {
    // Wait for the background check, even if it is only about to begin, because it would conflict with this run.
    await catchingUp.catch(() => undefined);
    await syncWorker.idle();
    const report = start();
    running.add(report);
    try {
      return await report;
    } finally {
      running.delete(report);
      syncWorker.forget();
    }
  };
  const catchUp = async () => {
    const isFirst = !hasCaughtUp;
    await refuseWritesWhenEmptied(parts);
    if (isFirst) await graph.reclaim();
    words.start();
    // The first run with a server always compares the stores, because other processes may have changed the server. In
    // embedded stores only this process changes vectors, so comparing the counts is enough.
    const isSuspect =
      (isFirst && parts.isRemote) || (await vectors.count()) < (await graph.countMemories({ embeddedBy: 'any' }));
    if (isSuspect) await syncWorker.check();
    hasCaughtUp = true;
    const count = await graph.requeueOutdated([embedder.model, SUPPLIED_EMBEDDING]);
    if (count === 0) return;
    log.info(`${count} memories have no vector of ${embedder.model} yet and will be embedded in the background`);
    workers.embed.notify();
  };
  return {
    reembed: request => run(() => reembed(embedding, request)),
    sync: request => run(() => sync(embedding, request)),
    drift: () => syncWorker.drift(),
    get textIndex() {
      return words.progress;
    },
    idle: () => words.idle(),
    catchUp: () => {
      catchingUp = catchUp();
      return catchingUp;
    },
    stop: async () => {
      isStopping = true;
      await Promise.allSettled([...running, syncWorker.stop(), words.stop()]);
    },
  };
}

/** Returns the messages about memories that are analyzed again. */
function wordMessages(log: Logger) {
  return {
    onStart: ({ analyzerVersion, doneCount, total }: TextIndexProgress) =>
      log.info(
        `${total - doneCount} of ${total} memories are analyzed again in the background, by version ${analyzerVersion} of the text analyzer`,
      ),
    onEnd: ({ analyzerVersion, total }: TextIndexProgress) =>
      log.info(`all ${total} memories are analyzed by version ${analyzerVersion} of the text analyzer`),
    onNewer: () =>
      log.warn(
        'a newer Engraph has analyzed memories of this graph, so searches by words find fewer of them: update this Engraph',
      ),
    onFailure: (error: unknown) => log.warn('memories could not be analyzed again, which is tried again later', error),
  };
}

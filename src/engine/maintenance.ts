/** The upkeep of the vector store in one process: on request, from time to time, and at the start. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.js';
import type { ReembedReport, ReembedRequest, SyncReport, SyncRequest } from '../domain/maintenance.js';
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import { embedMemories } from '../enrichment/embed-memories.js';
import type { Logger } from '../log.js';
import { reembed } from '../maintenance/reembed.js';
import { sync } from '../maintenance/sync.js';
import { startSyncWorker } from '../maintenance/sync-worker.js';
import type { Drift } from '../projection/drift.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { GraphStore } from '../stores/graph-store.js';
import { assertGoingOn } from '../stores/under-lease.js';
import type { VectorStore } from '../stores/vector-store.js';
import { takeInOthers, tellOf } from './adoption.js';
import type { Workers } from './workers.js';

export interface Maintenance {
  /** @throws MemoryError `conflict` while such a run is going on */
  reembed(request: ReembedRequest): Promise<ReembedReport>;
  /** @throws MemoryError `conflict` while such a run is going on */
  sync(request: SyncRequest): Promise<SyncReport>;
  /** How the stores stand; at most so old as `SyncWorker` allows. */
  drift(): Promise<Drift>;
  /**
   * Makes sure that every memory gets a vector of the present model: also where vectors were lost, or the model was
   * another when they were made (docs/decisions.md, "Vectors and their model").
   */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface MaintenanceParts {
  config: Pick<Config, 'work' | 'sync'>;
  graph: GraphStore;
  vectors: VectorStore;
  projection: VectorProjection;
  embedder: Embedder;
  workers: Workers;
  clock: Clock;
  log: Logger;
  /** Whether one of the stores is a server. */
  isRemote: boolean;
  /** Something is missing. */
  refuseWrites(reason: string): void;
}

/** Vectors outlast the memories of a server that came back without its data. */
async function refuseWritesWhenEmptied({ graph, vectors, refuseWrites }: MaintenanceParts): Promise<void> {
  // In this order: another process may be storing its first memory, whose vector comes after it.
  const vectorCount = await vectors.count();
  if (vectorCount === 0 || (await graph.countMemories()) > 0) return;
  // Deleted memories leave notes until their vectors are gone.
  if ((await graph.staleVectors(1)).length > 0) return;
  refuseWrites(`the vector store holds ${vectorCount} vectors, and the graph store has no memory`);
}

export function startMaintenance(parts: MaintenanceParts): Maintenance {
  const { config, graph, vectors, embedder, workers, log } = parts;
  let isStopping = false;
  let hasCaughtUp = false;
  let catchingUp = Promise.resolve();
  let isAdopted = false;
  const embedding = {
    ...parts,
    isStopping: () => isStopping,
    newHolder: randomUUID,
    model: embedder.model,
    leaseMs: config.work.leaseMs,
    embed: async (claims: Parameters<typeof embedMemories>[1]) => {
      const settled = await embedMemories({ ...parts, dimensions: vectors.dimensions }, claims);
      workers.enrich.notify(settled.length);
      return settled;
    },
    onFailure: (error: unknown) => log.warn('a batch of memories could not be embedded; it waits', error),
  };
  const syncWorker = startSyncWorker({
    ...parts,
    isStopping: () => isStopping,
    newHolder: randomUUID,
    settings: config.sync,
    onRequeued: count => {
      log.warn(`${count} memories had no vector: they are embedded in the background`);
      workers.embed.notify(count);
    },
    // The first check follows the start, which has just done it.
    adopt: async onPage => {
      if (!isAdopted) await takeInOthers(parts, onPage);
      isAdopted = false;
    },
    onFailure: error => log.warn('the stores could not be compared', error),
  });
  /** Runs that somebody asked for; after one, what was known of the stores is no longer so. */
  const running = new Set<Promise<unknown>>();
  const run = async <Report>(start: () => Promise<Report>): Promise<Report> => {
    // Our own check in the background must not make us refuse, and it may still be about to begin.
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
    if (isFirst) {
      await takeInOthers(parts, async () => assertGoingOn(embedding));
      isAdopted = true;
    }
    await refuseWritesWhenEmptied(parts);
    if (isFirst) await graph.reclaim();
    // Others may have been at work on a server. What is embedded changes by us alone, so that the totals tell.
    const isSuspect = (isFirst && parts.isRemote) || (await vectors.count()) < (await graph.countEmbedded());
    if (isSuspect) await syncWorker.check();
    hasCaughtUp = true;
    const count = await graph.requeueOutdated([embedder.model, SUPPLIED_EMBEDDING]);
    if (count === 0) return;
    log.info(`${count} memories have no vector of ${embedder.model} yet: they are embedded in the background`);
    workers.embed.notify(count);
  };
  return {
    reembed: request => run(() => reembed(embedding, request)),
    sync: request =>
      run(async () => {
        const report = await sync(embedding, request);
        if (report.adoption && !report.isDryRun) tellOf(parts, report.adoption);
        return report;
      }),
    drift: () => syncWorker.drift(),
    catchUp: () => {
      catchingUp = catchUp();
      return catchingUp;
    },
    stop: async () => {
      isStopping = true;
      await Promise.allSettled([...running, syncWorker.stop()]);
    },
  };
}

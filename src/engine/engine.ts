/** The facade that every adapter sees: one memory, whatever stores, models and workers stand behind it. */
import type { Config } from '../config.js';
import type { Consolidation } from '../consolidation/consolidation.js';
import type { Analysis } from '../domain/analysis.js';
import type { Association, Supersession } from '../domain/association.js';
import type { MemoryError } from '../domain/errors.js';
import type { InputLimits } from '../domain/input-limits.js';
import type { ReembedReport, ReembedRequest, SyncReport, SyncRequest } from '../domain/maintenance.js';
import type { Memory, MemoryPatch, NewMemory } from '../domain/memory.js';
import { RECALL_DEFAULTS, type RecallQuery, type TagPage } from '../domain/recall-query.js';
import type { RecallOutcome } from '../domain/recall-results.js';
import type { RelatedQuery } from '../domain/related-query.js';
import type { Relation } from '../domain/relation.js';
import type {
  MemoryWithRelations,
  RelatedOutcome,
  Reprocessing,
  SimilarMemory,
  StartupOutcome,
  StoredMemories,
  StoredMemory,
  TagPageOutcome,
  TagRemoval,
} from '../domain/results.js';
import type { Statistics } from '../domain/statistics.js';
import type { HealthReport, WorkStatus } from '../domain/status.js';
import type { Clock } from '../domain/time.js';
import type { WhyNotOutcome } from '../domain/why-not.js';
import type { WatchedEmbedder } from '../embedding/embedder.js';
import type { Classifier } from '../enrichment/classify/classifier.js';
import type { Shortener } from '../enrichment/shorten.js';
import { createHooks, type Hooks } from '../hooks/hooks.js';
import { analyze } from '../insight/analyze.js';
import { checkHealth } from '../insight/health.js';
import { createRecallTally } from '../insight/recall-tally.js';
import { gatherStatistics } from '../insight/statistics.js';
import type { LanguageModel } from '../language-model/language-model.js';
import { type Logger, warnOnce } from '../log.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import { createAccessRecorder } from '../recall/access-recorder.js';
import { whyNot } from '../recall/answer/why-not.js';
import { recall } from '../recall/recall.js';
import { createTextCache } from '../recall/score/text-cache.js';
import { findSimilar } from '../recall/similar.js';
import { startupRecall } from '../recall/startup.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { StorageState } from '../stores/storage-state.js';
import type { VectorStore } from '../stores/vector-store.js';
import { associate, associateMany, related } from './associate.js';
import type { Foreground } from './foreground.js';
import type { Maintenance } from './maintenance.js';
import { type ReadParts, readByTag, readOne } from './read.js';
import { createRecallLine } from './recall-line.js';
import {
  associationsWithTimes,
  associationWithTime,
  memoriesWithTimes,
  memoryWithTimes,
  patchWithTimes,
} from './said-times.js';
import { createTransfer, type Transfer } from './transfer.js';
import { workStatus } from './work-status.js';
import { stopWorkers, type Workers } from './workers.js';
import { removeByTag, removeOne, storeMany, storeOne, updateOne } from './write.js';

/**
 * Every method may reject with MemoryError `unavailable` when the graph store cannot be reached. Times of what is written may
 * be in words, such as "yesterday", and are read with the engine's clock.
 */
export interface Engine {
  /** Bounds for the input parsers of the domain. */
  readonly limits: InputLimits;
  /** @throws MemoryError `conflict` when the id exists with other content; the same content is a replay */
  store(memory: NewMemory, supersession?: Supersession): Promise<StoredMemory>;
  /**
   * Memories that hold now and say nearly the same as one that is stored, closest first. Never rejects: none are found while
   * the search fails.
   */
  similarTo(memory: Memory, exceptIds: readonly string[]): Promise<SimilarMemory[]>;
  /** All or nothing. */
  storeMany(memories: readonly NewMemory[]): Promise<StoredMemories>;
  /** @throws MemoryError `not_found` */
  get(id: string): Promise<MemoryWithRelations>;
  /**
   * Answers the memory as it is now.
   *
   * @throws MemoryError `not_found`
   */
  update(id: string, patch: MemoryPatch): Promise<Memory>;
  /** @throws MemoryError `not_found` */
  remove(id: string): Promise<void>;
  /** @throws MemoryError `not_found` when one of the memories does not exist */
  associate(association: Association): Promise<Relation>;
  /** Each item succeeds or fails by itself. In the order of the items: the edge, or why there is none. */
  associateMany(items: readonly (Association | MemoryError)[]): Promise<(Relation | MemoryError)[]>;
  /**
   * Memories that edges lead to.
   *
   * @throws MemoryError `not_found`
   */
  related(query: RelatedQuery): Promise<RelatedOutcome>;
  listByTag(page: TagPage): Promise<TagPageOutcome>;
  /** Deletes every memory that has any of the tags, exactly. */
  removeByTag(tags: readonly string[]): Promise<TagRemoval>;
  /** What the query leaves out is as in `RECALL_DEFAULTS`. Matches are noted as accesses, which make memories more recent. */
  recall(query: Partial<RecallQuery>): Promise<RecallOutcome>;
  /** The same recall, which notes nothing. */
  untracedRecall(query: Partial<RecallQuery>): Promise<RecallOutcome>;
  /** @throws MemoryError `not_found` */
  whyNot(query: RecallQuery, id: string): Promise<WhyNotOutcome>;
  /** Never rejects and answers within two seconds. */
  health(): Promise<HealthReport>;
  /** All counts and measurements, for monitoring. Never rejects and answers within two seconds. */
  statistics(): Promise<Statistics>;
  workStatus(): Promise<WorkStatus>;
  /** What the memories look like together. A part that cannot be found out is null. */
  analyze(): Promise<Analysis>;
  /** What an assistant should know before anything is asked. Not noted as an access. */
  startupRecall(): Promise<StartupOutcome>;
  /** Makes memories wait to be enriched again, also while that is in flight. Unknown ids are passed over. */
  reprocess(ids: readonly string[]): Promise<Reprocessing>;
  /**
   * Makes vectors again, newest memories first.
   *
   * @throws MemoryError `conflict` while such a run is going on
   */
  reembed(request: ReembedRequest): Promise<ReembedReport>;
  /**
   * Compares the stores and mends the vector store, or only tells.
   *
   * @throws MemoryError `conflict` while such a run is going on
   */
  sync(request: SyncRequest): Promise<SyncReport>;
  /** Runs that let memories fade, link and group, and what takes them back. */
  readonly consolidation: Omit<Consolidation, 'stop'>;
  /** What an assistant is told without asking. Leaves no trace among the accesses. */
  readonly hooks: Omit<Hooks, 'flush'>;
  /** Export and import, in pages. */
  readonly transfer: Transfer;
  /** Resolves when no background work is left but what waits for the end of a back-off. */
  idle(): Promise<void>;
  /** Finishes work in flight and closes everything; safe to call twice. */
  close(): Promise<void>;
}

export interface EngineParts {
  config: Pick<Config, 'input' | 'recall' | 'work'>;
  graph: GraphStore;
  vectors: VectorStore;
  projection: VectorProjection;
  storage: StorageState;
  embedder: WatchedEmbedder;
  /** Why it is this embedder. */
  embeddingReason: string;
  workers: Workers;
  maintenance: Maintenance;
  consolidation: Consolidation;
  foreground: Pick<Foreground, 'during'>;
  /** Counts batches that are being stored. */
  imports: Pick<Foreground, 'during'>;
  classifier: Classifier;
  shortener: Shortener;
  /** Absent when there is none. */
  languageModel: LanguageModel | undefined;
  clock: Clock;
  log: Logger;
  /** Resolves when what was missed while a server was away, or before the start, has been taken up. */
  caughtUp(): Promise<void>;
  /** Called last. */
  closeStores(): Promise<void>;
}

/** Longest wait for the model at the end; the command line allows four seconds for everything. */
const CLOSE_GRACE_MS = 1_500;

/** Puts the parts behind the facade. */
export function createEngine(parts: EngineParts): Engine {
  const { config, graph, vectors, embedder, workers, foreground, imports, clock, log } = parts;
  const accesses = createAccessRecorder(graph, clock, error => log.warn('could not note an access', error));
  const onUncompared = warnOnce(log, 'a new memory was not compared with the others');
  const writing = { ...parts, limits: config.input };
  const recalling = {
    graph,
    vectors,
    embedder,
    clock,
    settings: config.recall,
    texts: createTextCache(),
    onDegraded: warnOnce(log, 'recall goes on without vectors'),
  };
  const line = createRecallLine(clock);
  const recalls = createRecallTally(clock);
  const reading: ReadParts = { graph, clock, relationLimit: config.recall.relationLimit };
  const untracedRecall: Engine['untracedRecall'] = query =>
    foreground.during(() =>
      recalls.count(() => line.inTurn(() => recall(recalling, { ...RECALL_DEFAULTS, ...query }))),
    );
  const startup = () => foreground.during(() => startupRecall({ graph, clock }));
  const onFailure = warnOnce(log, 'a hook got no memories, or its log was not written');
  const hooks = createHooks({ recall: untracedRecall, startup, graph, clock, onFailure });
  let closing: Promise<void> | undefined;

  const close = async () => {
    // A model that does not answer must not hold up the end: what it has not embedded stays pending.
    const cancelGrace = clock.schedule(CLOSE_GRACE_MS, () => void embedder.close());
    await Promise.all([stopWorkers(workers), parts.maintenance.stop(), parts.consolidation.stop()]);
    cancelGrace();
    await Promise.all([accesses.flush(), hooks.flush()]);
    await embedder.close();
    await parts.closeStores();
  };

  return {
    limits: config.input,
    get: id => foreground.during(() => readOne(reading, id)),
    listByTag: page => foreground.during(() => readByTag(reading, page)),
    recall: async query => {
      const outcome = await untracedRecall(query);
      accesses.record(accessedIn(outcome));
      return outcome;
    },
    untracedRecall,
    store: (memory, supersession) =>
      foreground.during(async () => storeOne(writing, await memoryWithTimes(memory, clock.nowMs()), supersession)),
    similarTo: (memory, exceptIds) =>
      findSimilar(graph, { memory, exceptIds, nowMs: clock.nowMs() }).catch(error => {
        onUncompared(error);
        return [];
      }),
    storeMany: all => imports.during(async () => storeMany(writing, await memoriesWithTimes(all, clock.nowMs()))),
    update: (id, patch) =>
      foreground.during(async () => updateOne(writing, id, await patchWithTimes(patch, clock.nowMs()))),
    remove: id => foreground.during(() => removeOne(writing, id)),
    associate: association =>
      foreground.during(async () => associate(parts, await associationWithTime(association, clock.nowMs()))),
    associateMany: async items => associateMany(parts, await associationsWithTimes(items, clock.nowMs())),
    related: query => foreground.during(() => related(parts, query)),
    removeByTag: tags => removeByTag(writing, tags),
    whyNot: (query, id) => line.inTurn(() => whyNot(recalling, query, id)),
    health: () => healthOf(parts),
    statistics: () => gatherStatistics({ ...parts, recalls, drift: parts.maintenance.drift }),
    workStatus: () => workStatus(parts),
    analyze: () =>
      analyze({ graph, onFailure: (part, error) => log.warn(`an analysis goes without its part "${part}"`, error) }),
    startupRecall: startup,
    reprocess: async ids => {
      await graph.requeue('enrich', ids);
      workers.enrich.notify(ids.length);
      return { submittedCount: ids.length, ids: [...new Set(ids)].sort() };
    },
    reembed: async request => parts.maintenance.reembed(request),
    sync: async request => parts.maintenance.sync(request),
    consolidation: parts.consolidation,
    hooks,
    transfer: createTransfer(parts),
    idle: async () => {
      await parts.caughtUp();
      await workers.embed.drain();
      await workers.enrich.drain();
      // Enrichment changes tags, which the vectors carry too.
      await workers.embed.drain();
      await accesses.flush();
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function healthOf(parts: EngineParts): Promise<HealthReport> {
  const { embed, enrich } = parts.workers;
  return checkHealth({
    ...parts,
    configuredVectorSize: parts.config.input.vectorSize,
    drift: parts.maintenance.drift,
    embedding: embed,
    enriching: {
      isRunning: enrich.isRunning,
      successes: enrich.stats.successes,
      caughtUpMs: enrich.caughtUpMs,
      progressMs: enrich.progressMs,
    },
  });
}

/** The memories that a recall counts as accessed: those that match by themselves, so that questions do not feed themselves. */
function accessedIn({ results }: RecallOutcome): Memory[] {
  return results.filter(({ hasOwnEvidence }) => hasOwnEvidence).map(({ memory }) => memory);
}

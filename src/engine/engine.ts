/** The facade that every adapter uses: one memory, independent of its stores, models and workers. */
import type { Config } from '../config.js';
import type { Consolidation } from '../consolidation/consolidation.js';
import type { MemoryError } from '../domain/errors.js';
import type { MemoryHistory } from '../domain/history.js';
import type { InputLimits } from '../domain/input.js';
import type { Memory, MemoryPatch, NewMemory } from '../domain/memory.js';
import {
  RECALL_DEFAULTS,
  type RecallOutcome,
  type RecallQuery,
  type TagPage,
  type WhyNotOutcome,
} from '../domain/recall.js';
import type { Association, RelatedQuery, Relation, Supersession } from '../domain/relation.js';
import type {
  Analysis,
  CredentialPage,
  CredentialScanRequest,
  HealthReport,
  ReembedReport,
  ReembedRequest,
  Statistics,
  SyncReport,
  SyncRequest,
  WorkStatus,
} from '../domain/reports.js';
import type {
  MayReplace,
  MemoryWithRelations,
  RelatedOutcome,
  Reprocessing,
  StartupOutcome,
  StoredMemories,
  StoredMemory,
  TagPageOutcome,
  TagRemoval,
} from '../domain/results.js';
import type { Clock } from '../domain/time.js';
import type { WatchedEmbedder } from '../embedding/embedder.js';
import type { Classifier } from '../enrichment/classify/classifier.js';
import type { Shortener } from '../enrichment/shorten.js';
import { createHooks, type Hooks } from '../hooks/hooks.js';
import { analyze } from '../insight/analyze.js';
import { scanForCredentials } from '../insight/credential-scan.js';
import { checkHealth } from '../insight/health.js';
import { createRecallTally, gatherStatistics } from '../insight/statistics.js';
import type { LanguageModel } from '../language-model/language-model.js';
import { type Logger, warnOnce } from '../log.js';
import type { Places } from '../places.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import { createAccessRecorder } from '../recall/access-recorder.js';
import { whyNot } from '../recall/answer/why-not.js';
import { recall } from '../recall/recall.js';
import { standingPreferences, startupRecall } from '../recall/startup.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { StorageState } from '../stores/store-watch.js';
import type { VectorStore } from '../stores/vector-store.js';
import { presentIn } from '../time/calendar.js';
import { associate, associateMany, related } from './associate.js';
import type { Maintenance } from './maintenance.js';
import { findForAnswer } from './may-replace.js';
import { createProjectAliases, type ProjectAliases } from './project-aliases.js';
import { formerVersions, historyOf, type ReadParts, readByTag, readOne } from './read.js';
import {
  associationsWithTimes,
  associationWithTime,
  memoriesWithTimes,
  memoryWithTimes,
  patchWithTimes,
} from './stated-times.js';
import { storeMany } from './store-many.js';
import { createTransfer, type Transfer } from './transfer.js';
import { stopWorkers, type Workers, workStatus } from './workers.js';
import { removeByTag, removeOne, restoreVersion, storeOne, updateOne } from './write.js';

/**
 * A method may reject with MemoryError `unavailable` when the graph store cannot be reached, unless its comment says
 * that it never rejects. Times in writes may be in words, such as "yesterday". They are relative to the time of the
 * engine's clock.
 */
export interface Engine {
  /** The bounds that the input parsers apply. */
  readonly limits: InputLimits;
  /**
   * Runs a request that calls this engine, once it has a place among the requests that compute. Methods that compute take a
   * place themselves if they are called outside of such a request.
   *
   * @throws MemoryError `too_many_requests` when too many requests wait. The methods that take a place reject with it too.
   */
  inPlace<Answer>(request: () => Promise<Answer>): Promise<Answer>;
  /**
   * @throws MemoryError `conflict` when the id exists with different content. Different tags, type or importance
   * conflict too, unless a supersession is given. A repeated call with the same values is a replay and succeeds.
   */
  store(memory: NewMemory, supersession?: Supersession): Promise<StoredMemory>;
  /**
   * Finds earlier memories that memories which were just written may replace, at most three. Takes at most 150 ms.
   * Never rejects: if the search fails or takes longer, the list is empty, and enrichment finds them later.
   */
  mayReplace(written: readonly Memory[]): Promise<MayReplace[]>;
  /** Stores all memories, or none. */
  storeMany(memories: readonly NewMemory[]): Promise<StoredMemories>;
  /** @throws MemoryError `not_found` */
  get(id: string): Promise<MemoryWithRelations>;
  /**
   * Resolves to the changed memory.
   *
   * @throws MemoryError `not_found`
   */
  update(id: string, patch: MemoryPatch): Promise<Memory>;
  /**
   * The versions of a memory before its last edits.
   *
   * @throws MemoryError `not_found`
   */
  history(id: string): Promise<MemoryHistory>;
  /**
   * Takes back the edit that replaced a version, and all later edits. Resolves to the changed memory.
   *
   * @throws MemoryError `not_found` when the memory or the version does not exist
   */
  restoreVersion(id: string, number: number): Promise<Memory>;
  /** @throws MemoryError `not_found` */
  remove(id: string): Promise<void>;
  /** @throws MemoryError `not_found` when one of the memories does not exist */
  associate(association: Association): Promise<Relation>;
  /**
   * Each item succeeds or fails independently. The outcomes are in the order of the items. An outcome is the edge, or
   * the error of the item.
   */
  associateMany(items: readonly (Association | MemoryError)[]): Promise<(Relation | MemoryError)[]>;
  /**
   * Finds memories that edges connect to a memory.
   *
   * @throws MemoryError `not_found`
   */
  related(query: RelatedQuery): Promise<RelatedOutcome>;
  listByTag(page: TagPage): Promise<TagPageOutcome>;
  /** Deletes every memory that has at least one of these exact tags. */
  removeByTag(tags: readonly string[]): Promise<TagRemoval>;
  /**
   * Omitted parameters have the values of `RECALL_DEFAULTS`. A result that matches the query itself is recorded as
   * accessed, which makes its memory more recent.
   */
  recall(query: Partial<RecallQuery>): Promise<RecallOutcome>;
  /** Recalls like `recall`, but records no accesses. */
  untracedRecall(query: Partial<RecallQuery>): Promise<RecallOutcome>;
  /** @throws MemoryError `not_found` */
  whyNot(query: RecallQuery, id: string): Promise<WhyNotOutcome>;
  /** The former names of projects, under which recalls find their memories too. */
  readonly projects: Omit<ProjectAliases, 'applyTo'>;
  /** Never rejects. Answers within two seconds. */
  health(): Promise<HealthReport>;
  /** All counts and measurements, for monitoring. Never rejects. Answers within two seconds. */
  statistics(): Promise<Statistics>;
  workStatus(): Promise<WorkStatus>;
  /** An analysis of the memories, partly of samples. A part that cannot be determined is null. */
  analyze(): Promise<Analysis>;
  /** Reads a page of all memories, in the order of their ids, and finds contents that seem to contain a credential. */
  credentials(page: CredentialScanRequest): Promise<CredentialPage>;
  /** The memories that an assistant should know at the start of a session. They are not recorded as accessed. */
  startupRecall(): Promise<StartupOutcome>;
  /** Queues memories for enrichment again, even while they are being enriched. Unknown ids are ignored. */
  reprocess(ids: readonly string[]): Promise<Reprocessing>;
  /**
   * Embeds memories again, newest first.
   *
   * @throws MemoryError `conflict` while vectors are already being re-embedded or compared
   */
  reembed(request: ReembedRequest): Promise<ReembedReport>;
  /**
   * Compares the stores and repairs the vector store, or only reports.
   *
   * @throws MemoryError `conflict` while vectors are already being re-embedded or compared
   */
  sync(request: SyncRequest): Promise<SyncReport>;
  /** Runs decay, linking, grouping and forgetting, and undoes their changes. */
  readonly consolidation: Omit<Consolidation, 'stop'>;
  /** Supplies automatic context for assistants. Records no accesses. */
  readonly hooks: Omit<Hooks, 'flush'>;
  /** Reads and writes pages of records for export and import. */
  readonly transfer: Transfer;
  /** Resolves when no background work is left, except work that waits for the end of a back-off. */
  idle(): Promise<void>;
  /** Finishes work in flight and closes everything. A second call has no effect. */
  close(): Promise<void>;
}

/** @internal */
export interface EngineParts {
  config: Pick<Config, 'input' | 'recall' | 'work' | 'timeZone'>;
  graph: GraphStore;
  vectors: VectorStore;
  projection: VectorProjection;
  storage: StorageState;
  embedder: WatchedEmbedder;
  /** The reason why this embedder was chosen. */
  embeddingReason: string;
  workers: Workers;
  maintenance: Maintenance;
  consolidation: Consolidation;
  places: Places;
  classifier: Classifier;
  shortener: Shortener;
  /** Undefined when no language model is used. */
  languageModel: LanguageModel | undefined;
  clock: Clock;
  log: Logger;
  /** Resolves when the work that was missed before the start, or while a server failed, has been queued. */
  caughtUp(): Promise<void>;
  /** Called last. */
  closeStores(): Promise<void>;
}

/**
 * Longest wait for the model on close, in milliseconds. The command line allows four seconds for closing everything.
 */
const CLOSE_GRACE_MS = 1_500;

/** Builds the facade from its parts. @internal */
export function createEngine(parts: EngineParts): Engine {
  const { config, graph, embedder, workers, clock, log } = parts;
  const { take, takeLong } = parts.places;
  const accesses = createAccessRecorder(graph, clock, error => log.warn('could not record an access', error));
  const onUncompared = warnOnce(log, 'could not compare a new memory with the others');
  const writing = { ...parts, limits: config.input };
  const { zone, now } = presentIn(config.timeZone, clock);
  const recalling = {
    ...parts,
    settings: config.recall,
    zone,
    onDegraded: warnOnce(log, 'recall continues without vectors'),
  };
  const recalls = createRecallTally(clock);
  const aliases = createProjectAliases({ graph, clock, onFailure: warnOnce(log, 'former names cannot be read') });
  const reading: ReadParts = { graph, clock, relationLimit: config.recall.relationLimit };
  const untracedRecall: Engine['untracedRecall'] = query =>
    recalls.count(() => take(async () => recall(recalling, await aliases.applyTo({ ...RECALL_DEFAULTS, ...query }))));
  const onUnanalyzed = (part: string, error: unknown) =>
    log.warn(`the analysis continues without its part "${part}"`, error);
  const hooks = createHooks({
    recall: untracedRecall,
    startup: () => take(() => startupRecall({ graph, clock })),
    preferences: request => take(() => standingPreferences({ graph, clock }, request)),
    ...{ noteProject: aliases.note, graph, clock },
    onFailure: warnOnce(log, 'a hook got no memories, or its log entry could not be written'),
  });
  let closing: Promise<void> | undefined;

  const close = async () => {
    // A model that does not answer must not delay the shutdown. Memories that are not embedded yet stay queued.
    const closeModels = () => Promise.all([embedder.close(), parts.languageModel?.close()]);
    const cancelGrace = clock.schedule(CLOSE_GRACE_MS, () => void closeModels());
    await Promise.all([stopWorkers(workers), parts.maintenance.stop(), parts.consolidation.stop()]);
    cancelGrace();
    await Promise.all([accesses.flush(), hooks.flush()]);
    await closeModels();
    await parts.closeStores();
  };

  return {
    limits: config.input,
    inPlace: take,
    get: id => take(() => readOne(reading, id)),
    listByTag: page => take(() => readByTag(reading, page)),
    recall: async query => {
      const outcome = await untracedRecall(query);
      accesses.record(accessedIn(outcome));
      return outcome;
    },
    untracedRecall,
    store: (memory, supersession) =>
      take(async () => storeOne(writing, await memoryWithTimes(memory, now()), supersession)),
    mayReplace: written =>
      take(() => findForAnswer(parts, written)).catch(error => {
        onUncompared(error);
        return [];
      }),
    storeMany: all => takeLong(async () => storeMany(writing, await memoriesWithTimes(all, now()))),
    update: (id, patch) => take(async () => updateOne(writing, id, await patchWithTimes(patch, now()))),
    history: id => take(() => historyOf(parts, id)),
    restoreVersion: (id, number) => take(() => restoreVersion(writing, id, number)),
    remove: id => take(() => removeOne(writing, id)),
    associate: association => take(async () => associate(parts, await associationWithTime(association, now()))),
    associateMany: items => takeLong(async () => associateMany(parts, await associationsWithTimes(items, now()))),
    related: query => take(() => related(parts, query)),
    removeByTag: tags => takeLong(() => removeByTag(writing, tags)),
    whyNot: (query, id) => take(async () => whyNot(recalling, await aliases.applyTo(query), id)),
    projects: aliases,
    health: () => healthOf(parts),
    statistics: () => gatherStatistics({ ...parts, recalls, drift: parts.maintenance.drift }),
    workStatus: () => workStatus(parts),
    analyze: () => takeLong(() => analyze({ graph, onFailure: onUnanalyzed })),
    credentials: page => takeLong(() => scanForCredentials({ graph, formerVersions }, page)),
    startupRecall: () => take(() => startupRecall({ graph, clock })),
    reprocess: ids => reprocess(parts, ids),
    reembed: async request => parts.maintenance.reembed(request),
    sync: async request => parts.maintenance.sync(request),
    consolidation: parts.consolidation,
    hooks,
    transfer: createTransfer(parts),
    idle: async () => {
      await parts.caughtUp();
      await parts.maintenance.idle();
      await workers.embed.drain();
      await workers.enrich.drain();
      // Wait for the embedding worker again, because enrichment changes tags, and the vector store keeps tags too.
      await workers.embed.drain();
      await accesses.flush();
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function reprocess({ graph, workers }: EngineParts, ids: readonly string[]) {
  await graph.requeue('enrich', ids);
  workers.enrich.notify();
  return { submittedCount: ids.length, ids: [...new Set(ids)].sort() };
}

function healthOf(parts: EngineParts): Promise<HealthReport> {
  const { embed, enrich } = parts.workers;
  return checkHealth({
    ...parts,
    configuredVectorSize: parts.config.input.vectorSize,
    drift: parts.maintenance.drift,
    textIndex: parts.maintenance.textIndex,
    embedding: embed,
    enriching: {
      isRunning: enrich.isRunning,
      successes: enrich.stats.successes,
      caughtUpMs: enrich.caughtUpMs,
      progressMs: enrich.progressMs,
    },
  });
}

/**
 * Returns the memories that count as accessed: results whose own words, tags or meaning match the query. Results that
 * were found only through another memory do not count, so that recalls do not reinforce themselves.
 */
function accessedIn({ results }: RecallOutcome): Memory[] {
  return results.filter(({ hasOwnEvidence }) => hasOwnEvidence).map(({ memory }) => memory);
}

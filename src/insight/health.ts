/**
 * Reports the state of the service in one answer: reachable stores, counts, drift, background work (docs/decisions.md,
 * "Health and drift").
 */
import { messageOf } from '../domain/errors.js';
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type {
  Backlog,
  Consistency,
  HealthReport,
  LanguageModelReport,
  StorageReport,
  TextIndexProgress,
} from '../domain/reports.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { WorkCounts, WorkKind } from '../stores/ports/work-queue.js';
import type { StorageState, StoreActivity } from '../stores/store-watch.js';
import type { VectorStore } from '../stores/vector-store.js';
import { withinLimit } from '../time-limit.js';

/** The health report reads these times of each worker. */
interface WorkerProgress {
  /** When the worker last had no due work. */
  readonly caughtUpMs: number;
  /** When the worker last finished or failed a batch. */
  readonly progressMs: number;
}

export interface HealthParts {
  graph: GraphStore;
  vectors: VectorStore;
  storage: StorageState;
  embedder: Embedder;
  embeddingReason: string;
  languageModel: { readonly description: string; readonly lastFailure: string | undefined } | undefined;
  clock: Clock;
  configuredVectorSize: number;
  /** Counts the differences between the stores. */
  drift(): Promise<{ missingCount: number; orphanedCount: number }>;
  textIndex: TextIndexProgress | undefined;
  consolidation: { problems(): readonly string[]; countOpenProposals(): Promise<number> };
  embedding: WorkerProgress;
  enriching: WorkerProgress & { isRunning: boolean; successes: number };
}

export async function checkHealth(parts: HealthParts): Promise<HealthReport> {
  const { graph, vectors, embedder, clock, storage } = parts;
  const models = [embedder.model, SUPPLIED_EMBEDDING];
  const orNull = async <Value>(read: () => Promise<Value>) => (await attempt(clock, read)).value;
  const [memories, currentCount, embedding, enriching, found, drift, freeBytes, storedDimensions, openProposals] =
    await Promise.all([
      attempt(clock, () => graph.ping().then(() => graph.countMemories())),
      orNull(() => graph.countMemories({ embeddedBy: models })),
      orNull(() => progressOf(parts, 'embed', parts.embedding)),
      orNull(() => progressOf(parts, 'enrich', parts.enriching)),
      attempt(clock, () => vectors.ping().then(() => vectors.count())),
      orNull(() => parts.drift()),
      orNull(async () => (await storage.freeBytes()) ?? null),
      orNull(async () => vectors.storedDimensions ?? null),
      orNull(() => parts.consolidation.countOpenProposals()),
    ]);
  const areBothUp = memories.problem === undefined && found.problem === undefined;
  const reasons = reasonsOf({
    graphProblem: memories.problem,
    vectorProblem: found.problem,
    storage,
    freeBytes,
    work: [embedding, enriching].filter(progress => progress !== null),
  });
  return {
    reasons,
    graph: {
      name: graph.name,
      description: graph.description,
      isReachable: memories.problem === undefined,
      memoryCount: memories.value,
    },
    vectors: {
      description: vectors.description,
      isReachable: found.problem === undefined,
      vectorCount: found.value,
      dimensions: storedDimensions,
    },
    hasLengthMismatch:
      embedder.returned?.isUsable === false ||
      (storedDimensions !== null && storedDimensions !== parts.configuredVectorSize),
    consistency: areBothUp ? consistencyOf(drift) : 'unknown',
    embedder: {
      model: embedder.model,
      description: embedder.description,
      choiceReason: parts.embeddingReason,
      configuredDimensions: parts.configuredVectorSize,
      dimensions: embedder.returned?.dimensions ?? null,
      ...(embedder.lastFailure !== undefined && { lastFailure: embedder.lastFailure }),
    },
    ...(parts.languageModel && { languageModel: languageModelReport(parts.languageModel) }),
    embedding: { embeddedCount: currentCount, backlog: backlogOf(embedding) },
    enrichment: {
      isRunning: parts.enriching.isRunning,
      successes: parts.enriching.successes,
      backlog: backlogOf(enriching),
    },
    ...(parts.textIndex && { textIndex: parts.textIndex }),
    storage: storageReport(storage, freeBytes),
    consolidation: { problems: parts.consolidation.problems(), openProposals },
    takenAtMs: clock.nowMs(),
  };
}

async function progressOf(
  { graph, clock }: HealthParts,
  kind: WorkKind,
  worker: WorkerProgress,
): Promise<WorkProgress> {
  const [counts, dueMs] = await Promise.all([graph.workCounts(kind), graph.nextWorkDueMs(kind)]);
  const isDue = dueMs !== undefined && dueMs <= clock.nowMs();
  return {
    kind,
    counts,
    behindMs: isDue ? clock.elapsedMs() - worker.caughtUpMs : 0,
    silentMs: clock.elapsedMs() - worker.progressMs,
  };
}

/** The consistency of large stores is unknown until their first comparison has ended. */
function consistencyOf(drift: { missingCount: number; orphanedCount: number } | null): Consistency {
  if (!drift) return 'unknown';
  if (drift.missingCount > 0) return 'vectorsMissing';
  return drift.orphanedCount > 0 ? 'vectorsLeftOver' : 'inSync';
}

function backlogOf(progress: WorkProgress | null): Backlog | null {
  return progress && { ...progress.counts, behindMs: progress.behindMs };
}

function languageModelReport({
  description,
  lastFailure,
}: NonNullable<HealthParts['languageModel']>): LanguageModelReport {
  return { description, ...(lastFailure !== undefined && { lastFailure }) };
}

function storageReport(storage: StorageState, freeBytes: number | null): StorageReport {
  const { lastReadMs, lastWriteMs, recentFailures } = storage.graphActivity();
  return {
    lastReadMs: lastReadMs ?? null,
    lastWriteMs: lastWriteMs ?? null,
    recentFailures: recentFailures + storage.vectorActivity().recentFailures,
    integrity: storage.integrity().state,
    freeBytes,
  };
}

/** Time limit for the answer of a store. A caller that queries the stores in parallel can then answer within 2 s. */
const STORE_DEADLINE_MS = 1_500;

/** Returns the value, or the problem when the call fails or takes too long. */
export async function attempt<Value>(
  clock: Clock,
  read: () => Promise<Value>,
): Promise<{ value: Value; problem?: never } | { value: null; problem: string }> {
  const late = () => new Error(`no answer within ${STORE_DEADLINE_MS / 1000} seconds`);
  try {
    return { value: await withinLimit(read(), { clock, limitMs: STORE_DEADLINE_MS, late }) };
  } catch (error) {
    return { value: null, problem: messageOf(error) };
  }
}

/** The progress of background work. */
interface WorkProgress {
  kind: WorkKind;
  counts: WorkCounts;
  /** Time since the worker last had no due work: an upper bound for the wait of any due work. 0 if none is due. */
  behindMs: number;
  /** Time since the worker last finished or failed a batch. */
  silentMs: number;
}

export interface Findings {
  /** Problem of the last ping; undefined when the store answered. */
  graphProblem: string | undefined;
  vectorProblem: string | undefined;
  storage: StorageState;
  freeBytes: number | null;
  work: readonly WorkProgress[];
}

/** Minimum of free space. With less free space, a few more batches fill the disk. */
const FREE_BYTES_MIN = 64 * 1_048_576;
/** Maximum time without an attempt while work waits. It is longer than the longest wait between two attempts. */
const SILENT_MAX_MS = 600_000;

const ACTIVITY: Record<WorkKind, string> = { embed: 'Embedding', enrich: 'Enrichment' };

function reasonsOf({ graphProblem, vectorProblem, storage, freeBytes, work }: Findings): string[] {
  const integrity = storage.integrity();
  return [
    ...(graphProblem === undefined ? [] : [`The graph store does not answer: ${graphProblem}.`]),
    ...(vectorProblem === undefined ? [] : [`The vector store does not answer: ${vectorProblem}.`]),
    ...failuresOf('graph', storage.graphActivity()),
    ...failuresOf('vector', storage.vectorActivity()),
    ...(integrity.state === 'damaged' ? [`The database file is damaged: ${integrity.problem}.`] : []),
    ...storage.refusals().map(reason => `Nothing is written: ${reason}.`),
    ...(freeBytes !== null && freeBytes < FREE_BYTES_MIN
      ? [`The disk has ${mebibytes(freeBytes)} MiB left, and Engraph needs ${mebibytes(FREE_BYTES_MIN)}.`]
      : []),
    ...work.flatMap(frozenWork),
  ];
}

function failuresOf(store: string, { recentFailures, lastFailure }: StoreActivity): string[] {
  if (recentFailures === 0) return [];
  const times = recentFailures === 1 ? 'once' : `${recentFailures} times`;
  return [`The ${store} store has failed ${times} within the last minute: ${lastFailure}.`];
}

function frozenWork({ kind, counts, behindMs, silentMs }: WorkProgress): string[] {
  if (Math.min(behindMs, silentMs) < SILENT_MAX_MS) return [];
  const minutes = Math.floor(silentMs / 60_000);
  return [`${ACTIVITY[kind]} has made no attempt for ${minutes} minutes; waiting memories: ${counts.pending}.`];
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 1_048_576);
}

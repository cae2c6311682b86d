/** Gathers all counts and measurements for monitoring. */

import type { Confidence } from '../domain/recall.js';
import {
  type Backlog,
  createDurationCounter,
  type EmbeddingUsage,
  type RecallStatistics,
  type Statistics,
  type TokenUsage,
} from '../domain/reports.js';
import type { Clock } from '../domain/time.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { WorkKind } from '../stores/ports/work-queue.js';
import type { StorageState } from '../stores/store-watch.js';
import type { VectorStore } from '../stores/vector-store.js';
import { attempt } from './health.js';

export interface StatisticsParts {
  graph: Pick<GraphStore, 'ping' | 'countMemories' | 'workCounts' | 'nextWorkDueMs'>;
  vectors: Pick<VectorStore, 'ping' | 'count'>;
  storage: Pick<StorageState, 'graphActivity' | 'vectorActivity' | 'openCircuits' | 'freeBytes'>;
  clock: Clock;
  /** When each worker last had no due work, by `Clock.elapsedMs`. */
  workers: Record<WorkKind, { readonly caughtUpMs: number }>;
  embedder: { readonly model: string; readonly usage: EmbeddingUsage };
  languageModel: { readonly description: string; readonly usage: TokenUsage } | undefined;
  recalls: { read(): RecallStatistics };
  /** Counts the differences between the stores. */
  drift(): Promise<{ missingCount: number; orphanedCount: number }>;
}

/**
 * Gathers all values. The returned promise never rejects, and resolves within two seconds. Values that a store does not
 * report in time are null.
 */
export async function gatherStatistics(parts: StatisticsParts): Promise<Statistics> {
  const { graph, vectors, storage, clock, embedder, languageModel } = parts;
  const orNull = async <Value>(read: () => Promise<Value>) => (await attempt(clock, read)).value;
  const [memories, found, embed, enrich, drift, freeBytes] = await Promise.all([
    attempt(clock, () => graph.ping().then(() => graph.countMemories())),
    attempt(clock, () => vectors.ping().then(() => vectors.count())),
    orNull(() => workOf(parts, 'embed')),
    orNull(() => workOf(parts, 'enrich')),
    orNull(() => parts.drift()),
    orNull(() => storage.freeBytes()),
  ]);
  const circuits = storage.openCircuits();
  return {
    recalls: parts.recalls.read(),
    stores: {
      graph: storeOf(memories, circuits.graph, storage.graphActivity()),
      vectors: storeOf(found, circuits.vectors, storage.vectorActivity()),
    },
    work: { embed, enrich },
    memoryCount: memories.value,
    vectorCount: found.value,
    drift: drift && { missingCount: drift.missingCount, orphanedCount: drift.orphanedCount },
    freeDiskBytes: freeBytes ?? null,
    embedding: { model: embedder.model, ...embedder.usage },
    ...(languageModel && { languageModel: { model: languageModel.description, ...usageOf(languageModel.usage) } }),
  };
}

function storeOf({ problem }: { problem?: string }, isCircuitOpen: boolean, { failures }: { failures: number }) {
  return { isUp: problem === undefined, isCircuitOpen, failures };
}

async function workOf({ graph, clock, workers }: StatisticsParts, kind: WorkKind): Promise<Backlog> {
  const [counts, dueMs] = await Promise.all([graph.workCounts(kind), graph.nextWorkDueMs(kind)]);
  const isDue = dueMs !== undefined && dueMs <= clock.nowMs();
  return { ...counts, behindMs: isDue ? clock.elapsedMs() - workers[kind].caughtUpMs : 0 };
}

/** Leaves out the text of the last error. */
function usageOf({ requests, failures, inputTokens, outputTokens }: TokenUsage): TokenUsage {
  return { requests, failures, inputTokens, outputTokens };
}

export interface RecallTally {
  /** Runs a recall, and counts it when it is answered. */
  count<Answer extends { confidence: Confidence }>(run: () => Promise<Answer>): Promise<Answer>;
  read(): RecallStatistics;
}

export function createRecallTally(clock: Clock): RecallTally {
  const byConfidence: Record<Confidence, number> = { none: 0, low: 0, medium: 0, high: 0 };
  const durations = createDurationCounter();
  return {
    count: async run => {
      const startedMs = clock.elapsedMs();
      const answer = await run();
      byConfidence[answer.confidence] += 1;
      durations.add(clock.elapsedMs() - startedMs);
      return answer;
    },
    read: () => ({ byConfidence: { ...byConfidence }, durations: durations.read() }),
  };
}

/** What every step of one recall works with, made once. */
import type { RecallQuery } from '../domain/recall-query.js';
import type { RecallSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import type { EdgeStore } from '../stores/ports/edge-store.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { SearchIndex } from '../stores/ports/search-index.js';
import type { WorkQueue } from '../stores/ports/work-queue.js';
import type { VectorStore } from '../stores/vector-store.js';
import { planRecall, type RecallPlan } from './plan/plan.js';
import type { Pool } from './pool.js';
import { createMemoryReader, type MemoryReader } from './retrieve/memory-reader.js';
import { createQuestionEmbedder, type QuestionEmbedder } from './retrieve/question-vectors.js';
import type { TextCache } from './score/text-cache.js';
import { type SupersessionFinder, supersessionFinder } from './select/supersessions.js';

/** What recall asks of the graph. */
export type RecallGraph = SearchIndex &
  Pick<MemoryStore, 'getMemories'> &
  Pick<EdgeStore, 'relationsOf' | 'relationsWithEnds' | 'shownRelations'> &
  Pick<WorkQueue, 'listWaiting'>;

/** What the engine gives to every recall. */
export interface RecallParts {
  graph: RecallGraph;
  /** Absent without a vector store. */
  vectors: VectorStore | undefined;
  embedder: Embedder;
  settings: RecallSettings;
  /** One for all recalls. */
  texts: TextCache;
  clock: Clock;
  /** Vectors could not be made or searched; the recall goes on without. */
  onDegraded(error: unknown): void;
}

export interface RecallContext {
  plan: RecallPlan;
  /** The one instant at which the whole recall takes place. */
  nowMs: number;
  graph: RecallGraph;
  vectors: VectorStore | undefined;
  embedder: Embedder;
  settings: RecallSettings;
  onDegraded(error: unknown): void;
  /** Reads each memory once, however many steps ask for it. */
  memories: MemoryReader;
  /** What has superseded what at the instant, asked of the graph once for each memory. */
  supersessions: SupersessionFinder;
  /** Embeds each question once, also where it fails: nobody waits for an embedder twice. */
  embedQuestion: QuestionEmbedder;
}

/** One step of a recall: it sees what the steps before have made, and changes nothing else. */
export type Step = (context: RecallContext, pool: Pool) => Promise<Pool> | Pool;

/** @throws MemoryError `invalid` for a time expression that cannot be read */
export async function createContext(parts: RecallParts, query: RecallQuery): Promise<RecallContext> {
  const { graph, vectors, embedder, settings, texts, clock, onDegraded } = parts;
  const nowMs = clock.nowMs();
  return {
    plan: await planRecall(query, settings, nowMs),
    nowMs,
    graph,
    vectors,
    embedder,
    settings,
    onDegraded,
    memories: createMemoryReader(graph, texts),
    supersessions: supersessionFinder(graph, nowMs),
    embedQuestion: createQuestionEmbedder({ embedder, onDegraded }),
  };
}

/** Carries out steps in their order. */
export async function runSteps(steps: readonly Step[], context: RecallContext, pool: Pool): Promise<Pool> {
  let current = pool;
  for (const step of steps) current = await step(context, current);
  return current;
}

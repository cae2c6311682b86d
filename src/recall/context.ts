/** The context of one recall, which all steps share. */
import type { RecallQuery } from '../domain/recall.js';
import type { RecallSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import { inSteps } from '../event-loop.js';
import type { EdgeStore } from '../stores/ports/edge-store.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { SearchIndex } from '../stores/ports/search-index.js';
import type { WorkQueue } from '../stores/ports/work-queue.js';
import type { VectorStore } from '../stores/vector-store.js';
import type { TimeZone } from '../time/calendar.js';
import { planRecall, type RecallPlan } from './plan.js';
import type { Pool } from './pool.js';
import { createMemoryReader, type MemoryReader } from './retrieve/memory-reader.js';
import { createQuestionEmbedder, type QuestionEmbedder } from './retrieve/vector.js';
import type { TextCache } from './score/text-cache.js';
import { noLinks, type SupersessionFinder, supersessionFinder } from './select/supersessions.js';

/** The parts of the graph that recall uses. */
export type RecallGraph = SearchIndex &
  Pick<MemoryStore, 'getMemories'> &
  Pick<EdgeStore, 'relationsOf' | 'relationsWithEnds' | 'shownRelations'> &
  Pick<WorkQueue, 'listWaiting'>;

/** The dependencies that the engine gives to every recall. */
export interface RecallParts {
  graph: RecallGraph;
  /** Undefined without a vector store. */
  vectors: VectorStore | undefined;
  embedder: Embedder;
  settings: RecallSettings;
  /** The cache that all recalls share. */
  texts: TextCache;
  clock: Clock;
  /** The zone of days and clock times in words. */
  zone: TimeZone;
  /** Called when vectors could not be made or searched. The recall then continues without vectors. */
  onDegraded(error: unknown): void;
}

export interface RecallContext {
  plan: RecallPlan;
  /** The current time. The whole recall uses this one instant. */
  nowMs: number;
  zone: TimeZone;
  graph: RecallGraph;
  vectors: VectorStore | undefined;
  embedder: Embedder;
  settings: RecallSettings;
  onDegraded(error: unknown): void;
  /** Reads each memory once, even if several steps need it. */
  memories: MemoryReader;
  /** Finds the memories that supersede others at the current time. Each memory is read from the graph once. */
  supersessions: SupersessionFinder;
  /** Embeds each question once. Failures are cached too, so that no step waits for a failing embedder twice. */
  embedQuestion: QuestionEmbedder;
}

/** One step of a recall. It reads the result of the steps before it, and has no side effects. */
export type Step = (context: RecallContext, pool: Pool) => Promise<Pool> | Pool;

/** @throws MemoryError `invalid` for an unreadable time expression */
export async function createContext(parts: RecallParts, query: RecallQuery): Promise<RecallContext> {
  const { graph, vectors, embedder, settings, texts, clock, zone, onDegraded } = parts;
  const nowMs = clock.nowMs();
  const links = noLinks();
  const memories = createMemoryReader({ graph, texts, links });
  return {
    plan: await planRecall(query, settings, { nowMs, zone }),
    nowMs,
    zone,
    graph,
    vectors,
    embedder,
    settings,
    onDegraded,
    memories,
    supersessions: supersessionFinder(graph, nowMs, { known: links, readMemories: ids => memories.read(ids) }),
    embedQuestion: createQuestionEmbedder({ embedder, onDegraded }),
  };
}

/** Runs the steps in order. */
export async function runSteps(steps: readonly Step[], context: RecallContext, pool: Pool): Promise<Pool> {
  let current = pool;
  for await (const step of inSteps(steps)) current = await step(context, current);
  return current;
}

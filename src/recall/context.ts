/** The context of one recall, which all steps share. */
import { partsOf } from '../domain/collections.js';
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
import { createQueryEmbedder, type QueryEmbedder } from './retrieve/vector.js';
import { type AnalyzedMemory, analyze } from './score/text.js';
import { type SupersessionFinder, supersessionFinder } from './select/supersessions.js';

/** The parts of the graph that recall uses. */
export type RecallGraph = SearchIndex &
  Pick<MemoryStore, 'getMemories'> &
  Pick<EdgeStore, 'relationsOf' | 'relationsWithEnds'> &
  Pick<WorkQueue, 'listWaiting'>;

/** The dependencies that the engine gives to every recall. */
export interface RecallParts {
  graph: RecallGraph;
  /** Undefined without a vector store. */
  vectors: VectorStore | undefined;
  embedder: Embedder;
  settings: RecallSettings;
  clock: Clock;
  /** The zone of days and clock times in words. */
  zone: TimeZone;
  /** Called when vectors could not be made or searched. The recall then continues without vectors. */
  onDegraded(error: unknown): void;
}

export interface RecallContext extends RecallParts {
  plan: RecallPlan;
  /** The current time. The whole recall uses this one instant. */
  nowMs: number;
  memories: MemoryReader;
  /** Finds the memories that supersede others at the current time. */
  supersessions: SupersessionFinder;
  embedQuery: QueryEmbedder;
}

/** @throws MemoryError `invalid` for an unreadable time expression */
export async function createContext(parts: RecallParts, request: RecallQuery): Promise<RecallContext> {
  const { graph, embedder, settings, clock, zone, onDegraded } = parts;
  const nowMs = clock.nowMs();
  return {
    ...parts,
    plan: await planRecall(request, settings, { nowMs, zone }),
    nowMs,
    memories: createMemoryReader(graph),
    supersessions: supersessionFinder(graph, nowMs),
    embedQuery: createQueryEmbedder(embedder, error => onDegraded(error)),
  };
}

/** Number of memories that are read at once. An embedded graph blocks this thread meanwhile. */
const READ_AT_ONCE = 200;

export interface MemoryReader {
  /** Returns the existing memories, in the order of the ids. Each one is read once, even if several channels find it. */
  read(ids: Iterable<string>): Promise<AnalyzedMemory[]>;
}

export function createMemoryReader(graph: Pick<MemoryStore, 'getMemories'>): MemoryReader {
  /** For each id, the read that returns its memory. */
  const reads = new Map<string, Promise<ReadonlyMap<string, AnalyzedMemory>>>();
  return {
    read: async ids => {
      const wanted = new Set(ids);
      const unread = [...wanted].filter(id => !reads.has(id));
      if (unread.length > 0) {
        const read = readAndAnalyze(graph, unread);
        for (const id of unread) reads.set(id, read);
      }
      const found: AnalyzedMemory[] = [];
      for (const id of wanted) {
        const analyzed = (await reads.get(id))?.get(id);
        if (analyzed) found.push(analyzed);
      }
      return found;
    },
  };
}

async function readAndAnalyze(
  graph: Pick<MemoryStore, 'getMemories'>,
  ids: readonly string[],
): Promise<Map<string, AnalyzedMemory>> {
  const found = new Map<string, AnalyzedMemory>();
  for await (const part of inSteps(partsOf(ids, READ_AT_ONCE))) {
    for await (const [id, memory] of inSteps(await graph.getMemories(part))) found.set(id, analyze(memory));
  }
  return found;
}

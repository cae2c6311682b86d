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
import { type Links, noLinks, readLinks, type SupersessionFinder, supersessionFinder } from './select/supersessions.js';

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
  const links = noLinks();
  return {
    ...parts,
    plan: await planRecall(request, settings, { nowMs, zone }),
    nowMs,
    memories: createMemoryReader(graph, links),
    supersessions: supersessionFinder(graph, nowMs, links),
    embedQuery: createQueryEmbedder(embedder, error => onDegraded(error)),
  };
}

/** Number of memories that are read at once. An embedded graph blocks this thread meanwhile. */
const READ_AT_ONCE = 200;
/** Number of memories that are analyzed or compared between two looks at the clock. */
export const ANALYZED_AT_ONCE = 20;

export interface MemoryReader {
  /** Returns the existing memories, in the order of the ids. Each one is read once, even if several channels find it. */
  read(ids: Iterable<string>): Promise<AnalyzedMemory[]>;
}

/**
 * @param links receives the links of the memories, which every recall needs. They are read together with the memories,
 * because a request to a server takes much longer than the links.
 */
export function createMemoryReader(graph: Pick<EdgeStore, 'relationsWithEnds'>, links: Links): MemoryReader {
  const known = new Map<string, AnalyzedMemory>();
  /** For each id, the read that adds its memory to `known`. */
  const reads = new Map<string, Promise<void>>();
  return {
    read: async ids => {
      const wanted = [...new Set(ids)];
      const unread = wanted.filter(id => !reads.has(id));
      if (unread.length > 0) {
        const read = readAndAnalyze(graph, links, { ids: unread, known });
        for (const id of unread) reads.set(id, read);
      }
      await Promise.all(new Set(wanted.map(id => reads.get(id))));
      return wanted.flatMap(id => known.get(id) ?? []);
    },
  };
}

async function readAndAnalyze(
  graph: Pick<EdgeStore, 'relationsWithEnds'>,
  links: Links,
  { ids, known }: { ids: readonly string[]; known: Map<string, AnalyzedMemory> },
): Promise<void> {
  for await (const part of inSteps(partsOf(ids, READ_AT_ONCE))) {
    const memories = await readLinks(graph, links, { ids: part, isWithMemories: true });
    const read = partsOf([...memories], ANALYZED_AT_ONCE);
    for await (const some of inSteps(read)) for (const [id, memory] of some) known.set(id, analyze(memory));
  }
}

const GROWTH = 4;
/** A size grows from its start by at most this factor. */
const GROWTH_MAX = 16;

export interface Growing<Page> {
  /** Size of the first attempt. */
  from: number;
  read(size: number): Promise<Page>;
  /** Must also return true when nothing more is available. */
  isEnough(page: Page, size: number): boolean;
}

/** Repeats the read with four times the size until the page is enough, or the size cannot grow further. */
export async function grow<Page>({ from, read, isEnough }: Growing<Page>): Promise<Page> {
  for (let size = from; ; size *= GROWTH) {
    const page = await read(size);
    if (isEnough(page, size) || size >= from * GROWTH_MAX) return page;
  }
}

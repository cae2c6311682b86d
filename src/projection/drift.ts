/** Finds the ids about which graph and vector store disagree. Reads both stores page by page, while they are in use. */
import { yieldToEventLoop } from '../event-loop.js';
import type { VectorLedger, VectorState } from '../stores/graph-store.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { VectorStore } from '../stores/vector-store.js';

type DriftGraph = Pick<MemoryStore, 'getMemories'> & Pick<VectorLedger, 'vectorStates' | 'staleVectors'>;

export interface DriftParts {
  graph: DriftGraph;
  vectors: Pick<VectorStore, 'count' | 'ids' | 'present'>;
}

export interface Drift {
  memoryCount: number;
  /** Number of vectors before any repair. */
  vectorCount: number;
  missingCount: number;
  orphanedCount: number;
}

export interface DriftVisitor {
  /** Whether `onMissing` also gets memories whose embedding was given up. They are counted as missing in any case. */
  includesFailed?: boolean;
  /**
   * Called with memories that have no vector and no pending work that will create a vector; each call gets at most one
   * page.
   */
  onMissing?(ids: readonly string[]): Promise<void>;
  /**
   * Called with vectors that have no memory and no pending work that will remove the vectors; each call gets at most
   * one page.
   */
  onOrphaned?(ids: readonly string[]): Promise<void>;
  /** Called before each page. */
  onPage?(): Promise<void>;
}

const PAGE_SIZE = 500;
const NOTES_MAX = 100_000;

/** Compares the whole graph with the whole vector store. Changes that are still in progress do not count as drift. */
export async function walkDrift(parts: DriftParts, visitor: DriftVisitor = {}): Promise<Drift> {
  const vectorCount = await parts.vectors.count();
  const missing = await walkMissing(parts, visitor);
  // If the number of vectors equals the number of memories with a vector, no vector is orphaned.
  const mayBeOrphaned = (await parts.vectors.count()) > missing.presentCount;
  const orphanedCount = mayBeOrphaned ? await walkOrphaned(parts, visitor) : 0;
  return { memoryCount: missing.memoryCount, vectorCount, missingCount: missing.count, orphanedCount };
}

async function walkMissing({ graph, vectors }: DriftParts, visitor: DriftVisitor) {
  const { onMissing, onPage, includesFailed = false } = visitor;
  const found = { memoryCount: 0, presentCount: 0, count: 0 };
  let afterId: string | undefined;
  for (;;) {
    await onPage?.();
    const states = await graph.vectorStates({ ...(afterId !== undefined && { afterId }), limit: PAGE_SIZE });
    afterId = states.at(-1)?.id;
    if (afterId === undefined) return found;
    const present = await vectors.present(states.map(({ id }) => id));
    const absent = states.filter(state => !state.isPending && !present.has(state.id));
    const missing = await filterExisting(graph, absent);
    const told = missing.filter(({ hasFailed }) => includesFailed || !hasFailed).map(({ id }) => id);
    found.memoryCount += states.length;
    found.presentCount += present.size;
    found.count += missing.length;
    if (told.length > 0) await onMissing?.(told);
    await yieldToEventLoop();
  }
}

/** Leaves out memories that were deleted after the page was read. */
async function filterExisting(graph: DriftGraph, states: readonly VectorState[]): Promise<VectorState[]> {
  if (states.length === 0) return [];
  const memories = await graph.getMemories(states.map(({ id }) => id));
  return states.filter(({ id }) => memories.has(id));
}

async function walkOrphaned({ graph, vectors }: DriftParts, { onOrphaned, onPage }: DriftVisitor): Promise<number> {
  let count = 0;
  for await (const ids of pagesOf(vectors.ids())) {
    await onPage?.();
    const memories = await graph.getMemories(ids);
    const strays = ids.filter(id => !memories.has(id));
    const orphaned = strays.length > 0 ? await withoutPendingRemoval({ graph, vectors }, strays) : [];
    count += orphaned.length;
    if (orphaned.length > 0) await onOrphaned?.(orphaned);
    await yieldToEventLoop();
  }
  return count;
}

/**
 * Leaves out vectors that are about to be removed. The vector of a deleted memory is removed a moment after the memory,
 * or later, when the worker processes the graph's note that the vector is stale.
 */
async function withoutPendingRemoval({ graph, vectors }: DriftParts, ids: readonly string[]): Promise<string[]> {
  const noted = new Set((await graph.staleVectors(NOTES_MAX)).map(({ id }) => id));
  const present = await vectors.present(ids);
  return ids.filter(id => present.has(id) && !noted.has(id));
}

async function* pagesOf(ids: AsyncIterable<string>): AsyncIterable<string[]> {
  let page: string[] = [];
  for await (const id of ids) {
    page.push(id);
    if (page.length < PAGE_SIZE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

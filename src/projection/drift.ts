/** Finds the ids about which graph and vector store disagree. Reads both stores page by page, while they are in use. */
import { partsOf } from '../domain/collections.js';
import { inSteps } from '../event-loop.js';
import type { VectorLedger, VectorState } from '../stores/graph-store.js';
import { pagesOf } from '../stores/pages.js';
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
  const pages = pagesOf(
    page => graph.vectorStates(page),
    ({ id }) => id,
    { limit: PAGE_SIZE, onPage },
  );
  for await (const states of inSteps(pages)) {
    const present = await vectors.present(states.map(({ id }) => id));
    const absent = states.filter(state => !state.isPending && !present.has(state.id));
    const missing = await filterExisting(graph, absent);
    const told = missing.filter(({ hasFailed }) => includesFailed || !hasFailed).map(({ id }) => id);
    found.memoryCount += states.length;
    found.presentCount += present.size;
    found.count += missing.length;
    if (told.length > 0) await onMissing?.(told);
  }
  return found;
}

/** Leaves out memories that were deleted after the page was read. */
async function filterExisting(graph: DriftGraph, states: readonly VectorState[]): Promise<VectorState[]> {
  if (states.length === 0) return [];
  const memories = await graph.getMemories(states.map(({ id }) => id));
  return states.filter(({ id }) => memories.has(id));
}

/** Collects the vectors without a memory first, so that the notes of pending removals are read only once. */
async function walkOrphaned({ graph, vectors }: DriftParts, { onOrphaned, onPage }: DriftVisitor): Promise<number> {
  const strays: string[] = [];
  for await (const ids of inSteps(groupsOf(vectors.ids()))) {
    await onPage?.();
    strays.push(...(await withoutMemory(graph, ids)));
  }
  if (strays.length === 0) return 0;
  const noted = new Set((await graph.staleVectors(NOTES_MAX)).map(({ id }) => id));
  let count = 0;
  for await (const ids of inSteps(partsOf(strays, PAGE_SIZE))) {
    await onPage?.();
    const present = await vectors.present(ids);
    // Vectors with a note are about to be removed. The vector of a deleted memory is removed a moment after the memory,
    // or later, when the worker processes the note.
    const orphaned = await withoutMemory(
      graph,
      ids.filter(id => present.has(id) && !noted.has(id)),
    );
    count += orphaned.length;
    if (orphaned.length > 0) await onOrphaned?.(orphaned);
  }
  return count;
}

async function withoutMemory(graph: DriftGraph, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const memories = await graph.getMemories(ids);
  return ids.filter(id => !memories.has(id));
}

async function* groupsOf(ids: AsyncIterable<string>): AsyncIterable<string[]> {
  let page: string[] = [];
  for await (const id of ids) {
    page.push(id);
    if (page.length < PAGE_SIZE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

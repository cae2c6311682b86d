/**
 * Copies a memory from one pair of stores to another. A copy that was interrupted can be repeated: the repeated copy
 * skips the memory records that are already the same in the target.
 */
import { isLater } from '../../domain/later-state.js';
import type { Memory } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import type { VectorOf, VectorProjection } from '../../projection/vector-projection.js';
import type { GraphStore } from '../../stores/graph-store.js';
import type { NewRecord, PageRequest } from '../../stores/ports/memory-store.js';
import { type AuxiliaryNode, NODE_KINDS, type NodeLink } from '../../stores/ports/node-store.js';
import type { VectorStore } from '../../stores/vector-store.js';

export interface CopyParts {
  from: StorePair;
  to: StorePair;
  /** Writes vectors to the target. */
  put: VectorProjection['put'];
  onProgress(progress: CopyProgress): void;
}

export interface CopyProgress {
  what: 'memories' | 'relations' | 'nodes';
  done: number;
  /** Absent if the total is not known beforehand. */
  total?: number;
}

export interface Copied {
  memories: number;
  relations: number;
  nodes: number;
  /** Ids of memories that are not overwritten, because their state in the target is later. */
  kept: string[];
}

export async function copyAll(parts: CopyParts): Promise<Copied> {
  const { memories, kept } = await copyMemories(parts);
  const nodes = await copyNodes(parts);
  // Relations come last, because an edge needs the two memories that it connects.
  return { memories, kept, nodes, relations: await copyRelations(parts) };
}

async function copyMemories(parts: CopyParts): Promise<Pick<Copied, 'memories' | 'kept'>> {
  const { from, to, onProgress } = parts;
  const total = await from.graph.countMemories();
  const done = { memories: 0, kept: [] as string[] };
  for await (const page of pages(from.graph.readRecords, ({ memory }) => memory.id)) {
    const there = await to.graph.getMemories(page.map(({ memory }) => memory.id));
    const outdated = page.filter(({ memory }) => !isSame(there.get(memory.id), memory));
    const wanted = outdated.filter(({ memory }) => !isLater(there.get(memory.id), memory));
    done.kept.push(...outdated.filter(record => !wanted.includes(record)).map(({ memory }) => memory.id));
    // Vectors come first, so that no memory claims to have a vector that does not exist yet.
    const withVectors = await copyVectors(parts, wanted);
    const records = wanted.map(record => (withVectors.has(record.memory.id) ? record : waitingForVector(record)));
    await to.graph.saveMemories(records.filter(({ memory }) => !there.has(memory.id)));
    for (const { memory, work } of records) {
      if (there.has(memory.id)) await to.graph.updateMemory(memory.id, () => ({ memory, work }));
    }
    done.memories += page.length;
    onProgress({ what: 'memories', done: done.memories, total });
  }
  return done;
}

/** @returns ids of memories that now have their vector in the target */
async function copyVectors({ from, put }: CopyParts, wanted: readonly NewRecord[]): Promise<Set<string>> {
  const embedded = wanted.flatMap(({ memory }) => (memory.embedded_by === undefined ? [] : [memory.id]));
  const vectors = await from.vectors.vectorsOf(embedded);
  const made = wanted.flatMap(({ memory }): VectorOf[] => {
    const vector = vectors.get(memory.id);
    const model = memory.embedded_by;
    return vector && model !== undefined ? [{ memory, vector, model }] : [];
  });
  await put(made);
  return new Set(vectors.keys());
}

function waitingForVector({ memory, ...record }: NewRecord): NewRecord {
  const { embedded_by: _, ...rest } = memory;
  return { ...record, memory: rest, work: [...new Set([...record.work, 'embed' as const])] };
}

function isSame(present: Memory | undefined, memory: Memory): boolean {
  const fields = (record: Memory) => JSON.stringify(Object.entries(record).sort());
  return present !== undefined && fields(present) === fields(memory);
}

/**
 * Copies all outgoing edges of each memory, including those to nodes. An edge that was changed later in the target
 * stays unchanged.
 */
async function copyRelations({ from, to, onProgress }: CopyParts): Promise<number> {
  let done = 0;
  for await (const page of pages(from.graph.vectorStates, ({ id }) => id)) {
    const ids = page.map(({ id }) => id);
    const request = { ids, limit: ALL_EDGES_LIMIT, isOutgoingOnly: true };
    const edges = [...(await from.graph.relationsOf(request)).values()].flat();
    const laterEdges = instantsOf([...(await to.graph.relationsOf(request)).values()].flat(), edgeKey);
    const wanted = edges.filter(edge => !(edge.updated_at < (laterEdges.get(edgeKey(edge)) ?? '')));
    if (wanted.length > 0) await to.graph.saveRelations(wanted);
    const laterLinks = instantsOf(await to.graph.linksOf(ids), linkKey);
    for (const link of await from.graph.linksOf(ids)) {
      if (!(link.updated_at < (laterLinks.get(linkKey(link)) ?? ''))) await to.graph.linkNode(link);
    }
    done += edges.length;
    onProgress({ what: 'relations', done });
  }
  return done;
}

function instantsOf<Edge extends { updated_at: string }>(edges: readonly Edge[], keyOf: (edge: Edge) => string) {
  return new Map(edges.map(edge => [keyOf(edge), edge.updated_at]));
}

function edgeKey({ from, type, to }: Relation): string {
  return JSON.stringify([from, type, to]);
}

function linkKey({ memoryId, kind, nodeId }: NodeLink): string {
  return JSON.stringify([memoryId, kind, nodeId]);
}

async function copyNodes({ from, to, onProgress }: CopyParts): Promise<number> {
  let done = 0;
  for await (const node of nodesOf(from.graph)) {
    const present = await to.graph.getNode(node.kind, node.id);
    if (!present || present.updated_at <= node.updated_at) await to.graph.saveNode(node);
    done += 1;
    onProgress({ what: 'nodes', done });
  }
  return done;
}

export interface StorePair {
  graph: GraphStore;
  vectors: VectorStore;
}

/** A limit that no memory reaches, so that a request returns all edges of each memory. */
export const ALL_EDGES_LIMIT = 1_000_000;

const PAGE_SIZE = 200;
/** Prefix of the ids of leases. Leases are skipped, because they belong to processes and not to the memory. */
const LEASE_PREFIX = 'lease:';

/** Returns every element, in pages, ordered by id. */
export async function* pages<Element>(
  read: (page: PageRequest) => Promise<Element[]>,
  idOf: (element: Element) => string,
): AsyncGenerator<Element[]> {
  let afterId: string | undefined;
  for (;;) {
    const page = await read({ ...(afterId !== undefined && { afterId }), limit: PAGE_SIZE });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    afterId = idOf(last);
  }
}

/** Returns every node that is neither a memory nor a lease. */
export async function* nodesOf(graph: GraphStore): AsyncGenerator<AuxiliaryNode> {
  for (const kind of NODE_KINDS) {
    for await (const page of pages(
      request => graph.readNodes(kind, request),
      ({ id }) => id,
    )) {
      for (const node of page) if (!node.id.startsWith(LEASE_PREFIX)) yield node;
    }
  }
}

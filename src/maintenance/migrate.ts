/**
 * Copies a memory from one pair of stores to another, and then compares a hash of each record and its edges, and the
 * vector of each record. A copy that was interrupted can be repeated: the repeated copy
 * skips the memory records that are already the same in the target.
 */

import { createHash } from 'node:crypto';
import { canonicalJson } from '../domain/json.js';
import type { Memory } from '../domain/memory.js';
import { ALL_EDGES, type Relation } from '../domain/relation.js';
import { isLater, LEASE_PREFIX } from '../domain/transfer.js';
import { dotProduct } from '../domain/vectors.js';
import type { VectorOf, VectorProjection } from '../projection/vector-projection.js';
import type { GraphStore } from '../stores/graph-store.js';
import { nodePages, pagesOf } from '../stores/pages.js';
import type { NewRecord } from '../stores/ports/memory-store.js';
import { type AuxiliaryNode, NODE_KINDS, type NodeLink } from '../stores/ports/node-store.js';
import type { VectorStore } from '../stores/vector-store.js';

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
  for await (const page of pagesOf(from.graph.readRecords, ({ memory }) => memory.id)) {
    const there = await to.graph.getMemories(page.map(({ memory }) => memory.id));
    const outdated = page.filter(({ memory }) => !isSame(there.get(memory.id), memory));
    const wanted = outdated.filter(({ memory }) => !isLater(there.get(memory.id), memory));
    done.kept.push(...outdated.filter(record => !wanted.includes(record)).map(({ memory }) => memory.id));
    // Vectors come first, so that no memory claims to have a vector that does not exist yet.
    const withVectors = await copyVectors(parts, wanted);
    const records = wanted.map(record => (withVectors.has(record.memory.id) ? record : waitingForVector(record)));
    await to.graph.saveMemories(records.filter(({ memory }) => !there.has(memory.id)));
    for (const record of records) {
      if (there.has(record.memory.id)) await to.graph.updateMemory(record.memory.id, () => record);
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
  for await (const page of pagesOf(from.graph.vectorStates, ({ id }) => id)) {
    const ids = page.map(({ id }) => id);
    const request = { ids, limit: ALL_EDGES, isOutgoingOnly: true };
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

interface StorePair {
  graph: GraphStore;
  vectors: VectorStore;
}

/** Returns every node that is neither a memory nor a lease. */
async function* nodesOf(graph: GraphStore): AsyncGenerator<AuxiliaryNode> {
  for (const kind of NODE_KINDS) {
    for await (const page of nodePages(graph, kind)) {
      for (const node of page) if (!node.id.startsWith(LEASE_PREFIX)) yield node;
    }
  }
}

export interface Verification {
  memories: number;
  relations: number;
  nodes: number;
  /** Number of vectors in the target that are similar enough to the vectors of the source. */
  vectors: number;
  /** SHA-256 over all records, edges and nodes of the source. */
  digest: string;
  /** Memories and nodes that are missing in the target, or differ there without having a later state. */
  differing: string[];
  /** Number of memories that only the target has, because it had them before the copy. */
  others: number;
  /** Number of memories whose vector was not copied. Engraph computes these vectors again. */
  withoutVector: number;
}

interface HashedRecord extends NewRecord {
  hash: string;
  relationCount: number;
}

/**
 * Lowest cosine between a vector and its copy at which both count as equal. The cosine may be less than 1, because
 * stores keep vectors in different precision.
 */
const SIMILARITY_MIN = 0.99;

/** @param kept ids of memories that the copy did not overwrite, because their state in the target is later */
export async function verify(from: StorePair, to: StorePair, kept: ReadonlySet<string>): Promise<Verification> {
  const digest = createHash('sha256');
  const found = { memories: 0, relations: 0, nodes: 0, vectors: 0, differing: [] as string[], withoutVector: 0 };
  const arrived = createCursor(hashedPages(to));
  let shared = 0;
  for await (const page of hashedPages(from)) {
    const likeness = await likenessOf(page, { from, to });
    for (const record of page) {
      const { id, embedded_by } = record.memory;
      const other = await arrived.find(id);
      digest.update(record.hash);
      found.memories += 1;
      found.relations += record.relationCount;
      if (other) shared += 1;
      const isAlike = (likeness.get(id) ?? 1) >= SIMILARITY_MIN;
      if (likeness.has(id) && isAlike) found.vectors += 1;
      if (embedded_by !== undefined && !likeness.has(id)) found.withoutVector += 1;
      if (!kept.has(id) && !(other?.hash === record.hash && isAlike && isWorkKept(record, other))) {
        found.differing.push(id);
      }
    }
  }
  for await (const node of nodesOf(from.graph)) {
    const text = canonicalJson(node);
    digest.update(text);
    found.nodes += 1;
    const other = await to.graph.getNode(node.kind, node.id);
    const isLater = other !== undefined && other.updated_at > node.updated_at;
    if (!isLater && (!other || canonicalJson(other) !== text)) found.differing.push(`${node.kind} ${node.id}`);
  }
  const others = (await to.graph.countMemories()) - shared;
  return { ...found, others, digest: digest.digest('hex') };
}

/** Returns the cosine between the two vectors of each memory that has a vector in the source and in the target. */
async function likenessOf(
  page: readonly NewRecord[],
  { from, to }: { from: StorePair; to: StorePair },
): Promise<Map<string, number>> {
  const ids = page.flatMap(({ memory }) => (memory.embedded_by === undefined ? [] : [memory.id]));
  const [sources, copies] = await Promise.all([from.vectors.vectorsOf(ids), to.vectors.vectorsOf(ids)]);
  const likeness = new Map<string, number>();
  for (const [id, copy] of copies) {
    const source = sources.get(id);
    if (source) likeness.set(id, dotProduct(source, copy));
  }
  return likeness;
}

/** Whether all work that was pending in the source is pending or done in the target. */
function isWorkKept({ work }: NewRecord, other: NewRecord): boolean {
  const isDone = { embed: other.memory.embedded_by !== undefined, enrich: other.memory.enriched };
  return work.every(kind => other.work.includes(kind) || isDone[kind]);
}

/** Finds records by id in a walk that is ordered by id. The walk only goes forward. */
function createCursor(walk: AsyncGenerator<HashedRecord[]>) {
  let page: HashedRecord[] = [];
  let position = 0;
  return {
    /** Finds the record of a memory; ids must be requested in ascending order. */
    find: async (id: string): Promise<HashedRecord | undefined> => {
      for (;;) {
        if (position === page.length) {
          const next = await walk.next();
          if (next.done) return undefined;
          page = next.value;
          position = 0;
        }
        const current = page[position];
        if (!current || current.memory.id > id) return undefined;
        position += 1;
        if (current.memory.id === id) return current;
      }
    },
  };
}

async function* hashedPages({ graph }: StorePair): AsyncGenerator<HashedRecord[]> {
  for await (const records of pagesOf(graph.readRecords, ({ memory }) => memory.id)) {
    const ids = records.map(({ memory }) => memory.id);
    const relations = await graph.relationsOf({ ids, limit: ALL_EDGES, isOutgoingOnly: true });
    const links = await graph.linksOf(ids);
    yield records.map(record => {
      const { id } = record.memory;
      const own = relations.get(id) ?? [];
      const edges = [...own, ...links.filter(({ memoryId }) => memoryId === id)].map(canonicalJson).sort();
      return { ...record, hash: hashOf(record, edges), relationCount: own.length };
    });
  }
}

function hashOf({ memory, embedding }: NewRecord, edges: readonly string[]): string {
  const bytes = embedding && Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength);
  // The model of the vector may differ, because a vector that was not copied is computed again.
  const { embedded_by: _, ...fields } = memory;
  const text = canonicalJson([fields, bytes?.toString('base64') ?? null, edges]);
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Copying a memory from one pair of stores to another. It may be cut off anywhere and begun again: what has arrived is
 * passed over.
 */
import type { Memory } from '../../domain/memory.js';
import { type GraphStore, type NewRecord, NODE_KINDS, type NodeKind } from '../../stores/graph-store.js';
import type { VectorPayload, VectorRecord } from '../../stores/vector-store.js';
import { EVERY_EDGE, pages, type StorePair } from './pair.js';

export interface CopyParts {
  from: StorePair;
  to: StorePair;
  payloadOf(memory: Memory, model: string): VectorPayload;
  onProgress(progress: CopyProgress): void;
}

export interface CopyProgress {
  what: 'memories' | 'relations' | 'nodes';
  done: number;
  /** Absent where it is not known beforehand. */
  total?: number;
}

export interface Copied {
  memories: number;
  relations: number;
  nodes: number;
  /** Memories that were there already with a later change, which they have kept. */
  keptNewer: number;
}

/** Leases are of processes, not of the memory. */
const LEASE_PREFIX = 'lease:';

export async function copyAll(parts: CopyParts): Promise<Copied> {
  const { memories, keptNewer } = await copyMemories(parts);
  const nodes = await copyNodes(parts);
  // Last, since an edge needs both its ends.
  return { memories, keptNewer, nodes, relations: await copyRelations(parts) };
}

async function copyMemories(parts: CopyParts): Promise<Pick<Copied, 'memories' | 'keptNewer'>> {
  const { from, to, onProgress } = parts;
  const total = await from.graph.countMemories();
  const done = { memories: 0, keptNewer: 0 };
  for await (const page of pages(from.graph.readRecords, ({ memory }) => memory.id)) {
    // First, so that no memory says that it has a vector which is still to come.
    const withVectors = await copyVectors(parts, page);
    const records = page.map(record => (withVectors.has(record.memory.id) ? record : waitingForVector(record)));
    done.keptNewer += await saveRecords(to.graph, records);
    done.memories += page.length;
    onProgress({ what: 'memories', done: done.memories, total });
  }
  return done;
}

/** @returns ids of those that have their vector at the other side now */
async function copyVectors({ from, to, payloadOf }: CopyParts, page: readonly NewRecord[]): Promise<Set<string>> {
  if (!from.vectors || !to.vectors) return new Set();
  const embedded = page.flatMap(({ memory }) => (memory.embedded_by === undefined ? [] : [memory.id]));
  const arrived = await to.vectors.present(embedded);
  const vectors = await from.vectors.vectorsOf(embedded.filter(id => !arrived.has(id)));
  const records = page.flatMap(({ memory }): VectorRecord[] => {
    const vector = vectors.get(memory.id);
    const model = memory.embedded_by;
    return vector && model !== undefined ? [{ id: memory.id, vector, payload: payloadOf(memory, model) }] : [];
  });
  await to.vectors.upsert(records);
  return new Set([...arrived, ...vectors.keys()]);
}

function waitingForVector({ memory, ...record }: NewRecord): NewRecord {
  const { embedded_by: _, ...rest } = memory;
  return { ...record, memory: rest, work: [...new Set([...record.work, 'embed' as const])] };
}

/** @returns how many were there already with a later change */
async function saveRecords(graph: GraphStore, records: readonly NewRecord[]): Promise<number> {
  const there = await graph.getMemories(records.map(({ memory }) => memory.id));
  const fresh = records.filter(({ memory }) => !there.has(memory.id));
  if (fresh.length > 0) await graph.saveMemories(fresh);
  let keptNewer = 0;
  for (const { memory, work } of records) {
    const present = there.get(memory.id);
    if (!present || isSame(present, memory)) continue;
    if (present.updated_at > memory.updated_at) keptNewer += 1;
    else await graph.updateMemory(memory.id, () => ({ memory, work }));
  }
  return keptNewer;
}

function isSame(one: Memory, other: Memory): boolean {
  const fields = ({ embedded_by: _, ...memory }: Memory) => JSON.stringify(Object.entries(memory).sort());
  return fields(one) === fields(other);
}

/** All edges out of each memory, those to nodes too. */
async function copyRelations({ from, to, onProgress }: CopyParts): Promise<number> {
  let done = 0;
  for await (const page of pages(from.graph.vectorStates, ({ id }) => id)) {
    const ids = page.map(({ id }) => id);
    const relations = await from.graph.relationsOf({ ids, limit: EVERY_EDGE, isOutgoingOnly: true });
    const edges = [...relations.values()].flat();
    if (edges.length > 0) await to.graph.saveRelations(edges);
    for (const link of await from.graph.linksOf(ids)) await to.graph.linkNode(link);
    done += edges.length;
    onProgress({ what: 'relations', done });
  }
  return done;
}

async function copyNodes(parts: CopyParts): Promise<number> {
  let done = 0;
  for (const kind of NODE_KINDS) done += await copyNodesOf(parts, kind);
  return done;
}

async function copyNodesOf({ from, to, onProgress }: CopyParts, kind: NodeKind): Promise<number> {
  let done = 0;
  for await (const page of pages(
    request => from.graph.readNodes(kind, request),
    ({ id }) => id,
  )) {
    for (const node of page.filter(({ id }) => !id.startsWith(LEASE_PREFIX))) {
      await to.graph.saveNode(node);
      done += 1;
    }
    onProgress({ what: 'nodes', done });
  }
  return done;
}

/**
 * Checks that a target memory contains everything that is in a source memory. Compares a hash of each record and its
 * edges, and compares the vector of each record.
 */

import { createHash } from 'node:crypto';
import { dotProduct } from '../../domain/vectors.js';
import type { NewRecord } from '../../stores/ports/memory-store.js';
import { ALL_EDGES_LIMIT, nodesOf, pages, type StorePair } from './copy.js';

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
const LIKENESS_MIN = 0.99;

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
      const isAlike = (likeness.get(id) ?? 1) >= LIKENESS_MIN;
      if (likeness.has(id) && isAlike) found.vectors += 1;
      if (embedded_by !== undefined && !likeness.has(id)) found.withoutVector += 1;
      if (!kept.has(id) && !(other?.hash === record.hash && isAlike && isWorkKept(record, other))) {
        found.differing.push(id);
      }
    }
  }
  for await (const node of nodesOf(from.graph)) {
    const text = canonical(node);
    digest.update(text);
    found.nodes += 1;
    const other = await to.graph.getNode(node.kind, node.id);
    const isLater = other !== undefined && other.updated_at > node.updated_at;
    if (!isLater && (!other || canonical(other) !== text)) found.differing.push(`${node.kind} ${node.id}`);
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
  for await (const records of pages(graph.readRecords, ({ memory }) => memory.id)) {
    const ids = records.map(({ memory }) => memory.id);
    const relations = await graph.relationsOf({ ids, limit: ALL_EDGES_LIMIT, isOutgoingOnly: true });
    const links = await graph.linksOf(ids);
    yield records.map(record => {
      const { id } = record.memory;
      const own = relations.get(id) ?? [];
      const edges = [...own, ...links.filter(({ memoryId }) => memoryId === id)].map(canonical).sort();
      return { ...record, hash: hashOf(record, edges), relationCount: own.length };
    });
  }
}

function hashOf({ memory, embedding }: NewRecord, edges: readonly string[]): string {
  const bytes = embedding && Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength);
  // The model of the vector may differ, because a vector that was not copied is computed again.
  const { embedded_by: _, ...fields } = memory;
  const text = canonical([fields, bytes?.toString('base64') ?? null, edges]);
  return createHash('sha256').update(text).digest('hex');
}

/** Writes a value as JSON with sorted object keys, so that equal values have equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

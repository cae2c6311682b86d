/** Whether everything of one memory is in another, told by the hash of each record with its edges. */
import { createHash } from 'node:crypto';
import type { Memory } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import type { GraphStore, NewRecord } from '../../stores/graph-store.js';
import { EVERY_EDGE, pages, type StorePair } from './pair.js';

export interface Verification {
  memories: number;
  relations: number;
  vectors: number;
  /** SHA-256 over all records and edges of the source. */
  digest: string;
  /** Memories that are missing at the other side or differ there. */
  differing: string[];
  /** Memories at the other side alone; they were there before. */
  others: number;
  /** Memories whose vector has not come along: it is made again. */
  withoutVector: number;
}

interface HashedMemory {
  id: string;
  embeddedBy: string | undefined;
  hash: string;
  relationCount: number;
}

export async function verify(from: StorePair, to: StorePair): Promise<Verification> {
  const digest = createHash('sha256');
  const result = { memories: 0, relations: 0, vectors: 0, differing: [] as string[], withoutVector: 0 };
  const arrived = createCursor(hashedPages(to.graph));
  let shared = 0;
  for await (const page of hashedPages(from.graph)) {
    const embedded = page.flatMap(({ id, embeddedBy }) => (embeddedBy === undefined ? [] : [id]));
    const present = (await to.vectors?.present(embedded)) ?? new Set();
    result.vectors += present.size;
    result.withoutVector += embedded.length - present.size;
    for (const { id, hash, relationCount } of page) {
      digest.update(hash);
      result.memories += 1;
      result.relations += relationCount;
      const other = await arrived.find(id);
      if (other !== undefined) shared += 1;
      if (other !== hash) result.differing.push(id);
    }
  }
  const others = (await to.graph.countMemories()) - shared;
  return { ...result, others, digest: digest.digest('hex') };
}

/** Follows a second walk in the same order. */
function createCursor(walk: AsyncGenerator<HashedMemory[]>) {
  let page: HashedMemory[] = [];
  let position = 0;
  return {
    /** The hash of a memory; ids must be asked for in order. */
    find: async (id: string): Promise<string | undefined> => {
      for (;;) {
        if (position === page.length) {
          const next = await walk.next();
          if (next.done) return undefined;
          page = next.value;
          position = 0;
        }
        const current = page[position];
        if (!current || current.id > id) return undefined;
        position += 1;
        if (current.id === id) return current.hash;
      }
    },
  };
}

async function* hashedPages(graph: GraphStore): AsyncGenerator<HashedMemory[]> {
  for await (const records of pages(graph.readRecords, ({ memory }) => memory.id)) {
    const ids = records.map(({ memory }) => memory.id);
    const relations = await graph.relationsOf({ ids, limit: EVERY_EDGE, isOutgoingOnly: true });
    yield records.map(record => hashed(record, relations.get(record.memory.id) ?? []));
  }
}

function hashed({ memory, embedding }: NewRecord, relations: readonly Relation[]): HashedMemory {
  const edges = relations.map(relation => canonical(relation)).sort();
  const bytes =
    embedding && Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength).toString('base64');
  // Which model made its vector may differ: one that has not come along is made again.
  const { embedded_by: embeddedBy, ...fields }: Memory = memory;
  const text = canonical([fields, bytes ?? null, edges]);
  const hash = createHash('sha256').update(text).digest('hex');
  return { id: memory.id, embeddedBy, hash, relationCount: relations.length };
}

/** JSON with the keys of every object in order, so that equal values read alike. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

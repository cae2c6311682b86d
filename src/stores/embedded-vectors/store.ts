/** The embedded vector store: a zvec HNSW collection in the data folder. */
import type { ZVecCollection, ZVecDoc, ZVecDocInput, ZVecDocIterator, ZVecStatus } from '@zvec/zvec';
import { MemoryError } from '../../domain/errors.js';
import { tagDigest, tagKeys, tagPrefixes } from '../../domain/tags.js';
import type { VectorPayload, VectorRecord, VectorStore } from '../vector-store.js';
import { loadZvec, openCollection, SENTINEL, VECTOR_FIELD, type Zvec } from './collection.js';
import { filterText } from './filter-text.js';
import { createIndexBuilder } from './index-builder.js';

/** What one call of the library takes. */
const DOCUMENTS_PER_CALL = 1000;
/** Candidates that a search of the graph keeps; recall@10 of 1.00 at 100,000 vectors. */
const SEARCH_BREADTH = 128;

const SEARCHES_MAX = 3;
/** A search takes milliseconds: after this long it will never end. */
const SEARCH_TIMEOUT_MS = 2_000;

/** Beyond every instant that a Date can hold. */
const UNBOUNDED_MS = 9e15;

/**
 * Opens or creates the store in `folder`. In place of one that cannot be read it is empty again.
 *
 * @throws MissingBinaryError on a platform without a binary, MemoryError `unavailable` when the stored vectors have
 *   another length
 */
export async function openEmbeddedVectors(folder: string, dimensions: number): Promise<VectorStore> {
  const zvec = await loadZvec();
  return createStore(zvec, openCollection(zvec, folder, dimensions), dimensions);
}

function createStore(zvec: Zvec, collection: ZVecCollection, dimensions: number): VectorStore {
  const builder = createIndexBuilder(collection, VECTOR_FIELD);
  const searches = new Set<Promise<unknown>>();
  const walks = new Set<ZVecDocIterator>();
  let isOpen = true;

  const write = (documents: readonly ZVecDocInput[], apply: (part: ZVecDocInput[]) => ZVecStatus[]) => {
    for (let start = 0; start < documents.length; start += DOCUMENTS_PER_CALL) {
      assertWritten(apply(documents.slice(start, start + DOCUMENTS_PER_CALL)));
    }
    builder.noteWrites(documents.length);
  };

  const fetched = (ids: readonly string[], includeVector: boolean): [string, ZVecDoc][] => {
    const found: [string, ZVecDoc][] = [];
    for (let start = 0; start < ids.length; start += DOCUMENTS_PER_CALL) {
      const part = ids.slice(start, start + DOCUMENTS_PER_CALL);
      found.push(...Object.entries(collection.fetchSync({ ids: part, outputFields: [], includeVector })));
    }
    return found;
  };

  const search: VectorStore['search'] = async ({ vector, limit, filter, models }) => {
    // Far fewer than the library has threads: more at once would wait for each other for ever.
    if (searches.size >= SEARCHES_MAX) await beforeDeadline(Promise.race(searches)).catch(() => undefined);
    if (searches.size >= SEARCHES_MAX) return search({ vector, limit, filter, models });
    const query = collection.query({
      fieldName: VECTOR_FIELD,
      vector: unitVector(vector),
      topk: limit,
      filter: filterText({ filter, models }),
      includeVector: false,
      outputFields: [],
      params: { indexType: zvec.ZVecIndexType.HNSW, isUsingRefiner: true, ef: Math.max(SEARCH_BREADTH, limit) },
    });
    searches.add(query);
    try {
      // The library scores by cosine distance.
      return (await beforeDeadline(query)).map(({ id, score }) => ({ id, similarity: 1 - score }));
    } finally {
      searches.delete(query);
    }
  };

  return {
    description: 'embedded zvec',
    dimensions,
    upsert: async records => {
      for (const record of records) assertComparable(record, dimensions);
      const documents = records.map(documentOf);
      write(documents, part => collection.upsertSync(part));
    },
    updatePayloads: async changes =>
      write(
        changes.map(({ id, payload }) => ({ id, fields: fieldsOf(payload) })),
        part => collection.updateSync(part),
      ),
    remove: async ids => {
      for (let start = 0; start < ids.length; start += DOCUMENTS_PER_CALL) {
        assertWritten(collection.deleteSync(ids.slice(start, start + DOCUMENTS_PER_CALL)));
      }
    },
    vectorsOf: async ids => {
      const found = new Map<string, Float32Array>();
      for (const [id, { vectors }] of fetched(ids, true)) {
        const vector = vectors[VECTOR_FIELD];
        // Copied as a block where it is one: `from` would go through an iterator.
        if (vector) found.set(id, new Float32Array(vector as ArrayLike<number>));
      }
      return found;
    },
    present: async ids => new Set(fetched(ids, false).map(([id]) => id)),
    search,
    count: async () => collection.stats.docCount,
    async *ids() {
      const walk = collection.iterDocsSync({ outputFields: [], includeVector: false });
      walks.add(walk);
      try {
        for (const { id } of walk) {
          yield id;
          if (!isOpen) throw new MemoryError('unavailable', 'The embedded vector store was closed');
        }
      } finally {
        walks.delete(walk);
        walk.closeSync();
      }
    },
    ping: async () => {
      if (!isOpen) throw new MemoryError('unavailable', 'The embedded vector store is closed');
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await beforeDeadline(Promise.allSettled(searches)).catch(() => undefined);
      // The library refuses to close while one is open.
      for (const walk of walks) walk.closeSync();
      if (await builder.stop()) collection.closeSync();
    },
  };
}

/** @throws MemoryError `unavailable` when the library does not answer in time */
async function beforeDeadline<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    const message = `The vector search has not answered within ${SEARCH_TIMEOUT_MS / 1000} seconds`;
    timer = setTimeout(() => reject(new MemoryError('unavailable', message)), SEARCH_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** The library takes NaN and zero vectors without a word, and then finds them for every query or for none. */
function assertComparable({ id, vector }: VectorRecord, dimensions: number): void {
  const squares = squaredLength(vector);
  if (vector.length !== dimensions || !Number.isFinite(squares) || squares === 0) {
    throw new Error(`the vector of ${id} must have ${dimensions} finite values that are not all zero`);
  }
}

function documentOf({ id, vector, payload }: VectorRecord): ZVecDocInput {
  return { id, vectors: { [VECTOR_FIELD]: unitVector(vector) }, fields: fieldsOf(payload) };
}

/** The library squares in single precision: a vector far from unit length would be like none, itself included. */
function unitVector(vector: Float32Array): Float32Array {
  const length = Math.sqrt(squaredLength(vector));
  return length === 0 ? vector : vector.map(value => value / length);
}

function squaredLength(vector: Float32Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return squares;
}

function fieldsOf(payload: VectorPayload): ZVecDocInput['fields'] & object {
  const { tags, timestampMs, model, isArchived, validFromMs, validToMs } = payload;
  return {
    keys: [SENTINEL, ...tagKeys(tags).map(tagDigest)],
    prefixes: [SENTINEL, ...tagPrefixes(tags).map(tagDigest)],
    model: tagDigest(model),
    timestamp: timestampMs,
    valid_from: validFromMs ?? -UNBOUNDED_MS,
    // What is archived is valid at no instant.
    valid_to: isArchived ? -UNBOUNDED_MS : (validToMs ?? UNBOUNDED_MS),
  };
}

/** A missing id is no failure for an update or a removal. */
function assertWritten(statuses: readonly ZVecStatus[]): void {
  const failed = statuses.find(status => !status.ok && status.code !== 'ZVEC_NOT_FOUND');
  if (failed) throw new MemoryError('unavailable', `The vector store refused a write: ${failed.message}`);
}

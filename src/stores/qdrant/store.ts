/** Stores vectors in a collection of a Qdrant server. */

import { partsOf } from '../../domain/collections.js';
import { MemoryError } from '../../domain/errors.js';
import type { VectorStore } from '../vector-store.js';
import { type Collection, createCollection } from './collection.js';
import { assertStorable, isPointId, type PointPayload, pointPayloadOf, requestsOf, unitValues } from './points.js';
import { compare, findEach, findNearest, OWN_POINTS } from './search.js';
import { connect, type QdrantSettings } from './server.js';

export { isAway } from './collection.js';
export type { QdrantSettings } from './server.js';

/** Number of points in one request with vectors or payloads, in either direction. */
const POINTS_PER_REQUEST = 256;
/** Number of points in a request that transfers only ids. */
const IDS_PER_REQUEST = 1000;

/**
 * Options for a write. With these options, a write resolves when it is applied, not when it is only recorded. In a
 * cluster, one copy leads and orders the writes of a shard, so that a change to a point is never applied before the
 * point exists. With `strong`, only one fixed copy could lead, and writes would be refused while this copy cannot be
 * reached.
 */
const WRITE = { wait: true, ordering: 'medium' } as const;

/**
 * Opens the store without contacting the server, so the server may start later. Each call rejects with a MemoryError
 * `unavailable` while the server cannot be reached, refuses the key, or has an incompatible collection with this name.
 *
 * @throws MemoryError `invalid` when the URL or the key cannot be used
 */
export function openQdrantStore(settings: QdrantSettings): VectorStore {
  const server = connect(settings);
  const collection = createCollection(server, settings);
  const { dimensions } = settings;
  let isOpen = true;

  const use: Collection['use'] = async requests => {
    if (!isOpen) throw new MemoryError('unavailable', 'The Qdrant store is closed');
    return collection.use(requests);
  };

  return {
    description: `Qdrant at ${server.address}, collection ${settings.collection}`,
    dimensions,
    get storedDimensions() {
      return collection.size;
    },
    isInProcess: false,
    upsert: async records => {
      for (const record of records) assertStorable(record, dimensions);
      const points = records.map(({ id, vector, payload }) => ({ id, vector, payload: pointPayloadOf(payload) }));
      for (const part of requestsOf(points, POINTS_PER_REQUEST)) await writePoints(part, use);
    },
    updatePayloads: async changes => {
      const known = changes
        .filter(({ id }) => isPointId(id))
        .map(({ id, payload }) => ({ id, payload: pointPayloadOf(payload) }));
      for (const part of requestsOf(known, POINTS_PER_REQUEST)) {
        const operations = part.map(setPayload);
        await use((client, name) => client.batchUpdate(name, { operations, ...WRITE }));
      }
    },
    remove: async ids => {
      for (const points of partsOf(ids.filter(isPointId), IDS_PER_REQUEST)) {
        await use((client, name) => client.delete(name, { points, ...WRITE }));
      }
    },
    vectorsOf: ids => readVectors(ids, use),
    compare: (ids, others) => compare(ids.filter(isPointId), others, use),
    present: ids => findOwn(ids, use),
    search: search => findNearest(search, use),
    searchEach: searches => findEach(searches, use),
    count: () => use(async (client, name) => (await client.count(name, { exact: true, filter: OWN_POINTS })).count),
    ids: () => listIds(use),
    ping: () => use(async (client, name) => void (await client.getCollection(name))),
    close: async () => {
      // Idle connections of the client need no closing: they end by themselves, and do not keep the process alive.
      isOpen = false;
    },
  };
}

interface Point {
  id: string;
  vector: Float32Array;
  payload: PointPayload;
}

/**
 * Writes the points of one request and keeps payload fields that other programs have added to an existing point. A plain
 * upsert would remove these fields. If another process removes such a point meanwhile, Qdrant refuses the change, and the
 * repetition adds the point.
 */
function writePoints(points: readonly Point[], use: Collection['use']): Promise<void> {
  const written = points.map(point => ({ ...point, vector: unitValues(point.vector) }));
  const ids = written.map(({ id }) => id);
  return use(async (client, name) => {
    const present = await client.retrieve(name, { ids, with_payload: false, with_vector: false });
    const presentIds = new Set(present.map(({ id }) => id));
    const added = written.filter(({ id }) => !presentIds.has(id));
    const changed = written.filter(({ id }) => presentIds.has(id));
    if (added.length > 0) await client.upsert(name, { points: added, ...WRITE });
    if (changed.length === 0) return;
    const vectors = changed.map(({ id, vector }) => ({ id, vector }));
    const operations = [{ update_vectors: { points: vectors } }, ...changed.map(setPayload)];
    await client.batchUpdate(name, { operations, ...WRITE });
  });
}

/**
 * Selects the point by a filter. If a list of ids contained an unknown point, Qdrant would refuse the operation and all
 * later operations of the request.
 */
function setPayload({ id, payload }: Pick<Point, 'id' | 'payload'>) {
  return { set_payload: { payload, filter: { must: [{ has_id: [id] }] } } };
}

async function readVectors(ids: readonly string[], use: Collection['use']): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (const part of partsOf(ids.filter(isPointId), POINTS_PER_REQUEST)) {
    await use(async (client, name) => {
      const points = await client.retrieve(name, { ids: part, with_payload: false, with_vector: true });
      // A collection without named vectors returns each vector as a plain list.
      for (const { id, vector } of points) found.set(String(id), Float32Array.from(vector as number[]));
    });
  }
  return found;
}

/**
 * Returns the ids that have a point of this store. As in `count`, points of other programs are left out, even if a
 * point has the id of a memory.
 */
async function findOwn(ids: readonly string[], use: Collection['use']): Promise<Set<string>> {
  const found = new Set<string>();
  for (const part of partsOf(ids.filter(isPointId), IDS_PER_REQUEST)) {
    const page = {
      limit: part.length,
      filter: { ...OWN_POINTS, must: [{ has_id: part }] },
      with_payload: false,
      with_vector: false,
    };
    const { points } = await use((client, name) => client.scroll(name, page));
    for (const { id } of points) found.add(String(id));
  }
  return found;
}

async function* listIds(use: Collection['use']): AsyncGenerator<string> {
  let offset: string | number | undefined;
  do {
    const page = {
      limit: IDS_PER_REQUEST,
      filter: OWN_POINTS,
      with_payload: false,
      with_vector: false,
      ...(offset !== undefined && { offset }),
    };
    const { points, next_page_offset: next } = await use((client, name) => client.scroll(name, page));
    for (const { id } of points) yield String(id);
    offset = typeof next === 'string' || typeof next === 'number' ? next : undefined;
  } while (offset !== undefined);
}

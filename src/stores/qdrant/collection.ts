/**
 * Manages the collection: creates it before its first use, checks an existing collection, and creates it again if it
 * disappears.
 */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { MemoryError } from '../../domain/errors.js';
import { failureOf, isConnectionLoss, statusOf } from './failures.js';
import { MODEL_KEY, NUMBER_KEYS, SET_KEYS } from './points.js';
import type { QdrantServer, QdrantSettings } from './server.js';

/** Parameters of the search graph: links per node, and candidates during construction. */
const HNSW = { m: 16, ef_construct: 200 } as const;
const DISTANCE = 'Cosine';

const KEYWORD = { type: 'keyword' } as const;
/** Filters compare instants only by range, never for equality. */
const INSTANT = { type: 'integer', lookup: false, range: true } as const;

/**
 * Every field that a filter uses. Qdrant adds links for these fields to the search graph, so that a search with a
 * narrow filter still finds its vectors.
 */
const INDEXED_FIELDS: Readonly<Record<string, typeof KEYWORD | typeof INSTANT>> = {
  [MODEL_KEY]: KEYWORD,
  ...Object.fromEntries(Object.values(SET_KEYS).map(key => [key, KEYWORD])),
  ...Object.fromEntries(Object.values(NUMBER_KEYS).map(key => [key, INSTANT])),
};

export interface Collection {
  /** Length of the collection's vectors, as last reported by the server; undefined before the first report. */
  readonly size: number | undefined;
  /**
   * Runs requests on the collection once it exists. The requests run a second time when the collection has disappeared
   * or the connection was lost in between, so they must be repeatable.
   *
   * @throws MemoryError `unavailable`, or Error when Qdrant rejects a request as wrong
   */
  use<T>(requests: (client: QdrantClient, name: string) => Promise<T>): Promise<T>;
}

export function createCollection(server: QdrantServer, settings: QdrantSettings): Collection {
  const { client } = server;
  let ready: Promise<void> | undefined;
  let size: number | undefined;

  const ensured = () => {
    const noteSize = (seen: number) => {
      size = seen;
    };
    ready ??= ensureCollection(server, settings, noteSize).catch(error => {
      ready = undefined;
      throw error;
    });
    return ready;
  };

  const attempt: Collection['use'] = async requests => {
    const seen = ensured();
    await seen;
    try {
      return await requests(client, settings.collection);
    } catch (error) {
      // Keep `ready` if another call has replaced it after its own 404: that call is already creating the collection.
      if (statusOf(error) === 404 && ready === seen) ready = undefined;
      throw error;
    }
  };

  return {
    get size() {
      return size;
    },
    use: async requests => {
      try {
        return await attempt(requests).catch(error => {
          if (statusOf(error) !== 404 && !isConnectionLoss(error)) throw error;
          return attempt(requests);
        });
      } catch (error) {
        throw failureOf(error, server);
      }
    },
  };
}

async function ensureCollection(
  server: QdrantServer,
  settings: QdrantSettings,
  onSize: (size: number) => void,
): Promise<void> {
  const { client } = server;
  const name = settings.collection;
  const info = (await findCollection(client, name)) ?? (await makeCollection(client, settings));
  const { size } = vectorsOf(info);
  if (typeof size === 'number') onSize(size);
  assertFits(info, server, settings);
  for (const [field, schema] of Object.entries(INDEXED_FIELDS)) {
    if (info.payload_schema[field]?.data_type === schema.type) continue;
    // The call waits for the index, because a server in strict mode refuses to filter by a field without an index.
    await client.createPayloadIndex(name, { field_name: field, field_schema: schema, wait: true, ordering: 'medium' });
  }
}

async function findCollection(client: QdrantClient, name: string): Promise<Schemas['CollectionInfo'] | undefined> {
  try {
    return await client.getCollection(name);
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

async function makeCollection(client: QdrantClient, settings: QdrantSettings): Promise<Schemas['CollectionInfo']> {
  const { collection: name, dimensions, replicationFactor, shardNumber, writeConsistencyFactor } = settings;
  let refusal: unknown;
  try {
    await client.createCollection(name, {
      vectors: { size: dimensions, distance: DISTANCE },
      hnsw_config: HNSW,
      // The fields that filters need are in memory as an index; searches read nothing else of the payload.
      on_disk_payload: true,
      ...(replicationFactor !== undefined && { replication_factor: replicationFactor }),
      ...(shardNumber !== undefined && { shard_number: shardNumber }),
      ...(writeConsistencyFactor !== undefined && { write_consistency_factor: writeConsistencyFactor }),
    });
  } catch (error) {
    // If another process has created the collection, the server answers with 409, or with 400 before version 1.8.
    if (statusOf(error) !== 409 && statusOf(error) !== 400) throw error;
    refusal = error;
  }
  const info = await findCollection(client, name);
  if (!info)
    throw (
      refusal ??
      new MemoryError('unavailable', `Qdrant reported the collection ${name} as created but does not return it`)
    );
  return info;
}

/** Reads size and distance. Both fields are absent if a collection keeps named vectors. */
function vectorsOf(info: Schemas['CollectionInfo']): { size?: unknown; distance?: unknown } {
  return info.config.params.vectors ?? {};
}

/** @throws MemoryError `unavailable` when Engraph cannot use the existing collection */
function assertFits(info: Schemas['CollectionInfo'], { address }: QdrantServer, settings: QdrantSettings): void {
  const { collection: name, dimensions } = settings;
  const { size, distance } = vectorsOf(info);
  const wayOut =
    'set QDRANT_COLLECTION to another name, or remove that collection: the vectors are then computed again.';
  if (typeof size !== 'number') {
    throw new MemoryError(
      'unavailable',
      `The collection ${name} at ${address} keeps named vectors, which Engraph cannot use`,
      {
        hint: `Please ${wayOut}`,
      },
    );
  }
  if (size !== dimensions) {
    throw new MemoryError(
      'unavailable',
      `VECTOR_SIZE is ${dimensions}, but the vectors of collection ${name} at ${address} have ${size} dimensions`,
      { hint: `Set VECTOR_SIZE=${size}, ${wayOut}` },
    );
  }
  if (distance !== DISTANCE) {
    throw new MemoryError(
      'unavailable',
      `The collection ${name} at ${address} uses the distance ${distance}, but Engraph needs ${DISTANCE}`,
      { hint: `Please ${wayOut}` },
    );
  }
}

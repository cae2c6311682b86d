/** The collection: made before it is used, checked when it was there, made anew when it has gone. */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { MemoryError } from '../../domain/errors.js';
import { failureOf, isConnectionLoss, statusOf } from './failures.js';
import { MODEL_KEY, NUMBER_KEYS, SET_KEYS } from './points.js';
import type { QdrantServer, QdrantSettings } from './server.js';

/** Links per node and candidates while building, as for the embedded vectors. */
const HNSW = { m: 16, ef_construct: 200 } as const;
const DISTANCE = 'Cosine';

const KEYWORD = { type: 'keyword' } as const;
/** Only ever compared, never looked up. */
const INSTANT = { type: 'integer', lookup: false, range: true } as const;

/** Everything a filter names. The search graph gets links for it, so that a narrow filter still finds its way. */
const INDEXED_FIELDS: Readonly<Record<string, typeof KEYWORD | typeof INSTANT>> = {
  [MODEL_KEY]: KEYWORD,
  ...Object.fromEntries(Object.values(SET_KEYS).map(key => [key, KEYWORD])),
  ...Object.fromEntries(Object.values(NUMBER_KEYS).map(key => [key, INSTANT])),
};

export interface Collection {
  /** Length of its vectors, as the server said last; undefined before it has said so. */
  readonly size: number | undefined;
  /**
   * Runs requests about the collection once it is there. They run a second time when it has gone in between or when the
   * connection was lost, so they must be such as may be repeated.
   *
   * @throws MemoryError `unavailable`, or Error when Qdrant finds a request wrong
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
      // Others may have noticed before, and be making it already.
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
    // Waiting: until it is there, a server in strict mode refuses to filter by the field.
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
      // What filters need is in memory as an index; nothing else of the payload is ever read.
      on_disk_payload: true,
      ...(replicationFactor !== undefined && { replication_factor: replicationFactor }),
      ...(shardNumber !== undefined && { shard_number: shardNumber }),
      ...(writeConsistencyFactor !== undefined && { write_consistency_factor: writeConsistencyFactor }),
    });
  } catch (error) {
    // Another process may have been quicker: 409, and 400 from servers before 1.8.
    if (statusOf(error) !== 409 && statusOf(error) !== 400) throw error;
    refusal = error;
  }
  const info = await findCollection(client, name);
  if (!info)
    throw refusal ?? new MemoryError('unavailable', `Qdrant has made the collection ${name} but does not show it`);
  return info;
}

/** Both are absent where a collection keeps named vectors. */
function vectorsOf(info: Schemas['CollectionInfo']): { size?: unknown; distance?: unknown } {
  return info.config.params.vectors ?? {};
}

/** @throws MemoryError `unavailable` */
function assertFits(info: Schemas['CollectionInfo'], { address }: QdrantServer, settings: QdrantSettings): void {
  const { collection: name, dimensions } = settings;
  const { size, distance } = vectorsOf(info);
  const wayOut = 'name another collection in QDRANT_COLLECTION, or remove that one: the vectors are then made again.';
  if (typeof size !== 'number') {
    throw new MemoryError(
      'unavailable',
      `The collection ${name} at ${address} keeps named vectors: it is of another use`,
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
      `The collection ${name} at ${address} compares by ${distance}, but ${DISTANCE} is needed`,
      { hint: `Please ${wayOut}` },
    );
  }
}

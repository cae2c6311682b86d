/**
 * Manages the collection: creates it before its first use, checks an existing collection, and creates it again if it
 * disappears. Failed requests are explained to the operator of the server.
 */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { QdrantClientResourceExhaustedError, QdrantClientTimeoutError } from '../../packages/qdrant.js';
import { MODEL_KEY, NUMBER_KEYS, SET_KEYS } from './points.js';
import { ConnectionFailure } from './post-json.js';
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
    // Another process has created the collection.
    if (statusOf(error) !== 409) throw error;
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

/**
 * Returns the status of an answer that the client turned into an error. The error is recognised by its fields, because
 * the client does not export its error class.
 */
function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

/**
 * Whether a connection ended during a request. Qdrant closes a connection that is idle for some seconds, perhaps just
 * when the client uses it for a request. A second attempt gets a new connection.
 */
function isConnectionLoss(error: unknown): boolean {
  return isNetworkFailure(error) && ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error.cause) ?? '');
}

/**
 * Converts an error of the client. A failure that may pass or that the operator can fix becomes a MemoryError
 * `unavailable`. The failure of a request that Qdrant rejects as wrong becomes a plain Error. No error contains the API
 * key.
 */
function failureOf(error: unknown, server: QdrantServer): Error {
  if (error instanceof MemoryError) return error;
  // The error of the client has the whole answer, which may repeat the key.
  const cause = new Error(messageOf(error));
  const status = statusOf(error);
  if (status === 401 || status === 403) return accessFailure(error, status, server);
  if (isRedirect(status)) {
    return new MemoryError(
      'unavailable',
      `Qdrant at ${server.address} redirects to another address (${status}), and no redirect is followed`,
      { hint: 'Set QDRANT_URL to the address of the server itself.', cause },
    );
  }
  if (status !== undefined && status < 500 && ![404, 408, 429].includes(status)) {
    return new Error(`Qdrant refused a request (${status}): ${reasonOf(error)}`, { cause });
  }
  const message = `Qdrant at ${server.address} ${outageOf(error, status, server)}`;
  const isRefusal = isRateLimit(error) || (status !== undefined && !GONE_STATUSES.has(status));
  return isRefusal ? new RefusedError(message, cause) : new MemoryError('unavailable', message, { cause });
}

function isRedirect(status = 0): boolean {
  return status >= 300 && status < 400;
}

/** Statuses with which a proxy or a node answers when it cannot reach a server behind it. */
const GONE_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** The server refused one call, such as a write to a full disk, but serves other calls. */
class RefusedError extends MemoryError {
  constructor(message: string, cause: unknown) {
    super('unavailable', message, { cause });
  }
}

/** Whether a failure `unavailable` concerns the whole server. */
export function isAway(failure: MemoryError): boolean {
  return !(failure instanceof RefusedError);
}

function accessFailure(error: unknown, status: number, { address, hasApiKey }: QdrantServer): MemoryError {
  const reason = reasonOf(error);
  const message = hasApiKey ? `refused the API key (${status}: ${reason})` : `asks for an API key (${status})`;
  return new MemoryError('unavailable', `Qdrant at ${address} ${message}`, {
    hint: 'Set QDRANT_API_KEY to a key that may read and write the collection.',
    cause: new Error(messageOf(error)),
  });
}

function outageOf(error: unknown, status: number | undefined, { timeoutMs }: QdrantServer): string {
  if (status === 429 || isRateLimit(error)) return 'accepts no more requests at the moment';
  if (status !== undefined) return `answered with ${status}: ${reasonOf(error)}`;
  if (error instanceof QdrantClientTimeoutError) return `did not answer within ${timeoutMs} ms`;
  if (isNetworkFailure(error)) return `cannot be reached (${codeOf(error.cause) ?? 'no reason given'})`;
  return 'sent an answer that cannot be read';
}

/**
 * Whether the server refused a request because of its rate limit. If the header `retry-after` contains a date, the
 * client throws an error that names the header.
 */
function isRateLimit(error: unknown): boolean {
  return (
    error instanceof QdrantClientResourceExhaustedError ||
    (error instanceof Error && error.message.startsWith('Invalid retryAfter'))
  );
}

/**
 * Whether the connection failed, before an answer or during an answer. For requests of the client itself, `fetch` throws
 * a TypeError.
 */
function isNetworkFailure(error: unknown): error is Error {
  const isOfFetch = error instanceof TypeError && /^(?:fetch failed|terminated)/.test(error.message);
  return isOfFetch || error instanceof ConnectionFailure;
}

function codeOf(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Returns Qdrant's own explanation. It is the error in a JSON answer `{"status": {"error": …}}`, or the plain text with
 * which Qdrant's guards refuse a request. An HTML page is ignored, because it comes from a proxy.
 */
function reasonOf(error: unknown): string {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  const stated = (data as { status?: { error?: unknown } } | undefined)?.status?.error ?? data;
  const reason = typeof stated === 'string' ? stated.trim() : '';
  return reason === '' || reason.startsWith('<') ? 'no reason given' : reason.slice(0, 300);
}

/** Defines the settings of a Qdrant server and collection, and creates the client. */

import type { Schemas } from '@qdrant/js-client-rest';
import { MemoryError } from '../../domain/errors.js';
import { QdrantClient } from '../../packages/qdrant.js';
import { createPostJson, type JsonAnswer, type JsonServer, type PostJson } from './post-json.js';

export interface QdrantSettings {
  /** `http(s)://host[:port][/path]`; the default port is 6333, as in Qdrant. Must not contain a user or password. */
  url: string;
  apiKey?: string;
  /** Name of the collection, which is created if it does not exist. */
  collection: string;
  /** Length of every vector. */
  dimensions: number;
  /** Time limit for each request. */
  timeoutMs: number;
  /** Number of copies of each shard. This setting and `shardNumber` apply only when Engraph creates the collection. */
  replicationFactor?: number;
  shardNumber?: number;
  /** Number of copies that must have accepted a write before it succeeds. */
  writeConsistencyFactor?: number;
}

export interface QdrantServer {
  client: QdrantClient;
  /** The address in a form for people to read, without any secret. */
  address: string;
  hasApiKey: boolean;
  timeoutMs: number;
}

const DEFAULT_PORT = 6333;

/**
 * Creates the client, without sending a request.
 *
 * @throws MemoryError `invalid` when the URL or the key cannot be used; the message contains neither the URL nor the
 * key
 */
export function connect({ url, apiKey = '', timeoutMs }: QdrantSettings): QdrantServer {
  const { origin, port, path } = partsOf(url);
  const prefix = path.replace(/(?<!\/)\/+$/, '');
  // The key is sent in an HTTP header. If the header did not allow a character of the key, the runtime would throw an
  // error that contains the key.
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw new MemoryError('invalid', 'QDRANT_API_KEY may contain only printable ASCII characters without spaces');
  }
  const headers: Record<string, string> = apiKey === '' ? {} : { 'api-key': apiKey };
  const base = `${origin}:${port}${prefix}`;
  const client = new SearchClient(
    {
      url: origin,
      port,
      timeout: timeoutMs,
      ...(prefix !== '' && { prefix }),
      // With the option `apiKey`, or with a version check, the client would print warnings itself, and these
      // would not pass through the log.
      headers,
      checkCompatibility: false,
    },
    { base, headers, timeoutMs },
  );
  return { client, address: base, hasApiKey: apiKey !== '', timeoutMs };
}

function partsOf(url: string): { origin: string; port: number; path: string } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new MemoryError('invalid', 'QDRANT_URL must be an address that starts with http:// or https://');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new MemoryError('invalid', 'QDRANT_URL must not contain a user or password', {
      hint: 'Qdrant accepts only API keys: set QDRANT_API_KEY.',
    });
  }
  // `URL` drops the default port of a scheme, and the client would then use Qdrant's default port.
  const stated = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(url.trim())?.[1];
  return {
    origin: `${parsed.protocol}//${parsed.hostname}`,
    port: Number(stated ?? DEFAULT_PORT),
    path: parsed.pathname,
  };
}

type Query = Parameters<QdrantClient['query']>[1];
type Queries = Parameters<QdrantClient['queryBatch']>[1];
type Found = Schemas['QueryResponse'];

/** An answer that reports an error. It has the same fields as the error of the client. */
class StatusFailure extends Error {
  readonly status: number;
  readonly data: unknown;

  constructor(status: number, data: unknown) {
    super(`The server answered with ${status}`);
    this.status = status;
    this.data = data;
  }
}

/**
 * Sends searches through `node:http`. Every recall sends two searches, and `fetch` would take four times the processor
 * time for them.
 */
class SearchClient extends QdrantClient {
  readonly #post: PostJson;

  constructor(options: ConstructorParameters<typeof QdrantClient>[0], server: JsonServer) {
    super(options);
    this.#post = createPostJson(server);
    refuseRedirects(this.api());
  }

  /** @throws Error when the answer does not have the form of search results */
  override async query(collection: string, query: Query): Promise<Found> {
    return foundIn(resultOf(await this.#post(pathOf(collection, 'query'), query)));
  }

  /** @throws Error when the answer does not have the form of search results, one for each search */
  override async queryBatch(collection: string, queries: Queries): Promise<Found[]> {
    const found = resultOf(await this.#post(pathOf(collection, 'query/batch'), queries));
    if (!Array.isArray(found) || found.length !== queries.searches.length)
      throw new Error('The answer does not have one result for each search');
    return found.map(foundIn);
  }
}

function pathOf(collection: string, operation: string): string {
  return `/collections/${encodeURIComponent(collection)}/points/${operation}`;
}

/** A redirect would send the key to another address. The client has no option for this. */
function refuseRedirects(calls: object): void {
  for (const [name, call] of Object.entries(calls as Record<string, unknown>)) {
    if (typeof call === 'function')
      Reflect.set(calls, name, (payload: unknown, init?: object) => call(payload, { ...init, redirect: 'manual' }));
  }
}

/**
 * @throws StatusFailure
 * @throws Error when the answer is not JSON
 */
function resultOf({ status, text }: JsonAnswer): unknown {
  if (status >= 300) throw new StatusFailure(status, jsonOrText(text));
  return (JSON.parse(text) as { result?: unknown } | null)?.result;
}

/** @throws Error when the result is not a list of points with an id and a score */
function foundIn(result: unknown): Found {
  const found = result as Partial<Found> | null | undefined;
  if (!Array.isArray(found?.points) || !found.points.every(isPoint)) throw new Error('The answer has no points');
  return found as Found;
}

function isPoint(value: unknown): boolean {
  const { id, score } = (value ?? {}) as { id?: unknown; score?: unknown };
  return (typeof id === 'string' || typeof id === 'number') && Number.isFinite(score);
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

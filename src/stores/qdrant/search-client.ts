/**
 * Extends the client of Qdrant: searches are sent through `node:http`. Every recall sends two searches, and `fetch` would
 * take four times the processor time for them.
 */
import type { Schemas } from '@qdrant/js-client-rest';
import { QdrantClient } from '../../packages/qdrant.js';
import { createPostJson, type JsonAnswer, type JsonServer, type PostJson } from './post-json.js';

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

export class SearchClient extends QdrantClient {
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

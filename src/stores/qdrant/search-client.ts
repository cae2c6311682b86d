/**
 * Extends the client of Qdrant: searches are sent through `node:http`. Every recall sends two searches, and `fetch` would
 * take four times the processor time for them.
 */
import { QdrantClient } from '../../packages/qdrant.js';
import { createPostJson, type JsonAnswer, type JsonServer, type PostJson } from './post-json.js';

type Query = Parameters<QdrantClient['query']>[1];
type Queries = Parameters<QdrantClient['queryBatch']>[1];
type Found<Method extends 'query' | 'queryBatch'> = Awaited<ReturnType<QdrantClient[Method]>>;

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
  }

  override async query(collection: string, query: Query): Promise<Found<'query'>> {
    const answer = await this.#post(pathOf(collection, 'query'), query);
    // `node:http` does not follow a redirect, so the client repeats the search through `fetch`.
    return isRedirect(answer) ? super.query(collection, query) : resultOf(answer);
  }

  override async queryBatch(collection: string, queries: Queries): Promise<Found<'queryBatch'>> {
    const answer = await this.#post(pathOf(collection, 'query/batch'), queries);
    return isRedirect(answer) ? super.queryBatch(collection, queries) : resultOf(answer);
  }
}

function pathOf(collection: string, operation: string): string {
  return `/collections/${encodeURIComponent(collection)}/points/${operation}`;
}

function isRedirect({ status }: JsonAnswer): boolean {
  return status >= 300 && status < 400;
}

/**
 * @throws StatusFailure
 * @throws Error when the answer is not JSON or has no result
 */
function resultOf<Result>({ status, text }: JsonAnswer): Result {
  if (status >= 400) throw new StatusFailure(status, jsonOrText(text));
  const { result } = JSON.parse(text) as { result?: Result };
  if (result === undefined || result === null) throw new Error('The answer has no result');
  return result;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

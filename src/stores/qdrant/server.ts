/** Which Qdrant server and collection, and the client that speaks to it. */

import { MemoryError } from '../../domain/errors.js';
import { QdrantClient } from '../../packages/qdrant.js';

export interface QdrantSettings {
  /** `http(s)://host[:port][/path]`; port 6333 unless stated, as Qdrant has it. Without user and password. */
  url: string;
  apiKey?: string;
  /** Path under which a proxy offers the server; follows the path of `url`. */
  prefix?: string;
  /** Made when it is not there. */
  collection: string;
  /** Length of every vector. */
  dimensions: number;
  /** Limit on each request. */
  timeoutMs: number;
  /** Copies of each shard. This and what follows holds for a collection that is made; one that is there stays as it is. */
  replicationFactor?: number;
  shardNumber?: number;
  /** Copies that must have taken a write before it counts. */
  writeConsistencyFactor?: number;
}

export interface QdrantServer {
  client: QdrantClient;
  /** For people: without anything secret. */
  address: string;
  hasApiKey: boolean;
  timeoutMs: number;
}

const DEFAULT_PORT = 6333;

/**
 * Makes the client. Nothing is sent yet.
 *
 * @throws MemoryError `invalid` when the URL or the key cannot be used; neither is repeated in it
 */
export function connect({ url, prefix = '', apiKey = '', timeoutMs }: QdrantSettings): QdrantServer {
  const { origin, port, path } = partsOf(url);
  const fullPath = [path, prefix].map(part => part.replace(/^\/+|\/+$/g, '')).filter(part => part !== '');
  // An HTTP header holds no more; the runtime would refuse it with an error that repeats the key.
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw new MemoryError('invalid', 'QDRANT_API_KEY holds characters that an API key cannot have');
  }
  const client = new QdrantClient({
    url: origin,
    port,
    timeout: timeoutMs,
    ...(fullPath.length > 0 && { prefix: `/${fullPath.join('/')}` }),
    // The client prints for an `apiKey` over plain HTTP and for versions it does not know: stdout and stderr are not its own.
    ...(apiKey !== '' && { headers: { 'api-key': apiKey } }),
    checkCompatibility: false,
  });
  const address = [`${origin}:${port}`, ...fullPath].join('/');
  return { client, address, hasApiKey: apiKey !== '', timeoutMs };
}

function partsOf(url: string): { origin: string; port: number; path: string } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new MemoryError('invalid', 'QDRANT_URL must be an address that starts with http:// or https://');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new MemoryError('invalid', 'QDRANT_URL must not hold a user or password', {
      hint: 'Qdrant knows API keys only: set QDRANT_API_KEY.',
    });
  }
  // `URL` forgets a port that is the scheme's own, and the client would then take Qdrant's.
  const stated = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(url.trim())?.[1];
  return {
    origin: `${parsed.protocol}//${parsed.hostname}`,
    port: Number(stated ?? DEFAULT_PORT),
    path: parsed.pathname,
  };
}

/** Defines the settings of a Qdrant server and collection, and creates the client. */

import { MemoryError } from '../../domain/errors.js';
import type { QdrantClient } from '../../packages/qdrant.js';
import { SearchClient } from './search-client.js';

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
  const prefix = path.replace(/\/+$/, '');
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

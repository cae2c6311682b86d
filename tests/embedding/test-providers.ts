/** Every remote provider, configured as users configure it, with a stand-in for its server. */
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.js';
import type { Clock } from '../../src/domain/time.js';
import { createEmbedder } from '../../src/embedding/providers.js';
import { type ModelReply, type ModelRequest, type ModelServer, startModelServer } from '../support/model-server.js';

export const KEY = 'sk-secret-of-the-test';
export const SIZE = 8;
export const quiet = { info: () => {}, warn: () => {} };

export interface TestProvider {
  name: 'openai' | 'voyage' | 'ollama';
  path: string;
  /** Maximum number of texts in one request. */
  limit: number;
  modelVariable: string;
  env(url: string): Record<string, string>;
  /** An answer with these embeddings. */
  answer(embeddings: unknown[]): ModelReply;
}

/** The items are in reverse order, so only `index` shows which text each of them belongs to. */
function shuffled(embeddings: unknown[]): ModelReply {
  return { json: { object: 'list', data: embeddings.map((embedding, index) => ({ index, embedding })).reverse() } };
}

export const PROVIDERS: readonly TestProvider[] = [
  {
    name: 'openai',
    path: '/v1/embeddings',
    limit: 2048,
    modelVariable: 'EMBEDDING_MODEL',
    env: url => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1/` }),
    answer: shuffled,
  },
  {
    name: 'voyage',
    path: '/v1/embeddings',
    limit: 128,
    modelVariable: 'VOYAGE_MODEL',
    env: url => ({ VOYAGE_API_KEY: KEY, VOYAGE_BASE_URL: `${url}/v1` }),
    answer: shuffled,
  },
  {
    name: 'ollama',
    path: '/api/embed',
    limit: 64,
    modelVariable: 'OLLAMA_MODEL',
    env: url => ({ OLLAMA_BASE_URL: url }),
    answer: embeddings => ({ json: { embeddings } }),
  },
];

/** A vector whose direction depends on the number at the end of the text. */
export function embeddingOf(text: string): number[] {
  return [Number(/\d+$/.exec(text)?.[0] ?? 0), 10, 0];
}

/** The cosine between the embedding of a text and a vector. */
export function cosine(text: string, vector: Float32Array | undefined): number {
  const expected = embeddingOf(text);
  const dot = expected.reduce((sum, value, index) => sum + value * (vector?.[index] ?? 0), 0);
  return dot / Math.hypot(...expected);
}

export function textsOf({ body }: ModelRequest): string[] {
  return body.input;
}

/** The behaviour of a server that embeds all texts of a request. */
export function embedsAll({ answer }: TestProvider) {
  return (request: ModelRequest): ModelReply => answer(textsOf(request).map(embeddingOf));
}

/** A clock that ends every wait at once and records its length. */
function createInstantClock(): { clock: Clock; waits: number[] } {
  const waits: number[] = [];
  const clock: Clock = {
    nowMs: () => Date.parse('2026-03-01T12:00:00.000Z'),
    elapsedMs: () => 0,
    schedule: (delayMs, callback) => {
      waits.push(delayMs);
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
  return { clock, waits };
}

/** Opens an embedder with settings, keyed by environment variable. */
export async function open(env: Record<string, string>) {
  const { clock, waits } = createInstantClock();
  const settings = loadConfig({ VECTOR_SIZE: String(SIZE), ...env }).embedding;
  const chosen = await createEmbedder(settings, { log: quiet, clock });
  onTestFinished(() => chosen.embedder.close());
  return { ...chosen, waits };
}

/** Opens a provider with an unknown model, and a server that embeds all texts. */
export async function openProvider(provider: TestProvider, env: Record<string, string> = {}) {
  const server: ModelServer = await startModelServer();
  server.on(provider.path, embedsAll(provider));
  const opened = await open({
    EMBEDDING_PROVIDER: provider.name,
    [provider.modelVariable]: 'test-model',
    ...provider.env(server.url),
    ...env,
  });
  return { ...opened, server };
}

/** OpenAI and compatible servers, through the official SDK. */

import { MemoryError } from '../domain/errors.js';
import type { EmbeddingSettings } from '../domain/settings.js';
import OpenAI from '../packages/openai.js';
import type { Embedder } from './embedder.js';
import { failureOf, type ProviderFailure } from './provider-failure.js';
import { indexedEmbeddings } from './read-vectors.js';
import {
  CHARACTERS_PER_TOKEN,
  CHARACTERS_PER_TOKEN_CAREFUL,
  createRemoteEmbedder,
  type ProviderRequest,
  type RemoteParts,
} from './remote.js';
import { fetchChecked } from './request-sender.js';

const OFFICIAL_BASE_URL = 'https://api.openai.com/v1';
const SMALL_MODEL = 'text-embedding-3-small';
const LARGE_MODEL = 'text-embedding-3-large';
/** Dimensions of the small model. For a larger VECTOR_SIZE, the large model is the default. */
const SMALL_MODEL_DIMENSIONS = 1536;

/** Limits of the API reference: 2048 inputs, 8,191 tokens in each, 300,000 in total. */
const LIMITS = {
  texts: 2048,
  characters: 300_000 * CHARACTERS_PER_TOKEN_CAREFUL,
  textCharacters: 8_191 * CHARACTERS_PER_TOKEN,
};

/**
 * @throws MemoryError `invalid` when the official service is used without a key, or VECTOR_SIZE is too small for the
 * model
 */
export function createOpenAiEmbedder(settings: EmbeddingSettings, parts: Pick<RemoteParts, 'clock'>): Embedder {
  const { apiKey, baseUrl } = settings.openai;
  if (apiKey === undefined && baseUrl === undefined) {
    throw new MemoryError('invalid', 'EMBEDDING_PROVIDER=openai needs OPENAI_API_KEY', {
      hint: 'Set it, or set OPENAI_BASE_URL to a compatible server that needs no key',
    });
  }
  const model = settings.openai.model ?? (settings.dimensions > SMALL_MODEL_DIMENSIONS ? LARGE_MODEL : SMALL_MODEL);
  const client = new OpenAI({
    // Pass a dummy key, because the SDK requires a value. A server that needs no key ignores the dummy.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    baseURL: baseUrl ?? OFFICIAL_BASE_URL,
    // Set a longer time limit than Engraph's. Engraph's limit also covers the body, so it should end a slow call first.
    timeout: settings.timeoutMs + 1_000,
    // Switch off the retries of the SDK, because Engraph retries by itself. The SDK waits as long as a server asks, and
    // that wait cannot be cancelled.
    maxRetries: 0,
    // Switch off the log of the SDK, because it writes to stdout, which is reserved for MCP messages.
    logLevel: 'off',
    // Use a `fetch` that throws on failed answers, because the errors of the SDK lose the server's message unless it is
    // nested under `error`.
    fetch: fetchChecked,
  });
  return createRemoteEmbedder(
    {
      words: {
        name: 'openai',
        model,
        keyVariable: 'OPENAI_API_KEY',
        modelVariable: 'EMBEDDING_MODEL',
        addressVariable: 'OPENAI_BASE_URL',
      },
      limits: LIMITS,
      request: createRequest(client, model),
    },
    { settings, ...parts },
  );
}

function createRequest(client: OpenAI, model: string) {
  let takesDimensions = true;
  const send = async ({ texts, dimensions, signal }: ProviderRequest) =>
    indexedEmbeddings(
      await client.embeddings.create(
        {
          model,
          input: [...texts],
          // Request numbers instead of base64, the default of the SDK, because compatible servers may not support
          // base64.
          encoding_format: 'float',
          ...(dimensions !== undefined && takesDimensions && { dimensions }),
        },
        { signal },
      ),
    );
  return async (request: ProviderRequest): Promise<unknown[]> => {
    try {
      return await send(request);
    } catch (error) {
      const isAboutDimensions = refusesDimensions(failureOf(error, request.signal));
      if (request.dimensions === undefined || !takesDimensions || !isAboutDimensions) throw error;
      // Send no dimension from now on. The server then returns vectors of full length, which the vector reader cuts.
      takesDimensions = false;
      return send(request);
    }
  };
}

function refusesDimensions({ kind, serverMessage }: ProviderFailure): boolean {
  return (kind === 'refused' || kind === 'too long') && /dimension|matryoshka/i.test(serverMessage);
}

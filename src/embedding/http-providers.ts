/** A model served by Ollama (docs.ollama.com/api/embed). */

import { MemoryError } from '../domain/errors.js';
import type { EmbeddingSettings } from '../domain/settings.js';
import type { Embedder } from './embedder.js';
import { indexedEmbeddings } from './read-vectors.js';
import {
  CHARACTERS_PER_TOKEN,
  CHARACTERS_PER_TOKEN_CAREFUL,
  createRemoteEmbedder,
  type RemoteParts,
} from './remote.js';
import { listIn, postJson } from './request-sender.js';

/**
 * Ollama does not limit the size of a request. A small machine needs a few seconds for 64 texts. Ollama's common
 * embedding models read at most 8,192 tokens. Ollama should cut longer texts itself, but since 0.13.5 it refuses some
 * longer texts (github.com/ollama/ollama/issues/14186).
 */
const LIMITS = {
  texts: 64,
  characters: 64 * 8_192,
  textCharacters: 8_192 * CHARACTERS_PER_TOKEN,
};

/** @throws MemoryError `invalid` when VECTOR_SIZE is too small for the model */
export function createOllamaEmbedder(settings: EmbeddingSettings, parts: Pick<RemoteParts, 'clock'>): Embedder {
  const { baseUrl, model } = settings.ollama;
  return createRemoteEmbedder(
    {
      words: {
        name: 'ollama',
        model,
        modelVariable: 'OLLAMA_MODEL',
        addressVariable: 'OLLAMA_BASE_URL',
        missingRemedy: `run 'ollama pull ${model}', or check OLLAMA_MODEL and OLLAMA_BASE_URL`,
      },
      limits: LIMITS,
      request: async ({ texts, signal }) =>
        listIn(
          await postJson({ url: `${baseUrl}/api/embed`, body: { model, input: texts, truncate: true }, signal }),
          'embeddings',
        ),
    },
    { settings, ...parts },
  );
}

/**
 * Limits of the API. A request may have 1,000 texts, or 128 for older models. It may have 120,000 tokens in total,
 * which is the lowest limit of any model. One text may have 32,000 tokens, and the service cuts longer texts itself.
 */
const VOYAGE_LIMITS = {
  texts: 128,
  characters: 120_000 * CHARACTERS_PER_TOKEN_CAREFUL,
  textCharacters: 32_000 * CHARACTERS_PER_TOKEN,
};

/** @throws MemoryError `invalid` without a key, or when VECTOR_SIZE is too small for the model */
export function createVoyageEmbedder(settings: EmbeddingSettings, parts: Pick<RemoteParts, 'clock'>): Embedder {
  const { apiKey, baseUrl, model } = settings.voyage;
  if (apiKey === undefined) throw new MemoryError('invalid', 'EMBEDDING_PROVIDER=voyage needs VOYAGE_API_KEY');
  return createRemoteEmbedder(
    {
      words: {
        name: 'voyage',
        model,
        keyVariable: 'VOYAGE_API_KEY',
        modelVariable: 'VOYAGE_MODEL',
        addressVariable: 'VOYAGE_BASE_URL',
      },
      limits: VOYAGE_LIMITS,
      request: async ({ texts, purpose, dimensions, signal }) =>
        indexedEmbeddings(
          await postJson({
            url: `${baseUrl}/embeddings`,
            headers: { authorization: `Bearer ${apiKey}` },
            body: {
              model,
              input: texts,
              input_type: purpose,
              truncation: true,
              ...(dimensions !== undefined && { output_dimension: dimensions }),
            },
            signal,
          }),
        ),
    },
    { settings, ...parts },
  );
}

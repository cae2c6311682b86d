/** Voyage AI by HTTP (docs.voyageai.com/reference/embeddings-api). */
import { MemoryError } from '../domain/errors.js';
import type { EmbeddingSettings } from '../domain/settings.js';
import type { Embedder } from './embedder.js';
import { indexedEmbeddings } from './read-vectors.js';
import { createRemoteEmbedder, type RemoteParts } from './remote.js';
import { postJson } from './request-sender.js';
import { CHARACTERS_PER_TOKEN, CHARACTERS_PER_TOKEN_CAREFUL } from './text-limits.js';

/**
 * Limits of the API. A request may have 1,000 texts, or 128 for older models. It may have 120,000 tokens in total,
 * which is the lowest limit of any model. One text may have 32,000 tokens, and the service cuts longer texts itself.
 */
const LIMITS = {
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
      limits: LIMITS,
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

/** A model served by Ollama (docs.ollama.com/api/embed). */
import type { EmbeddingSettings } from '../domain/settings.js';
import type { Embedder } from './embedder.js';
import { createRemoteEmbedder, type RemoteParts } from './remote.js';
import { listIn, postJson } from './request-sender.js';
import { CHARACTERS_PER_TOKEN } from './text-limits.js';

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

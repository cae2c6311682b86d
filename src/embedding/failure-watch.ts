/** Remembers whether the last call of an embedder failed, for health. */
import { MemoryError } from '../domain/errors.js';
import type { Embedder } from './embedder.js';
import { publicSummary } from './provider-errors.js';

/** The same embedder, with `lastFailure`. */
export function watchFailures(embedder: Embedder): Embedder {
  let lastFailure: string | undefined;
  const { model, description, unrelatedSimilarity, dimensions } = embedder;
  return {
    model,
    description,
    unrelatedSimilarity,
    dimensions,
    get lastFailure() {
      return lastFailure;
    },
    embed: async (texts, purpose) => {
      try {
        const vectors = await embedder.embed(texts, purpose);
        lastFailure = undefined;
        return vectors;
      } catch (error) {
        const isAboutTexts = error instanceof MemoryError && error.code !== 'unavailable';
        lastFailure = isAboutTexts ? undefined : publicSummary(error);
        throw error;
      }
    },
    close: () => embedder.close(),
  };
}

/** Counts the calls of an embedder, and records whether the last one failed, for health reports. */
import { MemoryError } from '../domain/errors.js';
import type { EmbeddingUsage } from '../domain/statistics.js';
import type { Embedder, WatchedEmbedder } from './embedder.js';
import { publicSummary } from './provider-errors.js';

/** Adds `lastFailure` and `usage` to an embedder. */
export function watchFailures(embedder: Embedder): WatchedEmbedder {
  const usage: EmbeddingUsage = { calls: 0, texts: 0, failures: 0 };
  let lastFailure: string | undefined;
  const { model, description, unrelatedSimilarity, understandsMeaning, isImmediate } = embedder;
  return {
    model,
    description,
    unrelatedSimilarity,
    understandsMeaning,
    isImmediate,
    usage,
    get returned() {
      return embedder.returned;
    },
    get lastFailure() {
      return lastFailure;
    },
    embed: async (texts, purpose) => {
      usage.calls += 1;
      usage.texts += texts.length;
      try {
        const vectors = await embedder.embed(texts, purpose);
        lastFailure = undefined;
        return vectors;
      } catch (error) {
        usage.failures += 1;
        const isAboutTexts = error instanceof MemoryError && error.code !== 'unavailable';
        lastFailure = isAboutTexts ? undefined : publicSummary(error);
        throw error;
      }
    },
    close: () => embedder.close(),
  };
}

/**
 * Known facts about embedding models, by name. A model that is not listed works too: its first answer shows its
 * dimension.
 */

import MODELS from './model-profiles.json' with { type: 'json' };

export interface ModelProfile {
  /** The default dimension of the model's vectors. */
  dimensions?: number;
  /** Other dimensions that can be requested. `any` allows every dimension up to the default dimension. */
  otherDimensions?: 'any' | readonly number[];
  /** Prefixes that the model was trained to see before a text. */
  prefixes?: { query: string; document: string };
  /** The same as `Embedder.unrelatedSimilarity`. */
  unrelatedSimilarity: number;
}

/**
 * Assumed similarity of unrelated texts for unknown models. The guess is low on purpose. With a value that is too low,
 * chance similarities count a little. With a value that is too high, weak matches are lost.
 */
const UNRELATED_SIMILARITY_DEFAULT = 0.2;

/**
 * The known models. A pattern without `dimensions` matches models of several sizes.
 *
 * Dimensions and prefixes are those of the model cards: huggingface.co/nomic-ai, /mixedbread-ai/mxbai-embed-large-v1,
 * /BAAI, /intfloat, /Snowflake, /google/embeddinggemma-300m, /Qwen; Ollama adds no prefix of its own. The
 * dimensions that can be requested from Voyage are from docs.voyageai.com/docs/embeddings.
 *
 * Similarity of unrelated texts:
 * - text-embedding-3: 0.08 for an irrelevant question (afurmanov.com/chunk-size-embedding-similarity, large),
 *   0.20 to 0.25 for a question off the topic (community.openai.com/t/1377685, small); ada-002 has 0.77 for the same
 *   pairs
 * - MiniLM 0.05, bge 0.47, nomic 0.57 without prefixes, gte 0.71: means of unrelated pairs (clawrxiv.io 2604.01087 and
 *   2604.01123); prefixes change the mean, so bge and nomic have slightly lower values here
 * - e5: "around 0.7 to 1.0" (its model card)
 * - mxbai, arctic, embeddinggemma, qwen3, bge-m3, Voyage: guesses, because no figures are published
 */
const PROFILES = MODELS.map(({ name, ...profile }) => ({ name: new RegExp(name), profile: profile as ModelProfile }));

/** @param model as configured: possibly with an owner, as in `nomic-ai/…`, and a tag, as in `…:latest` */
export function profileOf(model: string): ModelProfile {
  const [name = ''] = (model.toLowerCase().split('/').at(-1) ?? '').split(':');
  const found = PROFILES.find(candidate => candidate.name.test(name));
  return found?.profile ?? { unrelatedSimilarity: UNRELATED_SIMILARITY_DEFAULT };
}

export interface DimensionPlan {
  /** Dimension to request from the model; absent when the model's default dimension is used. */
  requested?: number;
  /** Dimension of the returned vectors; absent until the first answer shows it. */
  expected?: number;
}

/**
 * Chooses the largest dimension up to `size` that the model offers.
 *
 * @param size VECTOR_SIZE: shorter vectors are padded with zeros
 * @returns undefined when all dimensions of the model are larger
 */
export function planDimensions({ dimensions, otherDimensions }: ModelProfile, size: number): DimensionPlan | undefined {
  if (dimensions === undefined) return {};
  const others = otherDimensions === 'any' ? [size] : (otherDimensions ?? []);
  const limit = otherDimensions === 'any' ? dimensions : Number.POSITIVE_INFINITY;
  const fitting = [dimensions, ...others].filter(each => each <= size && each <= limit);
  if (fitting.length === 0) return undefined;
  const expected = Math.max(...fitting);
  return expected === dimensions ? { expected } : { requested: expected, expected };
}

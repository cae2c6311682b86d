/**
 * Known facts about embedding models, by name. A model that is not listed works too: its first answer shows its
 * dimension.
 */

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

const BGE_QUERY = { query: 'Represent this sentence for searching relevant passages: ', document: '' };
const E5 = { query: 'query: ', document: 'passage: ' };
const NOMIC = { query: 'search_query: ', document: 'search_document: ' };
const GEMMA = { query: 'task: search result | query: ', document: 'title: none | text: ' };
const QWEN = {
  query: 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
  document: '',
};

/**
 * Dimensions that can be requested from voyage-3.5, -3-large, -code-3 and the 4 series
 * (docs.voyageai.com/docs/embeddings).
 */
const VOYAGE_DIMENSIONS = [256, 512, 1024, 2048];
/** Assumed similarity of unrelated texts in Voyage models. It is a guess, because no figures are published. */
const VOYAGE_UNRELATED = 0.25;

/**
 * Dimensions and prefixes are those of the model cards: huggingface.co/nomic-ai, /mixedbread-ai/mxbai-embed-large-v1,
 * /BAAI, /intfloat, /Snowflake, /google/embeddinggemma-300m, /Qwen; Ollama adds no prefix of its own.
 *
 * Similarity of unrelated texts:
 * - text-embedding-3: 0.08 for an irrelevant question (afurmanov.com/chunk-size-embedding-similarity, large),
 *   0.20 to 0.25 for a question off the topic (community.openai.com/t/1377685, small); ada-002 has 0.77 for the same
 *   pairs
 * - MiniLM 0.05, bge 0.47, nomic 0.57 without prefixes, gte 0.71: means of unrelated pairs (clawrxiv.io 2604.01087 and
 *   2604.01123); prefixes change the mean, so bge and nomic have slightly lower values here
 * - e5: "around 0.7 to 1.0" (its model card)
 * - mxbai, arctic, embeddinggemma, qwen3, bge-m3: guesses
 */
const PROFILES: readonly { name: RegExp; profile: ModelProfile }[] = [
  of(/^text-embedding-3-small$/, { dimensions: 1536, otherDimensions: 'any', unrelatedSimilarity: 0.15 }),
  of(/^text-embedding-3-large$/, { dimensions: 3072, otherDimensions: 'any', unrelatedSimilarity: 0.1 }),
  of(/^text-embedding-ada-002$/, { dimensions: 1536, unrelatedSimilarity: 0.7 }),
  of(/^voyage-(?:4(?:-lite|-large|-nano)?|3\.5(?:-lite)?|3-large|code-3)$/, {
    dimensions: 1024,
    otherDimensions: VOYAGE_DIMENSIONS,
    unrelatedSimilarity: VOYAGE_UNRELATED,
  }),
  of(/^voyage-(?:3|2|law-2|finance-2|multilingual-2)$/, { dimensions: 1024, unrelatedSimilarity: VOYAGE_UNRELATED }),
  of(/^voyage-3-lite$/, { dimensions: 512, unrelatedSimilarity: VOYAGE_UNRELATED }),
  of(/^voyage-(?:code-2|large-2)$/, { dimensions: 1536, unrelatedSimilarity: VOYAGE_UNRELATED }),
  of(/^nomic-embed-text(?:-v\d.*)?$/, { dimensions: 768, prefixes: NOMIC, unrelatedSimilarity: 0.45 }),
  of(/^mxbai-embed-large(?:-v1)?$/, { dimensions: 1024, prefixes: BGE_QUERY, unrelatedSimilarity: 0.35 }),
  of(/^all-minilm(?:-l\d+-v\d)?$/, { dimensions: 384, unrelatedSimilarity: 0.05 }),
  of(/^bge-m3$/, { dimensions: 1024, unrelatedSimilarity: 0.35 }),
  of(/^bge-small-en-v1\.5$/, { dimensions: 384, prefixes: BGE_QUERY, unrelatedSimilarity: 0.4 }),
  of(/^bge-base-en-v1\.5$/, { dimensions: 768, prefixes: BGE_QUERY, unrelatedSimilarity: 0.4 }),
  of(/^bge-large(?:-en-v1\.5)?$/, { dimensions: 1024, prefixes: BGE_QUERY, unrelatedSimilarity: 0.4 }),
  of(/^gte-large(?:-en-v1\.5)?$/, { dimensions: 1024, unrelatedSimilarity: 0.65 }),
  of(/^(?:multilingual-)?e5-small(?:-v2)?$/, { dimensions: 384, prefixes: E5, unrelatedSimilarity: 0.7 }),
  of(/^(?:multilingual-)?e5-base(?:-v2)?$/, { dimensions: 768, prefixes: E5, unrelatedSimilarity: 0.7 }),
  of(/^(?:multilingual-)?e5-large(?:-v2)?$/, { dimensions: 1024, prefixes: E5, unrelatedSimilarity: 0.7 }),
  // A pattern without `dimensions` matches models of several sizes.
  of(/^snowflake-arctic-embed(?:-[a-z]+)?$/, { prefixes: BGE_QUERY, unrelatedSimilarity: 0.3 }),
  of(/^embeddinggemma(?:-300m)?$/, { dimensions: 768, prefixes: GEMMA, unrelatedSimilarity: 0.3 }),
  of(/^qwen3-embedding(?:-\d.*)?$/, { prefixes: QWEN, unrelatedSimilarity: 0.3 }),
];

function of(name: RegExp, profile: ModelProfile) {
  return { name, profile };
}

/** @param model as configured: possibly with an owner, as in `nomic-ai/…`, and a tag, as in `…:latest` */
export function profileOf(model: string): ModelProfile {
  const [name = ''] = (model.toLowerCase().split('/').at(-1) ?? '').split(':');
  const found = PROFILES.find(candidate => candidate.name.test(name));
  return found?.profile ?? { unrelatedSimilarity: UNRELATED_SIMILARITY_DEFAULT };
}

export interface DimensionPlan {
  /** Dimension to request from the model; absent when the model's default dimension is used. */
  asked?: number;
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
  return expected === dimensions ? { expected } : { asked: expected, expected };
}

/** Settings that more than one module uses, and the values beside them that only tests change. config.ts has them. */
import type { MemoryType } from './memory.js';
import type { ScoreComponents } from './recall.js';

/** Size tiers of the store_memory tool, in characters. */
export interface ContentTiers {
  softLimit: number;
  hardLimit: number;
}

/** Weights of the score components. The specification sets the defaults of the components that it defines. */
export type ScoreWeights = Omit<ScoreComponents, 'context' | 'newer' | 'inherited'>;

/**
 * Weights of the components that the specification does not define. With all of them at 0 a score is that of the
 * specification.
 */
export const OWN_WEIGHTS = { lexical: 1.5, meaning: 4, neighbour: 2 };

export interface RecallSettings {
  /**
   * Maximum number of relations attached to one result, unless a recall sets another maximum. It also limits the
   * relations that expansion follows from one result.
   */
  relationLimit: number;
  /** Maximum number of memories that expansion adds, unless a recall sets another maximum. */
  expansionLimit: number;
  /** Results below this score are left out. 0 keeps all results. */
  minScore: number;
  adaptiveFloor: boolean;
  weights: ScoreWeights;
}

export interface WorkSettings {
  batchSize: number;
  maxAttempts: number;
  /** Wait after the first failed attempt. The wait doubles with each further failure, up to five minutes. */
  backoffMs: number;
  leaseMs: number;
}

/** A FalkorDB server. The address may contain user and password. */
export interface FalkorAddress {
  url: string;
  password: string | undefined;
  graph: string;
  /** Time limit for one call. */
  timeoutMs: number;
}

/** A Qdrant server and a collection. If a factor or `shardNumber` is undefined, the server uses its own default. */
export interface QdrantAddress {
  url: string;
  apiKey: string | undefined;
  collection: string;
  /** Time limit for one request. */
  timeoutMs: number;
  replicationFactor: number | undefined;
  shardNumber: number | undefined;
  writeConsistencyFactor: number | undefined;
}

/** Where memories are stored. A store without a configured server is embedded in the data folder. */
export interface StoreSettings {
  falkordb: FalkorAddress | undefined;
  qdrant: QdrantAddress | undefined;
}

export interface SyncSettings {
  /** Time between two comparisons of the stores. 0: no comparison is scheduled, and none repairs. */
  intervalMs: number;
}

export const EMBEDDING_PROVIDERS = ['auto', 'openai', 'voyage', 'ollama', 'local', 'hash'] as const;
export type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number];

export interface EmbeddingSettings {
  provider: EmbeddingProvider;
  /**
   * Length of every vector, VECTOR_SIZE. Shorter vectors of a model are padded with zeros. Longer vectors are cut if
   * the model allows it, and otherwise refused.
   */
  dimensions: number;
  /** Time limit for one request to a provider. */
  timeoutMs: number;
  /** Number of retries after 429, 5xx and network failures. */
  maxRetries: number;
  openai: { apiKey: string | undefined; baseUrl: string | undefined; model: string | undefined };
  voyage: { apiKey: string | undefined; baseUrl: string; model: string };
  /** `isChosen`: an address or a model was set, so `auto` may choose Ollama. */
  ollama: { baseUrl: string; model: string; isChosen: boolean };
  local: LocalModelSettings;
}

export interface LocalModelSettings {
  /** Repository of the model on the hub, as `owner/name`. */
  model: string;
  /** Folder that already contains the model. If the folder is set, nothing is downloaded. */
  path: string | undefined;
  /** Folder for downloaded models. */
  folder: string;
  /** Address of the hub from which models are downloaded. Set by HF_ENDPOINT. */
  hubUrl: string;
}

export const LANGUAGE_MODEL_PROVIDERS = ['auto', 'anthropic', 'openai', 'none'] as const;
export type LanguageModelProvider = (typeof LANGUAGE_MODEL_PROVIDERS)[number];

export interface LanguageModelSettings {
  provider: LanguageModelProvider;
  /** If undefined, the default model of the provider is used. */
  model: string | undefined;
  /** Time limit for one request. */
  timeoutMs: number;
  /** Number of retries after 429, 5xx and network failures. */
  maxRetries: number;
  anthropic: { apiKey: string | undefined; baseUrl: string | undefined };
  openai: { apiKey: string | undefined; baseUrl: string | undefined };
}

export interface EnrichmentSettings {
  /** Maximum number of SIMILAR_TO edges that start from a memory. */
  similarityLimit: number;
  /** Minimum cosine similarity of two memories with a SIMILAR_TO edge, 0..1. */
  similarityThreshold: number;
}

/** The schedule and the limits of consolidation (docs/consolidation.md). */
export interface ConsolidationSettings {
  tickSeconds: number;
  /** Time between two runs of each task. 0: the task is not scheduled. */
  intervalsSeconds: { decay: number; creative: number; cluster: number; forget: number };
  /** Memories above this importance keep their relevance. */
  decayImportanceThreshold: number;
  /** Memories of these types are never forgotten. */
  protectedTypes: readonly MemoryType[];
  /** Memories that were noted, changed or accessed within this number of days are never forgotten. */
  gracePeriodDays: number;
  /** Memories below this relevance are deleted. 0 deletes no memories. */
  deleteThreshold: number;
  /** Memories below this relevance are archived. 0 archives no memories. */
  archiveThreshold: number;
  /**
   * Number of runs of each task in the history. Their changes are kept too, but for decay only those of the last two
   * runs.
   */
  historyLimit: number;
  controlNodeId: string;
  /** Number of days that a deleted memory stays in the bin. */
  binDays: number;
  /** Maximum share of all memories that one run may archive or delete, 0..1. A share above 0 allows at least one. */
  maxChangeShare: number;
}

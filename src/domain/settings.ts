/** Settings that more than one part is built with. Their defaults stand in config.ts. */
import type { MemoryType } from './memory-type.js';
import type { RecencyBias } from './recall-query.js';
import type { ScoreComponents } from './recall-results.js';

/** Size tiers of the store_memory tool, in characters. */
export interface ContentTiers {
  softLimit: number;
  hardLimit: number;
}

/** Weights of the score components; the defaults are the specification's. */
export type ScoreWeights = Omit<ScoreComponents, 'context'>;

export interface RecallSettings {
  /** Relations attached to a result, and followed from a seed, unless a recall says otherwise. */
  relationLimit: number;
  /** Memories that expansion may add, unless a recall says otherwise. */
  expansionLimit: number;
  /** Results below this score are left out; 0 leaves out none. */
  minScore: number;
  adaptiveFloor: boolean;
  recencyBias: RecencyBias;
  /** Most that the recency bias adds to a score. */
  temporalWeight: number;
  weights: ScoreWeights;
}

export interface WorkSettings {
  batchSize: number;
  batchTimeoutMs: number;
  maxAttempts: number;
  /** First wait after a failed attempt; it doubles with each. */
  backoffMs: number;
  leaseMs: number;
}

/** A FalkorDB server; the address may hold user and password. */
export interface FalkorAddress {
  url: string;
  password: string | undefined;
  graph: string;
  /** For one call. */
  timeoutMs: number;
}

/** A Qdrant server. What is undefined is left to it. */
export interface QdrantAddress {
  url: string;
  apiKey: string | undefined;
  /** Path under which a proxy offers the server. */
  prefix: string | undefined;
  collection: string;
  /** For one request. */
  timeoutMs: number;
  replicationFactor: number | undefined;
  shardNumber: number | undefined;
  writeConsistencyFactor: number | undefined;
}

/** Where memories are kept: on servers, or embedded in the data folder where there is none. */
export interface StoreSettings {
  falkordb: FalkorAddress | undefined;
  qdrant: QdrantAddress | undefined;
}

export interface SyncSettings {
  /** Between two comparisons of the stores; 0: never by itself. */
  intervalMs: number;
  /** Whether memories that such a comparison finds without a vector are embedded. */
  isRepairing: boolean;
}

export const EMBEDDING_PROVIDERS = ['auto', 'openai', 'voyage', 'ollama', 'local', 'hash'] as const;
export type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number];

export interface EmbeddingSettings {
  provider: EmbeddingProvider;
  /** Length of every vector, VECTOR_SIZE: shorter ones of a model are padded with zeros, longer ones refused. */
  dimensions: number;
  /** For one request to a provider. */
  timeoutMs: number;
  /** Further attempts after 429, 5xx and failures of the network. */
  maxRetries: number;
  openai: { apiKey: string | undefined; baseUrl: string | undefined; model: string | undefined };
  voyage: { apiKey: string | undefined; baseUrl: string; model: string };
  /** `isChosen`: an address or a model was set, so that `auto` may take it. */
  ollama: { baseUrl: string; model: string; isChosen: boolean };
  local: LocalModelSettings;
}

export interface LocalModelSettings {
  /** Repository of the model on the hub, as `owner/name`. */
  model: string;
  /** Folder that holds the model already; nothing is then downloaded. */
  path: string | undefined;
  /** Where downloaded models are kept. */
  folder: string;
  /** Address of the hub, HF_ENDPOINT. */
  hubUrl: string;
  /** Threads for memories beside the one for questions; undefined leaves it to the number of cores. */
  threads: number | undefined;
}

export const LANGUAGE_MODEL_PROVIDERS = ['auto', 'anthropic', 'openai', 'none'] as const;
export type LanguageModelProvider = (typeof LANGUAGE_MODEL_PROVIDERS)[number];

export interface LanguageModelSettings {
  provider: LanguageModelProvider;
  /** Undefined: the provider's default. */
  model: string | undefined;
  /** For one request. */
  timeoutMs: number;
  /** Further attempts after 429, 5xx and failures of the network. */
  maxRetries: number;
  anthropic: { apiKey: string | undefined; baseUrl: string | undefined };
  openai: { apiKey: string | undefined; baseUrl: string | undefined };
}

export interface EnrichmentSettings {
  /** Most edges SIMILAR_TO that begin at a memory. */
  similarityLimit: number;
  /** Least cosine similarity of such an edge, 0..1. */
  similarityThreshold: number;
  areSummariesEnabled: boolean;
}

/** Shortening of long contents by a language model, in characters. */
export interface SummarySettings {
  isEnabled: boolean;
  targetLength: number;
}

/** When consolidation runs by itself, and what it may do (docs/consolidation.md). */
export interface ConsolidationSettings {
  tickSeconds: number;
  /** Between two runs of each task; 0: never by itself. */
  intervalsSeconds: { decay: number; creative: number; cluster: number; forget: number };
  /** Share of its relevance that a memory loses in a day by its age, CONSOLIDATION_BASE_DECAY_RATE. */
  baseDecayRate: number;
  /** Share of its importance below which the relevance of a memory never falls. */
  importanceFloorFactor: number;
  /** Memories more important than this keep their relevance. */
  decayImportanceThreshold: number;
  /** Types that are never forgotten. */
  protectedTypes: readonly MemoryType[];
  /** Memories this important or more are never forgotten. */
  importanceProtectionThreshold: number;
  /** Younger memories are never forgotten. */
  gracePeriodDays: number;
  /** Memories whose relevance lies below are deleted; 0: none. */
  deleteThreshold: number;
  /** Memories whose relevance lies below are archived; 0: none. */
  archiveThreshold: number;
  /** Runs kept in the history, with what they changed. */
  historyLimit: number;
  controlNodeId: string;
  /** Days that a deleted memory stays in the bin. */
  binDays: number;
  /** Most of all memories that one run may archive or delete, 0..1. */
  maxChangeShare: number;
}

/**
 * Builds one frozen Config from environment, flags and defaults. Only this file reads the settings of Engraph from the
 * environment.
 */
import { join } from 'node:path';
import { INPUT_LIMITS, type InputLimits } from './domain/input.js';
import { MEMORY_TYPES, type MemoryType, readMemoryType } from './domain/memory.js';
import { EXPANSION_LIMIT_MAX, RELATION_LIMIT_MAX } from './domain/recall.js';
import { keepSecret } from './domain/secrets.js';
import {
  type ConsolidationSettings,
  type ContentTiers,
  EMBEDDING_PROVIDERS,
  type EmbeddingSettings,
  type EnrichmentSettings,
  LANGUAGE_MODEL_PROVIDERS,
  type LanguageModelSettings,
  OWN_WEIGHTS,
  type RecallSettings,
  type StoreSettings,
  type SyncSettings,
  type WorkSettings,
} from './domain/settings.js';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log.js';
import { type Flags, loadPlace, type MemoryPlace } from './memory-place.js';
import { ConfigError, type Environment, type SettingReader, settingReader } from './setting-reader.js';

export { defaultDataDir, type Flags, type RemoteSettings } from './memory-place.js';
export { ConfigError, type Environment } from './setting-reader.js';

export interface Config extends MemoryPlace {
  host: string;
  /** If 0, the system chooses the port. */
  port: number;
  /** Whether to continue with the remaining data when some data are missing. */
  acceptsLoss: boolean;
  /** The IANA name of the zone of days and clock times in words. */
  timeZone: string;
  logLevel: LogLevel;
  logFormat: LogFormat;
  apiToken: string | undefined;
  adminToken: string | undefined;
  /** Whether the startup recall requires the API token. */
  startupRecallNeedsToken: boolean;
  /** Host names that the Host header of a request may contain, in addition to `host` and loopback names. */
  allowedHosts: readonly string[];
  bodyLimitBytes: number;
  /** Limits for each caller. 0 means unlimited. */
  requestLimits: { maxPerSecond: number };
  mcpHttp: { bodyLimitBytes: number; maxCount: number; idleMs: number };
  embedding: EmbeddingSettings;
  input: InputLimits;
  content: ContentTiers;
  /** Whether the language model shortens long contents. */
  shortensContents: boolean;
  recall: RecallSettings;
  work: WorkSettings;
  enrichment: EnrichmentSettings;
  stores: StoreSettings;
  sync: SyncSettings;
  languageModel: LanguageModelSettings;
  consolidation: ConsolidationSettings;
}

/** @throws ConfigError */
export function loadConfig(env: Environment = process.env, flags: Flags = {}): Config {
  const read = settingReader(env);
  const { dataDir, remote, isReadOnly } = loadPlace(env, flags);
  const vectorSize = read.count('VECTOR_SIZE', { fallback: 1024, max: 20_000 });
  return Object.freeze({
    host: flags.host ?? read.text('HOST') ?? '127.0.0.1',
    port: read.count('PORT', { fallback: 8001, min: 0, max: 65_535, flag: flags.port }),
    remote,
    dataDir,
    acceptsLoss: flags['accept-loss'] ?? read.flag('ENGRAPH_ACCEPT_LOSS', false),
    timeZone: read.timeZone('TIME_ZONE'),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    logFormat: read.choice('LOG_FORMAT', LOG_FORMATS, 'text'),
    apiToken: read.secret('SERVICE_API_TOKEN') ?? read.secret('AUTOMEM_API_TOKEN'),
    adminToken: read.secret('ADMIN_API_TOKEN'),
    startupRecallNeedsToken: read.flag('STARTUP_RECALL_REQUIRES_TOKEN', false),
    allowedHosts: read.list('ENGRAPH_ALLOWED_HOSTS').map(host => host.toLowerCase()),
    bodyLimitBytes: 33_554_432,
    requestLimits: { maxPerSecond: 5000 },
    mcpHttp: { bodyLimitBytes: 4_194_304, maxCount: 1000, idleMs: 1_800_000 },
    isReadOnly,
    embedding: readEmbedding(read, vectorSize, dataDir),
    input: { ...INPUT_LIMITS, vectorSize, recallMaxLimit: read.count('RECALL_MAX_LIMIT', { fallback: 100 }) },
    content: {
      softLimit: read.count('MEMORY_CONTENT_SOFT_LIMIT', { fallback: 500 }),
      hardLimit: read.count('MEMORY_CONTENT_HARD_LIMIT', { fallback: 2000 }),
    },
    shortensContents: read.flag('MEMORY_AUTO_SUMMARIZE', true),
    recall: {
      relationLimit: read.count('RECALL_RELATION_LIMIT', { fallback: 5, max: RELATION_LIMIT_MAX }),
      expansionLimit: read.count('RECALL_EXPANSION_LIMIT', { fallback: 25, max: EXPANSION_LIMIT_MAX }),
      minScore: read.number('RECALL_MIN_SCORE', 0),
      adaptiveFloor: read.flag('RECALL_ADAPTIVE_FLOOR', false),
      weights: {
        ...OWN_WEIGHTS,
        vector: read.number('SEARCH_WEIGHT_VECTOR', 0.35),
        keyword: read.number('SEARCH_WEIGHT_KEYWORD', 0.35),
        exact: read.number('SEARCH_WEIGHT_EXACT', 0.2),
        importance: read.number('SEARCH_WEIGHT_IMPORTANCE', 0.1),
        confidence: read.number('SEARCH_WEIGHT_CONFIDENCE', 0.05),
        recency: read.number('SEARCH_WEIGHT_RECENCY', 0.1),
        tag: read.number('SEARCH_WEIGHT_TAG', 0.2),
        relation: read.number('SEARCH_WEIGHT_RELATION', 0.25),
        relevance: read.number('SEARCH_WEIGHT_RELEVANCE', 0),
      },
    },
    work: {
      batchSize: 20,
      maxAttempts: read.count('ENRICHMENT_MAX_ATTEMPTS', { fallback: 3 }),
      backoffMs: 5000,
      leaseMs: 60_000,
    },
    enrichment: { similarityLimit: 5, similarityThreshold: 0.8 },
    stores: { falkordb: readFalkorAddress(read), qdrant: readQdrantAddress(read) },
    sync: {
      intervalMs: read.count('SYNC_CHECK_INTERVAL_SECONDS', { fallback: 3600, min: 0, max: 2_000_000 }) * 1000,
    },
    languageModel: readLanguageModel(read),
    consolidation: readConsolidation(read),
  });
}

function readConsolidation(read: SettingReader): ConsolidationSettings {
  const share = { max: 1 };
  const interval = { min: 0, max: INTERVAL_MAX_SECONDS };
  return {
    tickSeconds: read.count('CONSOLIDATION_TICK_SECONDS', { fallback: 60, max: 2_000_000 }),
    intervalsSeconds: {
      decay: read.count('CONSOLIDATION_DECAY_INTERVAL_SECONDS', { fallback: 86_400, ...interval }),
      creative: read.count('CONSOLIDATION_CREATIVE_INTERVAL_SECONDS', { fallback: 604_800, ...interval }),
      cluster: read.count('CONSOLIDATION_CLUSTER_INTERVAL_SECONDS', { fallback: 2_592_000, ...interval }),
      forget: read.count('CONSOLIDATION_FORGET_INTERVAL_SECONDS', { fallback: 0, ...interval }),
    },
    decayImportanceThreshold: read.number('CONSOLIDATION_DECAY_IMPORTANCE_THRESHOLD', 0.3, share),
    protectedTypes: readProtectedTypes(read),
    gracePeriodDays: read.number('CONSOLIDATION_GRACE_PERIOD_DAYS', 90),
    deleteThreshold: read.number('CONSOLIDATION_DELETE_THRESHOLD', 0, share),
    archiveThreshold: read.number('CONSOLIDATION_ARCHIVE_THRESHOLD', 0, share),
    historyLimit: read.count('CONSOLIDATION_HISTORY_LIMIT', { fallback: 20, max: 1000 }),
    controlNodeId: read.text('CONSOLIDATION_CONTROL_NODE_ID') ?? 'global',
    binDays: read.number('CONSOLIDATION_BIN_DAYS', 30),
    maxChangeShare: read.number('CONSOLIDATION_MAX_CHANGE_SHARE', 0.05, share),
  };
}

/** Rejects unknown names, because a misspelt type would leave its memories unprotected. */
function readProtectedTypes(read: SettingReader): MemoryType[] {
  return read.list('CONSOLIDATION_PROTECTED_TYPES', 'Decision,Insight').map(name => {
    const type = readMemoryType(name);
    if (type) return type;
    const types = MEMORY_TYPES.join(', ');
    throw new ConfigError(
      `CONSOLIDATION_PROTECTED_TYPES must contain only types among ${types}, but contains '${name}'`,
    );
  });
}

function readEmbedding(read: SettingReader, dimensions: number, dataDir: string): EmbeddingSettings {
  const ollamaUrl = read.url('OLLAMA_BASE_URL');
  const ollamaModel = read.text('OLLAMA_MODEL');
  const localModel = read.text('LOCAL_EMBEDDING_MODEL') ?? 'Xenova/all-MiniLM-L6-v2';
  return {
    provider: read.choice('EMBEDDING_PROVIDER', EMBEDDING_PROVIDERS, 'auto'),
    dimensions,
    timeoutMs: Math.ceil(read.number('EMBEDDING_TIMEOUT_SECONDS', 30, { min: 0.01, max: 3600 }) * 1000),
    maxRetries: read.count('EMBEDDING_MAX_RETRIES', { fallback: 2, min: 0, max: 10 }),
    openai: {
      apiKey: read.secret('OPENAI_API_KEY'),
      baseUrl: read.url('OPENAI_BASE_URL'),
      model: read.text('EMBEDDING_MODEL'),
    },
    voyage: {
      apiKey: read.secret('VOYAGE_API_KEY'),
      baseUrl: read.url('VOYAGE_BASE_URL') ?? 'https://api.voyageai.com/v1',
      model: read.text('VOYAGE_MODEL') ?? 'voyage-4',
    },
    ollama: {
      baseUrl: ollamaUrl ?? 'http://127.0.0.1:11434',
      model: ollamaModel ?? 'nomic-embed-text',
      isChosen: ollamaUrl !== undefined || ollamaModel !== undefined,
    },
    local: {
      model: localModel.toLowerCase() === 'multilingual' ? 'Xenova/multilingual-e5-small' : localModel,
      path: read.text('LOCAL_EMBEDDING_PATH'),
      folder: join(dataDir, 'models'),
      hubUrl: read.url('HF_ENDPOINT') ?? 'https://huggingface.co',
    },
  };
}

function readFalkorAddress(read: SettingReader): StoreSettings['falkordb'] {
  const host = read.text('FALKORDB_HOST');
  const port = read.count('FALKORDB_PORT', { fallback: 6379, max: 65_535 });
  const url = read.text('FALKORDB_URL') ?? (host && `falkor://${hostInUrl(host)}:${port}`);
  if (url !== undefined) keepPasswordOf(url);
  return url === undefined
    ? undefined
    : {
        url,
        password: read.secret('FALKORDB_PASSWORD'),
        graph: read.text('FALKORDB_GRAPH') ?? 'memories',
        timeoutMs: Math.ceil(read.number('FALKORDB_TIMEOUT_SECONDS', 5, { min: 0.01, max: 600 }) * 1000),
      };
}

/** Only this address may contain a password. */
function keepPasswordOf(url: string): void {
  const { password } = URL.canParse(url) ? new URL(url) : { password: '' };
  keepSecret(password);
  try {
    keepSecret(decodeURIComponent(password));
  } catch {
    // The store refuses such an address.
  }
}

function readQdrantAddress(read: SettingReader): StoreSettings['qdrant'] {
  const host = read.text('QDRANT_HOST');
  const port = read.count('QDRANT_PORT', { fallback: 6333, max: 65_535 });
  const url = read.url('QDRANT_URL') ?? (host && `http://${hostInUrl(host)}:${port}`);
  return url === undefined
    ? undefined
    : {
        url,
        apiKey: read.secret('QDRANT_API_KEY'),
        collection: read.text('QDRANT_COLLECTION') ?? 'memories',
        timeoutMs: Math.ceil(read.number('QDRANT_TIMEOUT_SECONDS', 5, { min: 0.01, max: 600 }) * 1000),
        replicationFactor: read.optionalCount('QDRANT_REPLICATION_FACTOR'),
        shardNumber: read.optionalCount('QDRANT_SHARD_NUMBER'),
        writeConsistencyFactor: read.optionalCount('QDRANT_WRITE_CONSISTENCY_FACTOR'),
      };
}

/** Writes an IPv6 address in brackets. */
function hostInUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function readLanguageModel(read: SettingReader): LanguageModelSettings {
  return {
    provider: read.choice('LLM_PROVIDER', LANGUAGE_MODEL_PROVIDERS, 'auto'),
    model: read.text('LLM_MODEL'),
    timeoutMs: Math.ceil(read.number('LLM_TIMEOUT_SECONDS', 10, { min: 0.01, max: 3600 }) * 1000),
    maxRetries: read.count('LLM_MAX_RETRIES', { fallback: 1, min: 0, max: 10 }),
    anthropic: { apiKey: read.secret('ANTHROPIC_API_KEY'), baseUrl: read.url('ANTHROPIC_BASE_URL') },
    openai: { apiKey: read.secret('OPENAI_API_KEY'), baseUrl: read.url('OPENAI_BASE_URL') },
  };
}

/** A hundred years. */
const INTERVAL_MAX_SECONDS = 3_155_760_000;

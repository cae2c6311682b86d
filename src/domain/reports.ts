/**
 * What the engine reports: health, background work, counts, an analysis of all memories, and comparisons of the stores.
 * `null` means unknown. In the fields `last…` it means that nothing has happened yet.
 */
import type { MemoryType } from './memory.js';
import type { Confidence } from './recall.js';

export interface HealthReport {
  /** Reasons why the service is degraded, for an operator. Each is one sentence. Empty when the service is healthy. */
  reasons: string[];
  graph: { name: string; description: string; isReachable: boolean; memoryCount: number | null };
  vectors: {
    description: string;
    isReachable: boolean;
    vectorCount: number | null;
    /** Actual length of the vectors in the store. */
    dimensions: number | null;
  };
  consistency: Consistency;
  /** Whether vectors cannot be stored, because those of the model or those in the store have an unexpected length. */
  hasLengthMismatch: boolean;
  embedder: EmbedderReport;
  /** Undefined when no language model is configured. */
  languageModel?: LanguageModelReport;
  /**
   * Progress of embedding with the current model. After a change of the model, all vectors are computed again, except
   * supplied vectors.
   */
  embedding: { embeddedCount: number | null; backlog: Backlog | null };
  /** `successes`: number of memories enriched since the process started. */
  enrichment: { isRunning: boolean; successes: number; backlog: Backlog | null };
  /** Set only while this process analyzes memories again, because the text analyzer has changed. */
  textIndex?: TextIndexProgress;
  storage: StorageReport;
  /** Problems of the last consolidation runs, and the number of proposals that wait for an answer. */
  consolidation: { problems: readonly string[]; openProposals: number | null };
  takenAtMs: number;
}

/** Whether the two stores contain the same memories. Unknown until they have been compared. */
export type Consistency = 'inSync' | 'vectorsMissing' | 'vectorsLeftOver' | 'unknown';

export interface EmbedderReport {
  model: string;
  description: string;
  /** Why this model was chosen. */
  choiceReason: string;
  configuredDimensions: number;
  /** Length of the vectors that the model returned last. */
  dimensions: number | null;
  /** Set only while embedding fails. */
  lastFailure?: string;
}

export interface LanguageModelReport {
  description: string;
  /** Set only while the model is not asked, because it fails. */
  lastFailure?: string;
}

/** Counts of memories by the state of their background work, and the delay of this work. */
export interface Backlog {
  /** Includes work that waits for the end of a back-off. */
  pending: number;
  inFlight: number;
  /** Number of memories whose work was given up after the last attempt. */
  failed: number;
  /** Upper bound for the time since the oldest due work became due. 0 when no work is due. */
  behindMs: number;
}

/** Progress of analyzing all memories again with a new version of the text analyzer. */
export interface TextIndexProgress {
  analyzerVersion: number;
  /** Number of memories whose words are up to date. */
  doneCount: number;
  /** Number of memories when the work began. */
  total: number;
}

export interface StorageReport {
  /** Times of the last successful read and of the last successful write of the graph. Null before the first one. */
  lastReadMs: number | null;
  lastWriteMs: number | null;
  /** Number of failed calls to the graph store and the vector store in the last minute. */
  recentFailures: number;
  /** State of the database file, which is checked at the first start after a crash. */
  integrity: 'unchecked' | 'checking' | 'sound' | 'damaged';
  /** Free bytes on the disk of the data folder. */
  freeBytes: number | null;
}

export interface WorkStatus extends Omit<Backlog, 'behindMs'> {
  isRunning: boolean;
  /** Number of attempts after which work is given up. */
  maxAttempts: number;
  worker: WorkerStats;
  classifier: ClassifierStats;
  /** Undefined when no language model is configured. */
  languageModel?: { description: string; usage: ModelUsage };
}

/** Counts of a worker since it started. Instants are ISO 8601 in UTC. */
export interface WorkerStats {
  successes: number;
  failures: number;
  lastSuccessId: string | null;
  lastSuccessAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
}

/** How often each method classified a memory since the process started. */
export interface ClassifierStats {
  patternClassifications: number;
  modelAttempts: number;
  modelSuccesses: number;
  /** Number of memories that could not be classified. */
  fallbacks: number;
  lastError: string | null;
}

/** Usage of the language model since the process started. */
export interface ModelUsage extends TokenUsage {
  lastError: string | null;
}

/** Statistics of the engine and its stores. A value is null when the store could not be asked in time. */
export interface Statistics {
  recalls: RecallStatistics;
  stores: { graph: StoreStatistics; vectors: StoreStatistics };
  work: { embed: Backlog | null; enrich: Backlog | null };
  memoryCount: number | null;
  vectorCount: number | null;
  /** Differences between the two stores. If the stores are large, also null until their first comparison has ended. */
  drift: { missingCount: number; orphanedCount: number } | null;
  /**
   * Free space on the disk of the data folder. Null when the space could not be read, and when all stores are servers,
   * because the folder is then unused.
   */
  freeDiskBytes: number | null;
  embedding: { model: string } & EmbeddingUsage;
  /** Undefined when no language model is configured. */
  languageModel?: { model: string } & TokenUsage;
}

/** Counts of the answered recalls, by confidence and by duration. */
export interface RecallStatistics {
  byConfidence: Readonly<Record<Confidence, number>>;
  durations: DurationCounts;
}

export interface StoreStatistics {
  /** Whether the store answers at present. */
  isUp: boolean;
  /**
   * Whether the circuit breaker of the store refuses calls. False for an embedded store, which has no circuit breaker.
   */
  isCircuitOpen: boolean;
  /** Number of calls that failed because of the store. */
  failures: number;
}

export interface EmbeddingUsage {
  /** Number of calls that embed texts of memories or of queries, including failed calls. */
  calls: number;
  /** Number of texts in all calls, including failed calls. */
  texts: number;
  failures: number;
}

export interface TokenUsage {
  requests: number;
  failures: number;
  inputTokens: number;
  outputTokens: number;
}

/**
 * Upper bounds of the buckets, in milliseconds. The lowest bound fits an answer from a cache. The highest bound fits an
 * answer that comes after the caller has given up.
 */
export const DURATION_BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

export interface DurationCounts {
  /** Number of durations per bucket. A bucket counts the durations up to its bound and above the previous bound. */
  counts: readonly number[];
  /** Number of all durations. */
  total: number;
  sumMs: number;
}

export function createDurationCounter() {
  const counts = DURATION_BOUNDS_MS.map(() => 0);
  let total = 0;
  let sumMs = 0;
  return {
    add: (durationMs: number) => {
      total += 1;
      sumMs += durationMs;
      const size = DURATION_BOUNDS_MS.findIndex(boundMs => durationMs <= boundMs);
      if (size >= 0) counts[size] = (counts[size] ?? 0) + 1;
    },
    read: (): DurationCounts => ({ counts: [...counts], total, sumMs }),
  };
}

export interface Analysis {
  /** Counts every memory under its type. */
  types: TypeFigures[] | null;
  patterns: PatternFigures[] | null;
  preferences: Preference[] | null;
  hours: HourFigures[] | null;
  entities: EntityCount[] | null;
  confidences: ConfidenceCounts | null;
}

/** Figures of all memories of one type. In an analysis, the most frequent types come first. */
export interface TypeFigures {
  type: MemoryType;
  count: number;
  averageConfidence: number;
}

/** A pattern with high confidence. In an analysis, the most confident patterns come first. */
export interface PatternFigures {
  type: string;
  description: string;
  /** 0..1 */
  confidence: number;
  /** Number of memories that show the pattern. */
  observations: number;
}

/** A PREFERS_OVER edge, with the contents of its two memories. The strongest edges come first. */
export interface Preference {
  prefers: string;
  over: string;
  /** Null when the edge names no context. */
  context: string | null;
  /** 0..1 */
  strength: number;
}

/** Memories whose time lies in one hour of the day in UTC, 0 to 23. Earlier hours come first. */
export interface HourFigures {
  hour: number;
  count: number;
  averageImportance: number;
}

/** Number of memories that name an entity. In a list of counts, the most frequent entity is first. */
export interface EntityCount {
  name: string;
  count: number;
}

/** Number of memories with a low, medium or high confidence of their type. */
export interface ConfidenceCounts {
  low: number;
  medium: number;
  high: number;
}

/** Asks for all memories to be embedded again. */
export interface ReembedRequest {
  /** Number of texts in one call of the model. */
  batchSize: number;
  /** Maximum number of memories, newest first. Undefined means no limit. */
  limit?: number;
  /** Whether memories that have a vector of the current model or a supplied vector are embedded again too. */
  force: boolean;
}

/** Asks for a comparison of the stores (docs/decisions.md, "Comparing the stores"). */
export interface SyncRequest {
  /** Number of texts in one call of the model. */
  batchSize: number;
  /** Whether the differences are only reported, and not repaired. */
  isDryRun: boolean;
  /** Whether vectors without a memory are removed. */
  removesOrphans: boolean;
}

export interface ReembedReport {
  batchSize: number;
  processedCount: number;
  /** Ids of memories that could not be embedded. They stay queued for embedding in the background. */
  failedIds: string[];
  /** Number of memories when the run began. */
  memoryCount: number;
}

/** The state of the stores before vectors are added or removed. */
interface StoreComparison {
  memoryCount: number;
  vectorCount: number;
  /** Number of memories without a vector. */
  missingCount: number;
  /** Number of vectors without a memory. */
  orphanedCount: number;
  /** Number of memories of other programs in the graph, which Engraph leaves alone. */
  foreignCount: number;
}

export interface DryRunReport extends StoreComparison {
  isDryRun: true;
  /** At most ten ids. */
  missingSample: string[];
  orphanedSample: string[];
}

export interface RepairReport extends StoreComparison {
  isDryRun: false;
  /** Number of memories that got a vector. */
  embeddedCount: number;
  /** Ids of memories that could not be embedded. They stay queued for embedding in the background. */
  failedIds: string[];
  /** Number of removed vectors. */
  removedCount: number;
}

export type SyncReport = DryRunReport | RepairReport;

export interface CredentialScanRequest {
  /** The last id of the previous page; absent for the first page. */
  afterId?: string;
  /** Maximum number of memories to read. */
  limit: number;
}

export interface CredentialFinding {
  id: string;
  /** Kinds of the credentials, such as "GITHUB TOKEN". Each kind occurs once. */
  kinds: string[];
  /** The last words before the first secret, then its kind in brackets. The rest of the text is left out. */
  excerpt: string;
  /** Whether only former versions contain the credential, because an edit has removed it. */
  isOnlyInHistory: boolean;
}

export interface CredentialPage {
  findings: CredentialFinding[];
  /** Number of memories that were read. */
  scannedCount: number;
  /** Value of `afterId` for the next page; absent on the last page. */
  next?: string;
}

export const CREDENTIAL_PAGE_MAX = 2_000;

/** `refused`: the call was invalid. `failed`: a store or a model was unavailable, or an internal error occurred. */
export type ToolOutcome = 'success' | 'refused' | 'failed';

/**
 * Called when a tool call begins. The returned function is called when the tool call ends. Returns undefined when tool
 * calls are not counted.
 */
export type ToolCallObserver = (tool: string) => ((outcome: ToolOutcome) => void) | undefined;

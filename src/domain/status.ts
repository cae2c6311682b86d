/**
 * The health of the service and of its background work. `null` means unknown. In the fields `last…` it means that
 * nothing has happened yet.
 */

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
  pending: number;
  inFlight: number;
  /** Number of memories whose work was given up permanently. */
  failed: number;
  /** Upper bound for the age of the oldest due work. 0 when no work is due. */
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

export interface WorkStatus {
  isRunning: boolean;
  pending: number;
  inFlight: number;
  /** Number of memories whose work was given up permanently. */
  failed: number;
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
export interface ModelUsage {
  requests: number;
  failures: number;
  inputTokens: number;
  outputTokens: number;
  lastError: string | null;
}

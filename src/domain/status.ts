/** How the service is, and how its background work is. `null` stands for what is not known. */

export interface HealthReport {
  /** Why the service is degraded, each in a sentence that an operator can act on; none when it is healthy. */
  reasons: string[];
  graph: { name: string; description: string; isReachable: boolean; memoryCount: number | null };
  vectors: {
    description: string;
    isReachable: boolean;
    vectorCount: number | null;
    /** Length that its vectors really have. */
    dimensions: number | null;
  };
  consistency: Consistency;
  /** Whether vectors cannot be stored for their length: the model makes others than are expected, or the store has others. */
  hasLengthMismatch: boolean;
  embedder: EmbedderReport;
  /** How far the vectors of the present model have got: after a change of the model the others are made again. */
  embedding: { embeddedCount: number | null; backlog: Backlog | null };
  /** `successes`: memories since the start. */
  enrichment: { isRunning: boolean; successes: number; backlog: Backlog | null };
  storage: StorageReport;
  /** What the last runs of consolidation say is wrong, and how many proposals wait for an answer. */
  consolidation: { problems: readonly string[]; openProposals: number | null };
  takenAtMs: number;
}

/** Whether the two stores hold the same memories; unknown while they have not been compared. */
export type Consistency = 'inSync' | 'vectorsMissing' | 'vectorsLeftOver' | 'unknown';

export interface EmbedderReport {
  model: string;
  description: string;
  /** Why it is this one. */
  choiceReason: string;
  configuredDimensions: number;
  /** Length of the vectors that it returned last. */
  dimensions: number | null;
  /** Only while embedding fails. */
  lastFailure?: string;
}

/** Work that waits. */
export interface Backlog {
  pending: number;
  inFlight: number;
  /** Given up for good. */
  failed: number;
  /** Age of the oldest work that is due, at most; 0 when none is. */
  behindMs: number;
}

export interface StorageReport {
  /** The last calls of the graph that succeeded; null before the first. */
  lastReadMs: number | null;
  lastWriteMs: number | null;
  /** Of both stores, within the last minute. */
  recentFailures: number;
  /** Of the database file; it is checked at a start after an end that left it open. */
  integrity: 'unchecked' | 'checking' | 'sound' | 'damaged';
  /** On the disk of the data folder. */
  freeBytes: number | null;
}

export interface WorkStatus {
  isRunning: boolean;
  pending: number;
  inFlight: number;
  /** Given up for good. */
  failed: number;
  /** Attempts after which work is given up. */
  maxAttempts: number;
  worker: WorkerStats;
  classifier: ClassifierStats;
  /** Absent when there is none. */
  languageModel?: { description: string; usage: ModelUsage };
}

/** What a worker has done since it started. Instants are ISO 8601 in UTC. */
export interface WorkerStats {
  successes: number;
  failures: number;
  lastSuccessId: string | null;
  lastSuccessAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
}

/** How types were found since the start. */
export interface ClassifierStats {
  patternClassifications: number;
  modelAttempts: number;
  modelSuccesses: number;
  /** Memories that nothing could classify. */
  fallbacks: number;
  lastError: string | null;
}

/** What the language model has cost since the process started. */
export interface ModelUsage {
  requests: number;
  failures: number;
  inputTokens: number;
  outputTokens: number;
  lastError: string | null;
}

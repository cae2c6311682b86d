/** The derived index: vectors by meaning, with as much payload as filtering needs. Rebuildable from the graph. */
import type { MemoryFilter } from '../domain/filter.js';
import type { VectorPayload } from '../domain/vector-payload.js';
import type { RelevanceOf } from './ports/memory-store.js';

export interface VectorRecord {
  id: string;
  vector: Float32Array;
  payload: VectorPayload;
}

export interface VectorHit {
  id: string;
  /** Cosine similarity, -1..1. */
  similarity: number;
  /** Computed from the vectors themselves, so that nobody reads them again. Absent where it is an estimate. */
  exact?: ExactSimilarities;
}

export interface ExactSimilarities {
  /** Cosine similarity with the vector of the search, -1..1. */
  sought: number;
  /** The same with its `beside`, where there is one. */
  beside: number;
}

export interface VectorSearch {
  vector: Float32Array;
  /** Another one, with which exact hits are compared too; the same by default. */
  beside?: Float32Array;
  limit: number;
  filter: MemoryFilter;
  /** Only vectors that one of these models made are comparable. */
  models: readonly string[];
  /** For many searches in a row: cheaper, may miss some of the nearest, and similarities may be off by a hundredth. */
  isRough?: boolean;
}

export interface VectorStore {
  /** For people: which store this is, and where. */
  readonly description: string;
  /** Length of the vectors that it takes and gives back, as it was set up. */
  readonly dimensions: number;
  /**
   * Length that its vectors really have, as far as it has seen: that of a collection which was made before, say. Absent
   * while nothing of them is known. Reading it asks no server.
   */
  readonly storedDimensions?: number | undefined;
  /** Whether this process writes its files itself, so that no write waits for a server. */
  readonly isInProcess: boolean;
  /** Inserts or replaces. When it resolves, the records survive the end of the process. */
  upsert(records: readonly VectorRecord[]): Promise<void>;
  /** Replaces the payload of those that exist, leaving their vectors; unknown ids are passed over. */
  updatePayloads(changes: readonly { id: string; payload: VectorPayload }[]): Promise<void>;
  /** Follows `saveRelevance` where payloads are public; unknown ids are passed over. */
  updateRelevance(changes: readonly RelevanceOf[]): Promise<void>;
  /** Removes; unknown ids are passed over. */
  remove(ids: readonly string[]): Promise<void>;
  /** Vectors that are there, of unit length, by id. */
  vectorsOf(ids: readonly string[]): Promise<Map<string, Float32Array>>;
  /** Which of these have a vector. */
  present(ids: readonly string[]): Promise<Set<string>>;
  /** Nearest first; never more than `limit`, and never fewer while more records pass the filter. */
  search(search: VectorSearch): Promise<VectorHit[]>;
  count(): Promise<number>;
  /** Every id, in no order. */
  ids(): AsyncIterable<string>;
  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The derived index: vectors, each with the payload that filtering needs. It can be rebuilt from the graph. */
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
  /** Computed from the exact vectors, so that no caller reads them again. Absent where `similarity` is an estimate. */
  exact?: ExactSimilarities;
}

export interface ExactSimilarities {
  /** Cosine similarity with the query vector, -1..1. */
  sought: number;
  /** Cosine similarity with the vector `beside` of the search, if it has one; otherwise the same as `sought`. */
  beside: number;
}

export interface VectorSearch {
  vector: Float32Array;
  /** A second vector, with which exact hits are also compared; by default the query vector. */
  beside?: Float32Array;
  limit: number;
  filter: MemoryFilter;
  /** Only vectors of these models are comparable with the query. */
  models: readonly string[];
  /**
   * For many searches in a row: cheaper, but may miss some of the nearest vectors, and similarities may be off by 0.01.
   */
  isRough?: boolean;
}

export interface VectorStore {
  /** Kind and location of the store, for people to read. */
  readonly description: string;
  /** Length of the vectors that the store accepts and returns, as configured. */
  readonly dimensions: number;
  /**
   * Actual length of the stored vectors, which differs from `dimensions` in a collection that was created with other
   * settings. Absent while the store has seen no vector. Reading this property sends no request.
   */
  readonly storedDimensions?: number | undefined;
  /** Whether this process writes the files of the store itself, so that no write waits for a server. */
  readonly isInProcess: boolean;
  /** Inserts or replaces records. Once the promise resolves, the records survive the end of the process. */
  upsert(records: readonly VectorRecord[]): Promise<void>;
  /** Replaces the payloads of existing vectors and keeps the vectors; ignores unknown ids. */
  updatePayloads(changes: readonly { id: string; payload: VectorPayload }[]): Promise<void>;
  /** Follows `saveRelevance` where other programs can read payloads; ignores unknown ids. */
  updateRelevance(changes: readonly RelevanceOf[]): Promise<void>;
  /** Removes vectors; ignores unknown ids. */
  remove(ids: readonly string[]): Promise<void>;
  /** Existing vectors by id, of unit length. */
  vectorsOf(ids: readonly string[]): Promise<Map<string, Float32Array>>;
  /** The given ids that have a vector. */
  present(ids: readonly string[]): Promise<Set<string>>;
  /** Returns the nearest first: at most `limit`, and fewer only when fewer records pass the filter. */
  search(search: VectorSearch): Promise<VectorHit[]>;
  count(): Promise<number>;
  /** Every id, in no particular order. */
  ids(): AsyncIterable<string>;
  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

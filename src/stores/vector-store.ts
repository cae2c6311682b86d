/**
 * Stores vectors, each with the payload that filtering needs. The store is a derived index, which can be rebuilt from
 * the graph.
 */
import type { MemoryFilter, VectorPayload } from '../domain/filter.js';

export interface VectorRecord {
  id: string;
  vector: Float32Array;
  payload: VectorPayload;
}

export interface VectorHit {
  id: string;
  /** Cosine similarity, -1..1. */
  similarity: number;
  /**
   * Similarities computed from the exact vectors, so that callers need not read the vectors again. Absent if
   * `similarity` is an estimate.
   */
  exact?: ExactSimilarities;
}

export interface ExactSimilarities {
  /** Cosine similarity with the query vector, -1..1. */
  sought: number;
  /** Cosine similarity with the vector `beside` of the search; equal to `sought` if the search has no such vector. */
  beside: number;
}

export interface VectorSearch {
  vector: Float32Array;
  /** A second vector. A store that computes exact similarities also compares the hits with this vector. */
  beside?: Float32Array;
  limit: number;
  filter: MemoryFilter;
  /** Models whose vectors can be compared with the query. */
  models: readonly string[];
  /**
   * Makes the search cheaper, for a caller that searches many times in a row. A rough search may miss some of the
   * nearest vectors, and its similarities may be off by 0.01.
   */
  isRough?: boolean;
  /** The caller does not need hits with a lower similarity, so the store may leave them out. */
  leastSimilarity?: number;
  /** Receives the nearest ids early, so that the caller can read these memories while the search goes on. */
  ahead?: EarlyIds;
}

export interface EarlyIds {
  count: number;
  /**
   * May be called once, with the ids of the `count` nearest vectors by approximate similarities. The hits of the search
   * may have a slightly different order.
   */
  receive(ids: readonly string[]): void;
}

export interface VectorStore {
  /** Kind and location of the store, for people to read. */
  readonly description: string;
  /** Length of the vectors that the store accepts and returns, as configured. */
  readonly dimensions: number;
  /**
   * Actual length of the stored vectors, which differs from `dimensions` in a collection that was created with other
   * settings. Absent until the store has seen a vector. Reading this property sends no request.
   */
  readonly storedDimensions?: number | undefined;
  /** Whether this process writes the files of the store itself, so that no write waits for a server. */
  readonly isInProcess: boolean;
  /** Inserts or replaces records. Once the promise resolves, the records survive the end of the process. */
  upsert(records: readonly VectorRecord[]): Promise<void>;
  /** Replaces the payloads of existing vectors and keeps the vectors; ignores unknown ids. */
  updatePayloads(changes: readonly { id: string; payload: VectorPayload }[]): Promise<void>;
  /** Removes vectors; ignores unknown ids. */
  remove(ids: readonly string[]): Promise<void>;
  /** Returns existing vectors by id, scaled to unit length. */
  vectorsOf(ids: readonly string[]): Promise<Map<string, Float32Array>>;
  /**
   * Compares existing vectors with one or two others. Ignores unknown ids.
   *
   * @returns the similarities by id, at the precision of the stored vectors
   */
  compare(
    ids: readonly string[],
    others: Pick<VectorSearch, 'vector' | 'beside'>,
  ): Promise<Map<string, ExactSimilarities>>;
  /** Returns the given ids that have a vector. */
  present(ids: readonly string[]): Promise<Set<string>>;
  /**
   * Returns at most `limit` records, the nearest first. Returns fewer only if fewer records pass the filter or reach
   * `leastSimilarity`.
   */
  search(search: VectorSearch): Promise<VectorHit[]>;
  /**
   * Runs several searches, which a server gets in few requests. Ignores `ahead`. Fails if one of the searches fails.
   *
   * @returns the hits of each search, in the order of the searches
   */
  searchEach(searches: readonly VectorSearch[]): Promise<VectorHit[][]>;
  count(): Promise<number>;
  /** Returns every id, in no particular order. */
  ids(): AsyncIterable<string>;
  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

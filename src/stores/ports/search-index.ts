/** Finds memories without their vectors: by words, tags, order and neighbours in time. */
import type { MemoryFilter } from '../../domain/filter.js';

export interface TextSearch {
  /** Stems in the form that `queryTerms` returns. */
  terms: readonly string[];
  filter: MemoryFilter;
  /** With 0, only the statistics are read. */
  limit: number;
}

/** Frequencies of terms, from which the weights of the terms are computed. */
export interface TermStatistics {
  memoryCount: number;
  /** Number of memories that contain each term in their content or tags. */
  frequencies: ReadonlyMap<string, number>;
}

export interface TextAnswer {
  /** Best first. */
  hits: TextHit[];
  statistics: TermStatistics;
}

export interface TextHit {
  id: string;
  /** A higher score is better. Scores of different searches cannot be compared. */
  score: number;
}

/**
 * `importance`: most important first, then newest. `newest` and `oldest`: by creation time. `updated_desc`: most
 * recently changed first, then newest. `updated_asc`: least recently changed first, then oldest. Ties are ordered by id.
 */
export type ListOrder = 'importance' | 'newest' | 'oldest' | 'updated_desc' | 'updated_asc';

export interface ListRequest {
  filter: MemoryFilter;
  order: ListOrder;
  limit: number;
  /** Number of memories to skip. */
  offset?: number;
}

export interface NeighbourRequest {
  ids: readonly string[];
  /** Maximum number of neighbours on each side. */
  span: number;
  /** Maximum time between a given memory and its neighbour. */
  maxGapMs: number;
  /** Only tags with these keys count. If absent, all tags count. */
  keys?: readonly string[];
}

/**
 * `id` is a neighbour of `of` in time: distance -1 is the memory directly before `of`, and 2 is the second memory after
 * `of`.
 */
export interface Neighbour {
  of: string;
  id: string;
  distance: number;
}

export interface SearchIndex {
  /** Returns the ids of the memories that pass the filter, in the requested order. */
  list(request: ListRequest): Promise<string[]>;
  /**
   * Returns full-text candidates for any of the terms. The statistics cover the whole store and not only the memories
   * that pass the filter.
   */
  searchText(search: TextSearch): Promise<TextAnswer>;
  /**
   * Returns, for each given memory, the memories that share a tag with it and were created just before or just after.
   * Memories of the same instant are left out, because they have no order. A memory occurs at most once among the
   * neighbours of another.
   */
  neighbours(request: NeighbourRequest): Promise<Neighbour[]>;
}

/** Finds memories without their vectors: by words, tags, order and neighbours in time. */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';

export interface TextSearch {
  /** Stems, as `queryTerms` makes them. */
  terms: readonly string[];
  filter: MemoryFilter;
  limit: number;
}

/** How often terms occur, as the basis of their weights. */
export interface TermStatistics {
  memoryCount: number;
  /** In how many memories each term occurs, in their content or tags. */
  frequencies: ReadonlyMap<string, number>;
}

export interface TextAnswer {
  /** Best first. */
  hits: TextHit[];
  statistics: TermStatistics;
}

export interface TextHit {
  id: string;
  /** Comparable only within one search; higher is better. */
  score: number;
}

/**
 * `importance`: most important first, then newest. `newest` and `oldest`: by creation time. The others: by last change,
 * then creation time.
 */
export type ListOrder = 'importance' | 'newest' | 'oldest' | 'updated_desc' | 'updated_asc';

export interface NeighbourRequest {
  ids: readonly string[];
  /** Maximum number of neighbours on each side. */
  span: number;
  /** Two memories are not neighbours if they are further apart in time. */
  maxGapMs: number;
  /** Only tags with these keys count; all tags if absent. */
  keys?: readonly string[];
}

/** `id` is a neighbour of `of` in time: position -1 is directly before it, 2 is the second after it. */
export interface Neighbour {
  of: string;
  id: string;
  distance: number;
}

export interface SearchIndex {
  /** Ids of the memories that pass the filter, in the requested order. */
  list(request: { filter: MemoryFilter; order: ListOrder; limit: number }): Promise<string[]>;
  /** Memories with at least one of exactly these tags, ordered by importance, then newest, then id. */
  listByTags(request: { keys: readonly string[]; limit: number; offset: number }): Promise<Memory[]>;
  /** The number of memories with at least one of exactly these tags. */
  countByTags(keys: readonly string[]): Promise<number>;
  /** Full-text candidates for any of the terms. The statistics cover the whole store, whatever the filter. */
  searchText(search: TextSearch): Promise<TextAnswer>;
  /** @param terms stems, as `queryTerms` makes them */
  countTerms(terms: readonly string[]): Promise<TermStatistics>;
  /**
   * The memories created just before and just after each given memory that share a tag with it. Memories of the same
   * instant have no order and are left out.
   */
  neighbours(request: NeighbourRequest): Promise<Neighbour[]>;
}

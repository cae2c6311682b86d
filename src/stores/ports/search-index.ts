/** What memories are found by beside their vectors: words, tags, orders and neighbours in time. */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';

export interface TextSearch {
  /** Stems as made by `queryTerms`. */
  terms: readonly string[];
  filter: MemoryFilter;
  limit: number;
}

/** Occurrences of terms, for weighing them. */
export interface TermStatistics {
  memoryCount: number;
  /** In how many memories each term occurs, in content or tags. */
  frequencies: ReadonlyMap<string, number>;
}

export interface TextAnswer {
  /** Best first. */
  hits: TextHit[];
  statistics: TermStatistics;
}

export interface TextHit {
  id: string;
  /** Comparable within one search only; higher is better. */
  score: number;
}

/**
 * `importance`: most important first, then newest. `newest` and `oldest`: by creation. The others are by last change, then
 * creation.
 */
export type ListOrder = 'importance' | 'newest' | 'oldest' | 'updated_desc' | 'updated_asc';

export interface NeighbourRequest {
  ids: readonly string[];
  /** At most so many to each side. */
  span: number;
  /** Two memories further apart in time than this are not neighbours. */
  maxGapMs: number;
  /** Only tags of these keys count; all of them where this is absent. */
  keys?: readonly string[];
}

/** `id` stands next to `of` in time: -1 directly before it, 2 as the second after it. */
export interface Neighbour {
  of: string;
  id: string;
  distance: number;
}

export interface SearchIndex {
  /** Ids of the memories that pass the filter, in the order asked for. */
  list(request: { filter: MemoryFilter; order: ListOrder; limit: number }): Promise<string[]>;
  /** Memories with any of the tags, exactly: importance, then newest, then id. */
  listByTags(request: { keys: readonly string[]; limit: number; offset: number }): Promise<Memory[]>;
  /** How many memories have any of the tags, exactly. */
  countByTags(keys: readonly string[]): Promise<number>;
  /** Full-text candidates for any of the terms. Statistics are of the whole store, whatever the filter. */
  searchText(search: TextSearch): Promise<TextAnswer>;
  /** @param terms stems as made by `queryTerms` */
  countTerms(terms: readonly string[]): Promise<TermStatistics>;
  /**
   * The memories created just before and after each one that share a tag with it. Those of the same instant have no order
   * and are left out.
   */
  neighbours(request: NeighbourRequest): Promise<Neighbour[]>;
}

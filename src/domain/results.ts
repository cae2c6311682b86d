/**
 * Results of writing, reading and following edges. Durations are in milliseconds, instants in milliseconds since 1970.
 */
import type { Invalidity } from './filter.js';
import type { Memory } from './memory.js';
import type { TagPage } from './recall.js';
import type { RelatedQuery, RelationEntry } from './relation.js';

/** Whether vectors are stored or still queued. */
export type VectorState = 'stored' | 'queued';

export interface StoredMemory {
  memory: Memory;
  vector: VectorState;
  /** Whether the caller supplied the vector. */
  isVectorSupplied: boolean;
  /** Set when a language model has shortened the content. The lengths are in characters. */
  shortened?: { fromLength: number; toLength: number };
  /** Id of the memory that the new memory replaces. */
  supersededId?: string;
  storedAtMs: number;
  durationMs: number;
}

/** An earlier memory that a memory may replace. Whether it does, is left to the caller. */
export interface Replaceable {
  memory: Memory;
  /** In a few words. */
  why: string;
}

/** An earlier memory that a memory which was just written may replace. */
export interface MayReplace extends Replaceable {
  newerId: string;
}

export interface StoredMemories {
  /** The memories have the order of the input. */
  memories: Memory[];
  /** `stored` only when the vectors of all memories are stored. */
  vectors: VectorState;
  durationMs: number;
}

export interface MemoryWithRelations {
  memory: Memory;
  relations: RelationEntry[];
}

/** A memory of a listing. A listing includes outdated memories and marks them. */
export interface ListedMemory extends MemoryWithRelations {
  /** Id of the memory that replaces this memory. */
  supersededById?: string;
  /** Why the memory is not currently valid: it is archived, not yet valid or expired. */
  invalidity?: Invalidity;
}

/** Memories that have any of the tags, most important first. */
export interface TagPageOutcome {
  page: TagPage;
  memories: ListedMemory[];
  hasMore: boolean;
  /** Number of memories with any of the tags, on all pages. Set only on request. */
  total?: number;
  durationMs: number;
}

export interface TagRemoval {
  tags: string[];
  deletedCount: number;
}

/** Memories reached over edges, most important first. */
export interface RelatedOutcome {
  query: RelatedQuery;
  memories: RelatedMemory[];
}

export interface RelatedMemory {
  memory: Memory;
  /** Number of edges between this memory and the requested memory. */
  depth: number;
  /** The edge over which the memory was first reached. */
  relation: RelationEntry;
}

/** The memories that an assistant should know at the start of a conversation: currently valid, most important first. */
export interface StartupOutcome {
  lessons: Memory[];
  rules: Memory[];
}

export interface Reprocessing {
  /** Number of submitted ids. */
  submittedCount: number;
  /** The ids without duplicates, sorted. */
  ids: string[];
}

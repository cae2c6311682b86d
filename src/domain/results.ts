/** What writing, reading and walking along edges give back. Durations are in milliseconds, instants in milliseconds since 1970. */
import type { Invalidity } from './filter.js';
import type { Memory } from './memory.js';
import type { TagPage } from './recall-query.js';
import type { RelatedQuery } from './related-query.js';
import type { RelationEntry } from './relation.js';

/** Whether vectors can be searched already, or are still to be made. */
export type VectorState = 'stored' | 'queued';

export interface StoredMemory {
  memory: Memory;
  vector: VectorState;
  /** Whether the caller has supplied the vector. */
  isVectorSupplied: boolean;
  /** The content was too long, and a language model has said it shorter; lengths in characters. */
  shortened?: { fromLength: number; toLength: number };
  /** Id of the memory whose place it takes. */
  supersededId?: string;
  storedAtMs: number;
  durationMs: number;
}

/** A memory that says nearly the same as another. */
export interface SimilarMemory {
  memory: Memory;
  /** How near, 0..1: as `similarity` has it. */
  similarity: number;
}

export interface StoredMemories {
  /** In the order of the input. */
  memories: Memory[];
  /** Of all of them together. */
  vectors: VectorState;
  durationMs: number;
}

export interface MemoryWithRelations {
  memory: Memory;
  relations: RelationEntry[];
}

/** Memories that have any of the tags, most important first. */
/** A memory of a listing, which shows what no longer holds too, and says so. */
export interface ListedMemory extends MemoryWithRelations {
  /** What holds in its place. */
  supersededById?: string;
  /** Why it does not hold by itself. */
  invalidity?: Invalidity;
}

export interface TagPageOutcome {
  page: TagPage;
  memories: ListedMemory[];
  hasMore: boolean;
  /** How many have any of the tags, on all pages; only where the page asks for it. */
  total?: number;
  durationMs: number;
}

export interface TagRemoval {
  tags: string[];
  deletedCount: number;
}

/** Memories that edges lead to, most important first. */
export interface RelatedOutcome {
  query: RelatedQuery;
  memories: RelatedMemory[];
}

export interface RelatedMemory {
  memory: Memory;
  /** Edges between it and the memory asked about. */
  depth: number;
  /** The edge by which it was reached first. */
  relation: RelationEntry;
}

/** What an assistant should know before anything is asked: what holds now, most important first. */
export interface StartupOutcome {
  lessons: Memory[];
  rules: Memory[];
}

export interface Reprocessing {
  /** How many ids were submitted. */
  submittedCount: number;
  /** Each once, sorted. */
  ids: string[];
}

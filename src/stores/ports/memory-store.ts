/** Memories as records: the source of truth. */
import type { Memory } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import type { WorkKind } from './work-queue.js';

export interface NewRecord {
  memory: Memory;
  /** A vector the caller supplied: it cannot be made again, so the graph keeps it too. */
  embedding?: Float32Array;
  /** Of the model in `embedded_by`. A graph that holds the vectors writes it with the record; others pass it over. */
  vector?: Float32Array;
  work: readonly WorkKind[];
}

/** `replayed`: the same id with the same content was already there, and nothing was written. */
export type SaveOutcome = 'created' | 'replayed';

export interface MemoryChange {
  memory: Memory;
  /** Of the changed content, as in a new record. Nothing is left to be embedded then. */
  vector?: Float32Array;
  /** Work the change calls for. Work of that kind that is pending or in flight starts over. */
  work: readonly WorkKind[];
}

export interface SupersedeRequest {
  record: NewRecord;
  supersededId: string;
  change(current: Memory): MemoryChange;
  relation: Relation;
}

export interface RelevanceOf {
  id: string;
  /** 0..1; null takes it away. */
  relevance: number | null;
}

/** A part of everything there is, in order of id. */
export interface PageRequest {
  /** The last id of the page before; absent: from the beginning. */
  afterId?: string;
  limit: number;
}

export interface MemoryStore {
  /**
   * Writes all records or none, durably, with the work they wait for.
   *
   * @throws MemoryError `conflict` with the index when an id exists with other content
   */
  saveMemories(records: readonly NewRecord[]): Promise<SaveOutcome[]>;
  /** Those that exist, by id. */
  getMemories(ids: readonly string[]): Promise<Map<string, Memory>>;
  /**
   * Changes one memory atomically: `change` sees the current record, and may be called again if another writer was faster.
   * A vector whose memory then has other tags, another creation time, other bounds of validity or another archiving is
   * noted as stale.
   *
   * @returns the new record, or undefined where the memory does not exist
   */
  updateMemory(id: string, change: (current: Memory) => MemoryChange): Promise<Memory | undefined>;
  /** Removes memories with all their edges and work, noting their vectors as stale; returns the ids that existed. */
  deleteMemories(ids: readonly string[]): Promise<string[]>;
  /** The same, but only those whose `updated_at` is still this one: what somebody has changed since stays. */
  deleteUnchanged(memories: readonly Pick<Memory, 'id' | 'updated_at'>[]): Promise<string[]>;
  /**
   * Saves a memory, changes the one whose place it takes and writes the edge between them, all or nothing.
   *
   * @returns undefined, having written nothing, when the memory to be superseded does not exist
   * @throws MemoryError `conflict` as `saveMemories`
   */
  supersede(request: SupersedeRequest): Promise<SaveOutcome | undefined>;
  /**
   * Notes an access: `last_accessed` moves to the instant where it lies at least `minGapMs` before it, which is 1 unless it
   * is stated. Unknown ids are passed over.
   */
  touch(ids: readonly string[], lastAccessed: string, minGapMs?: number): Promise<void>;
  /**
   * Sets `relevance_score` and nothing else: no revision, no work, no stale vector. Unknown ids are passed over. A store
   * keeps 15 digits of it, and may keep more.
   */
  saveRelevance(changes: readonly RelevanceOf[]): Promise<void>;
  /** Whole records, as they could be saved elsewhere; `work` is what they wait for or have failed at. */
  readRecords(page: PageRequest): Promise<NewRecord[]>;
  countMemories(): Promise<number>;
}

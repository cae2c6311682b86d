/** Stores memories as records. These records are the source of truth. */
import type { Metadata } from '../../domain/json.js';
import type { Memory } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import type { WorkKind } from './work-queue.js';

export interface NewRecord {
  memory: Memory;
  /** A vector that the caller supplied. The graph keeps this vector too, because it cannot be computed again. */
  embedding?: Float32Array;
  /**
   * The vector of the model in `embedded_by`. A graph that holds the vectors writes the vector with the record; other
   * graphs ignore it.
   */
  vector?: Float32Array;
  work: readonly WorkKind[];
  /** The caller has found no memory with this id. If there is one by now, the save fails with `conflict`. */
  isNew?: true;
}

/** `replayed` means that a memory with the same id and content already existed, and nothing was written. */
export type SaveOutcome = 'created' | 'replayed';

export interface MemoryChange {
  memory: Memory;
  /** Vector of the new content, as in `NewRecord`. If this vector is given, no embedding is queued. */
  vector?: Float32Array;
  /** Work that the change requires. Work of these kinds starts over if it is pending or in flight. */
  work: readonly WorkKind[];
}

/** A node of kind `MemoryHistory`. Its id equals the id of the memory whose history the node stores. */
export interface StoredHistory {
  properties: Metadata;
  updated_at: string;
}

export interface MemoryEdit extends MemoryChange {
  /** The history after the edit; if absent, the history stays as it is. */
  history?: StoredHistory;
}

export interface SupersedeRequest {
  record: NewRecord;
  supersededId: string;
  change(current: Memory): MemoryChange;
  relation: Relation;
}

export interface RelevanceOf {
  id: string;
  /** A number from 0 to 1; null removes the relevance. */
  relevance: number | null;
}

export interface SuggestionOf {
  id: string;
  /** The text of `suggestionFor`; null removes the suggestion. */
  maybeOutdatedBy: string | null;
}

/** A page of all records, ordered by id. */
export interface PageRequest {
  /** The last id of the previous page; absent for the first page. */
  afterId?: string;
  limit: number;
}

export interface MemoryStore {
  /**
   * Writes all records or none, durably, together with their pending work.
   *
   * @throws MemoryError `conflict`, with the index of the record, when its id already exists with other content, or when
   * a memory with the id of a record marked `isNew` exists
   */
  saveMemories(records: readonly NewRecord[]): Promise<SaveOutcome[]>;
  /**
   * Writes as `saveMemories` does. The store may work on the first records while `parts` still makes the others. If
   * `parts` throws, nothing is written.
   */
  saveInParts(parts: AsyncIterable<readonly NewRecord[]>): Promise<SaveOutcome[]>;
  /** Returns the existing memories among the given ones, by id. They are frozen, because callers share them. */
  getMemories(ids: readonly string[]): Promise<Map<string, Memory>>;
  /**
   * Changes one memory atomically. `change` receives the current record, and is called again if another writer was
   * faster. When the change affects tags, creation time, validity or archiving, the vector is noted as stale.
   *
   * @returns the new record, or undefined if the memory does not exist
   */
  updateMemory(id: string, change: (current: Memory) => MemoryChange): Promise<Memory | undefined>;
  /**
   * Changes one memory as `updateMemory` does, and writes its history in the same transaction. `edit` receives the
   * history that belongs to the current record.
   *
   * @returns the new record, or undefined if the memory does not exist
   */
  editMemory(
    id: string,
    edit: (current: Memory, history: StoredHistory | undefined) => MemoryEdit,
  ): Promise<Memory | undefined>;
  /**
   * Removes memories with all their edges, work and history, and notes their vectors as stale; returns the ids of
   * removed memories.
   */
  deleteMemories(ids: readonly string[]): Promise<string[]>;
  /**
   * Removes memories as `deleteMemories` does, but keeps memories whose `updated_at` has changed since they were read.
   */
  deleteUnchanged(memories: readonly Pick<Memory, 'id' | 'updated_at'>[]): Promise<string[]>;
  /**
   * Saves a memory, changes the memory that it supersedes, and writes the edge between the two, all or nothing.
   *
   * @returns undefined, and writes nothing, when the memory to be superseded does not exist
   * @throws MemoryError `conflict`, like `saveMemories`
   */
  supersede(request: SupersedeRequest): Promise<SaveOutcome | undefined>;
  /**
   * Notes an access: sets `last_accessed` if the new instant is at least `minGapMs` (default 1) later than the stored
   * one. Ignores unknown ids.
   */
  touch(ids: readonly string[], lastAccessed: string, minGapMs?: number): Promise<void>;
  /**
   * Sets `relevance_score` and nothing else: the revision does not change, no work is queued, and no vector becomes
   * stale. Ignores unknown ids. A store keeps at least 15 digits of the score.
   */
  saveRelevance(changes: readonly RelevanceOf[]): Promise<void>;
  /** Sets `maybe_outdated_by` and nothing else, as `saveRelevance` does. Ignores unknown ids. */
  saveSuggestions(changes: readonly SuggestionOf[]): Promise<void>;
  /** Returns whole records that can be saved in another store; `work` lists their pending and failed work. */
  readRecords(page: PageRequest): Promise<NewRecord[]>;
  countMemories(): Promise<number>;
}

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
  /** A vector that the caller supplied, as in `NewRecord`. If absent, a changed content drops the former one. */
  embedding?: Float32Array;
  /** Vector of the new content, as in `NewRecord`. If this vector is given, no embedding is queued. */
  vector?: Float32Array;
  /** Work that the change requires. Work of these kinds starts over if it is pending or in flight. */
  work: readonly WorkKind[];
  /** The history after the change; if absent, the history stays as it is. */
  history?: StoredHistory;
}

/** A node of kind `MemoryHistory`. Its id equals the id of the memory whose history the node stores. */
export interface StoredHistory {
  properties: Metadata;
  updated_at: string;
}

export interface SupersedeRequest {
  record: NewRecord;
  supersededId: string;
  change(current: Memory): Omit<MemoryChange, 'history'>;
  relation: Relation;
}

/** Fields of a memory that change beside its content. Absent fields stay as they are. */
export interface Annotation {
  id: string;
  /** A number from 0 to 1; null removes the relevance. */
  relevance?: number | null;
  /** The text of `suggestionFor`; null removes the suggestion. */
  maybeOutdatedBy?: string | null;
  /** Time of an access. An earlier time than the stored one is ignored. */
  lastAccessed?: string;
}

/** A page of all records, ordered by id. If it has fewer than `limit`, none follow. */
export interface PageRequest {
  /** The last id of the previous page; absent for the first page. */
  afterId?: string;
  limit: number;
}

/** Parts of one batch, which the caller still makes while the store works on earlier parts. */
export type RecordParts = AsyncIterable<readonly NewRecord[]>;

/** Which memories are counted: those with any of the tags, or those with a vector of any of the models. */
export type CountedMemories = { tagKeys: readonly string[] } | { embeddedBy: readonly string[] | 'any' };

export interface MemoryStore {
  /**
   * Writes all records or none, durably, together with their pending work. If `RecordParts` throw, nothing is written.
   *
   * @throws MemoryError `conflict`, with the index of the record, when its id already exists with other content, or when
   * a memory with the id of a record marked `isNew` exists
   */
  saveMemories(records: readonly NewRecord[] | RecordParts): Promise<SaveOutcome[]>;
  /** Returns the existing memories among the given ones, by id. They are frozen, because callers share them. */
  getMemories(ids: readonly string[]): Promise<Map<string, Memory>>;
  /**
   * Changes one memory and its history atomically. `change` receives the current record with the history that belongs
   * to it, and is called again if another writer was faster. When the change affects tags, creation time, validity or
   * archiving, the vector is noted as stale.
   *
   * @returns the new record, or undefined if the memory does not exist
   */
  updateMemory(
    id: string,
    change: (current: Memory, history: StoredHistory | undefined) => MemoryChange,
  ): Promise<Memory | undefined>;
  /**
   * Removes memories with all their edges, work and history, and notes their vectors as stale; returns the ids of
   * removed memories.
   *
   * @param updatedAt the `updated_at` of each memory when it was read. If given, a memory that has changed since is kept
   */
  deleteMemories(ids: readonly string[], updatedAt?: ReadonlyMap<string, string>): Promise<string[]>;
  /**
   * Saves a memory, changes the memory that it supersedes, and writes the edge between the two, all or nothing.
   *
   * @returns undefined, and writes nothing, when the memory to be superseded does not exist
   * @throws MemoryError `conflict`, like `saveMemories`
   */
  supersede(request: SupersedeRequest): Promise<SaveOutcome | undefined>;
  /**
   * Sets fields and nothing else: the revision does not change, no work is queued, and no vector becomes stale. Ignores
   * unknown ids. Of several annotations of a memory, the last counts. A store keeps at least 15 digits of the relevance.
   */
  annotate(annotations: readonly Annotation[]): Promise<void>;
  /** Returns whole records that can be saved in another store; `work` lists their pending and failed work. */
  readRecords(page: PageRequest): Promise<NewRecord[]>;
  /** Counts all memories, or some of them. */
  countMemories(which?: CountedMemories): Promise<number>;
}

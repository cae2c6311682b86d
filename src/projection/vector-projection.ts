/**
 * The vectors of the memories, as they follow from the graph: the one part that writes, changes and removes them, whichever
 * store holds them.
 */
import type { Memory } from '../domain/memory.js';
import type { MemoryStore, NewRecord, RelevanceOf } from '../stores/ports/memory-store.js';
import type { VectorLedger } from '../stores/ports/vector-ledger.js';
import type { WorkClaim, WorkQueue } from '../stores/ports/work-queue.js';
import type { VectorStore } from '../stores/vector-store.js';

export interface VectorProjection {
  /** Whether each vector is written, changed and removed in the transaction of its memory. */
  readonly isInGraph: boolean;
  /**
   * Follows the commit of new memories with the vectors that are there already.
   *
   * @param modelOf names the model of a record's vector
   * @returns whether each of the memories has its vector now
   */
  add(created: readonly NewRecord[], modelOf: (record: NewRecord) => string): Promise<boolean>;
  /**
   * Follows a change of content: until there is another, no vector stands for what the memory no longer says.
   *
   * @param made of the new content, where it can be had at once
   */
  renew(memory: Memory, made: MadeVector | undefined): Promise<void>;
  /** Follows a change of what filters see. */
  refresh(memory: Memory): Promise<void>;
  /** Follows `saveRelevance`. What fails here is brought over when the relevance changes again. */
  pushRelevance(changes: readonly RelevanceOf[]): Promise<void>;
  /**
   * Writes vectors of memories whose records stand elsewhere, or are still to come.
   *
   * @throws MemoryError `unavailable` while the vector store is away
   */
  put(vectors: readonly VectorOf[]): Promise<void>;
  /**
   * Removes vectors that belong to no memory.
   *
   * @throws MemoryError `unavailable` while the vector store is away
   */
  discard(ids: readonly string[]): Promise<void>;
  /** Follows a deletion. What the graph no longer knows is never returned, even while its vector is still there. */
  remove(ids: readonly string[]): Promise<void>;
  /**
   * Writes the vectors of claimed memories and ends the claims. A crash in between repeats work and loses none.
   *
   * @returns the tokens that took effect
   * @throws MemoryError `unavailable` while a store is away
   */
  settle(embedded: readonly EmbeddedClaim[]): Promise<string[]>;
  /**
   * Works off what earlier writes could not bring over, after an outage or a crash. Only for the worker: never beside
   * `settle`.
   *
   * @returns whether there was anything to do
   */
  mend(): Promise<boolean>;
}

export interface MadeVector {
  vector: Float32Array;
  /** Model that made it. */
  model: string;
}

export interface VectorOf extends MadeVector {
  memory: Memory;
}

export interface EmbeddedClaim extends MadeVector {
  claim: WorkClaim;
}

export interface ProjectionParts {
  graph: Pick<MemoryStore, 'getMemories'> &
    Pick<WorkQueue, 'requeue' | 'settleWork'> &
    Pick<VectorLedger, 'staleVectors' | 'settleStaleVectors'> & { readonly holdsVectors: boolean };
  vectors: Pick<VectorStore, 'upsert' | 'updatePayloads' | 'updateRelevance' | 'remove'>;
  /** The vector store failed at following a write, which went on without it: `mend` makes up for it. */
  onVectorFailure(error: unknown): void;
}

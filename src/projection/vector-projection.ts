/**
 * Keeps the vectors consistent with the memories in the graph. Outside of the stores themselves, only the projection
 * writes, changes and removes vectors.
 */

import { payloadOf } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import { inSteps } from '../event-loop.js';
import type { VectorLedger } from '../stores/graph-store.js';
import type { MemoryStore, NewRecord } from '../stores/ports/memory-store.js';
import type { WorkClaim, WorkQueue } from '../stores/ports/work-queue.js';
import type { VectorRecord, VectorStore } from '../stores/vector-store.js';

export interface VectorProjection {
  /** Whether each vector is written, changed and removed in the transaction of its memory. */
  readonly isInGraph: boolean;
  /**
   * Called after the commit of new memories. Writes the vectors that have already been computed.
   *
   * @param modelOf names the model of a record's vector
   * @returns whether each of the memories now has its vector
   */
  add(created: readonly NewRecord[], modelOf: (record: NewRecord) => string): Promise<boolean>;
  /**
   * Called after a change of content. Replaces or removes the vector of the former content. After a removal, the memory
   * has no vector until the worker writes a new vector.
   *
   * @param made vector of the new content, if it is available at once
   */
  renew(memory: Memory, made: MadeVector | undefined): Promise<void>;
  /** Called after a change of fields that filters use. Updates the payload of the vector. */
  refresh(memory: Memory): Promise<void>;
  /**
   * Writes vectors of memories that the graph may not contain yet. A migration copies each vector before its memory.
   *
   * @throws MemoryError `unavailable` while the vector store cannot be reached
   */
  put(vectors: readonly VectorOf[]): Promise<void>;
  /**
   * Removes vectors that belong to no memory.
   *
   * @throws MemoryError `unavailable` while the vector store cannot be reached
   */
  discard(ids: readonly string[]): Promise<void>;
  /**
   * Called after a deletion. Removes the vectors. Recall never returns a memory that is no longer in the graph, even
   * while its vector still exists.
   */
  remove(ids: readonly string[]): Promise<void>;
  /**
   * Writes the vectors of claimed memories and ends the claims. After a crash between these two steps, the work is
   * repeated, so no work is lost.
   *
   * @returns the tokens of the claims that took effect
   * @throws MemoryError `unavailable` while a store cannot be reached
   */
  settle(embedded: readonly EmbeddedClaim[]): Promise<string[]>;
  /**
   * Repeats earlier updates of the vector store that failed in an outage or a crash. Only the worker may call this
   * function, and never during a call of `settle`.
   *
   * @returns whether there was anything to do
   */
  repair(): Promise<boolean>;
}

export interface MadeVector {
  vector: Float32Array;
  /** Model that made the vector. */
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
  vectors: Pick<VectorStore, 'upsert' | 'updatePayloads' | 'remove'>;
  /**
   * Called when a write to the graph has succeeded, but the vector store could not be updated. `repair` or
   * the queue updates the vector store later.
   */
  onVectorFailure(error: unknown): void;
}

export function recordOf({ memory, vector, model }: VectorOf): VectorRecord {
  return { id: memory.id, vector, payload: payloadOf(memory, model) };
}

/**
 * A group of claims is complete when its memories together have at least this number of tag prefixes. One turn of the
 * event loop writes the index entries of one group.
 */
const LEVELS_PER_STEP = 400;

/** @returns the tokens of the claims whose results were applied */
export async function settleClaims(
  graph: Pick<WorkQueue, 'settleWork'>,
  embedded: readonly EmbeddedClaim[],
): Promise<string[]> {
  const settled: string[] = [];
  for (const model of new Set(embedded.map(each => each.model))) {
    for await (const group of inSteps(groupsOf(embedded.filter(each => each.model === model)))) {
      const vectors = new Map(group.map(({ claim, vector }) => [claim.token, vector]));
      settled.push(...(await graph.settleWork([...vectors.keys()], { embeddedBy: model, vectors })));
    }
  }
  return settled;
}

function* groupsOf(embedded: readonly EmbeddedClaim[]): Generator<EmbeddedClaim[]> {
  let group: EmbeddedClaim[] = [];
  let levels = 0;
  for (const each of embedded) {
    group.push(each);
    levels += each.claim.memory.tag_prefixes.length;
    if (levels < LEVELS_PER_STEP) continue;
    yield group;
    group = [];
    levels = 0;
  }
  if (group.length > 0) yield group;
}

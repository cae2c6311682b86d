/** The pending work of each memory (docs/decisions.md, "The graph is the queue"). */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { Relation, RelationType } from '../../domain/relation.js';
import type { AuxiliaryNode, NodeLink } from './node-store.js';

/**
 * Kinds of background work. `enrich` waits until `embed` of the same memory has been settled or has failed for good
 * (docs/decisions.md, "Enrichment after the vector").
 */
export const WORK_KINDS = ['embed', 'enrich'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export interface WorkClaim {
  memory: Memory;
  /** The supplied vector, if the caller gave one. */
  embedding?: Float32Array;
  /** Number of this attempt, starting at 1. */
  attempt: number;
  /**
   * Identifies the claim. With the token, calls such as `renewWork` and `settleWork` check that the claim is still
   * valid and that the memory has not changed since the claim.
   */
  token: string;
}

/** The result of work of kind `embed`. */
export interface Settlement {
  /** Model that made the vectors. */
  embeddedBy?: string;
  /**
   * Vectors by token. A graph that also stores the vectors writes each vector in the transaction that ends its claim.
   * Other graphs ignore the vectors.
   */
  vectors?: ReadonlyMap<string, Float32Array>;
}

/** The changes that a piece of work makes to its memory. */
export interface WorkOutcome {
  /** Receives the current record of the memory, and returns the new record. */
  change(current: Memory): Memory;
  /** Edges from the memory that replace all outgoing edges of these types. An edge to a deleted memory is left out. */
  edges?: { types: readonly RelationType[]; relations: readonly Relation[] };
  /** Nodes of kind Pattern to write, and edges that replace all edges from the memory to patterns. */
  patterns?: { nodes: readonly AuxiliaryNode[]; links: readonly NodeLink[] };
}

export interface WorkCounts {
  /** Number of memories that wait for the work, including memories that wait for the next attempt after a failure. */
  pending: number;
  inFlight: number;
  /** Number of memories whose work was given up after the last attempt. */
  failed: number;
}

export interface ClaimRequest {
  kind: WorkKind;
  limit: number;
  nowMs: number;
  leaseMs: number;
  /**
   * Claims held work instead of due work. Held work waits until its memory has a vector. The claim covers only the part
   * of the work that needs no vector.
   */
  isHeld?: boolean;
  /**
   * Requeues and claims the work of all these memories, instead of due work, whatever `limit` is. Takes the work even if
   * another worker has claimed it. Ignores unknown ids.
   */
  ids?: readonly string[];
}

export interface WorkRelease {
  /** When the work is due again; null if it has failed for good. */
  dueMs: number | null;
  /** Why the attempt failed. If absent, the work could not be tried, and the attempt does not count. */
  error?: string;
}

export interface WorkQueue {
  /** Claims due work, oldest first. Until the lease ends, no other worker gets this work, unless it sets `ids`. */
  claimWork(request: ClaimRequest): Promise<WorkClaim[]>;
  /** Extends leases; returns the tokens that are still valid. */
  renewWork(tokens: readonly string[], leaseUntilMs: number): Promise<string[]>;
  /**
   * Ends claims in success and applies their results. If a memory has changed since its claim, the claim has no effect
   * and the work is pending again.
   *
   * @returns the tokens that took effect
   */
  settleWork(tokens: readonly string[], result: Settlement): Promise<string[]>;
  /**
   * Ends one claim in success and writes its outcome, all or nothing. If the embedding of the memory is still pending,
   * the part of the enrichment that needs the vector is held until the embedding ends.
   *
   * @returns false, and writes nothing, when the memory has changed or its embedding has ended since the claim. The
   *   work is then pending again
   */
  completeWork(token: string, outcome: WorkOutcome): Promise<boolean>;
  /** Gives back claims on work that is not done. */
  releaseWork(tokens: readonly string[], release: WorkRelease): Promise<void>;
  workCounts(kind: WorkKind): Promise<WorkCounts>;
  /**
   * Returns the ids of memories that pass the filter and whose work of this kind is not done. Looks at a few thousand
   * waiting memories at most.
   */
  listWaiting(request: { kind: WorkKind; filter: MemoryFilter; limit: number }): Promise<string[]>;
  /**
   * Returns when work of this kind is due next; undefined if no work of this kind has a due time. Claimed work is due
   * at the end of its lease.
   */
  nextWorkDueMs(kind: WorkKind): Promise<number | undefined>;
  /** Makes unclaimed work due now if its due time is later than the given instant. */
  makeWorkDue(kind: WorkKind, laterThanMs: number): Promise<void>;
  /** Queues the work of memories again from the first attempt, including work in flight. Ignores unknown ids. */
  requeue(kind: WorkKind, ids: readonly string[]): Promise<void>;
  /**
   * Queues the embedding of memories that have no vector of these models, unless the embedding is already queued.
   * Embeddings that have failed for good stay failed.
   *
   * @returns the number of memories queued
   */
  requeueOutdated(models: readonly string[]): Promise<number>;
}

/** The pending work of each memory (docs/decisions.md, "The graph is the queue"). */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { Relation, RelationType } from '../../domain/relation.js';
import type { AuxiliaryNode, NodeLink } from './node-store.js';

/**
 * Kinds of background work. `enrich` is held until `embed` of the same memory has been settled or has failed for good
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
   * Proves to `settle`, `fail` and `renew` that the claim is still valid and that the memory has not changed since it
   * was read.
   */
  token: string;
}

/** The result of work of kind `embed`. */
export interface Settlement {
  /** Model that made the vectors. */
  embeddedBy?: string;
  /**
   * Vectors by token. A graph that also holds the vectors writes each one with the end of its claim; other graphs
   * ignore them.
   */
  vectors?: ReadonlyMap<string, Float32Array>;
}

/** The changes that a piece of work makes to its memory. */
export interface WorkOutcome {
  /** Receives the current record. */
  change(current: Memory): Memory;
  /** Edges from the memory that replace all its edges of these types. An edge to a deleted memory is left out. */
  edges?: { types: readonly RelationType[]; relations: readonly Relation[] };
  /** Nodes of kind Pattern to write, and edges to patterns, which replace all such edges of the memory. */
  patterns?: { nodes: readonly AuxiliaryNode[]; links: readonly NodeLink[] };
}

export interface WorkCounts {
  /** Number of memories that wait for the work, including those in back-off. */
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
   * Claims work that is held until its memory has a vector, instead of due work. The part that needs the vector follows
   * later.
   */
  isHeld?: boolean;
  /**
   * Claims the work of these memories instead of due work, whether it is claimed or not, as if it had just been
   * requeued. Ignores unknown ids.
   */
  ids?: readonly string[];
}

export interface WorkQueue {
  /** Claims due work, oldest first. No other worker gets it until the lease ends. */
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
   * Ends one claim in success and writes its outcome, all or nothing. If the memory still waits for its vector,
   * enrichment is held again for the part that needs the vector.
   *
   * @returns false, having written nothing, when the memory has changed or its embedding has ended since the claim: the
   *   work is pending again
   */
  completeWork(token: string, outcome: WorkOutcome): Promise<boolean>;
  /** Ends claims in failure: they are due again at `retryAtMs`, or failed for good if that is null. */
  failWork(tokens: readonly string[], failure: { error: string; retryAtMs: number | null }): Promise<void>;
  /** Returns claims that could not be tried: they are due again at the instant, and the attempt does not count. */
  releaseWork(tokens: readonly string[], dueAtMs: number): Promise<void>;
  workCounts(kind: WorkKind): Promise<WorkCounts>;
  /**
   * Ids of memories that pass the filter and whose work of this kind is not done. Looks only at the first few thousand.
   */
  listWaiting(request: { kind: WorkKind; filter: MemoryFilter; limit: number }): Promise<string[]>;
  /** When work of this kind is due next, including claimed work at the end of its lease; undefined if there is none. */
  nextWorkDueMs(kind: WorkKind): Promise<number | undefined>;
  /** Makes unclaimed work due now if it would be due only after the given instant. */
  bringWorkForward(kind: WorkKind, laterThanMs: number): Promise<void>;
  /** Queues the work of memories from its first attempt on, even if it is in flight; ignores unknown ids. */
  requeue(kind: WorkKind, ids: readonly string[]): Promise<void>;
  /**
   * Queues the embedding of memories that have no vector of these models, unless it is already queued. Embeddings that
   * have failed for good stay failed.
   *
   * @returns the number of memories queued
   */
  requeueOutdated(models: readonly string[]): Promise<number>;
}

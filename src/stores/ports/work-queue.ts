/** What is still to be done for each memory (docs/decisions.md, "The graph is the queue"). */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { Relation, RelationType } from '../../domain/relation.js';
import type { AuxiliaryNode, NodeLink } from './node-store.js';

/**
 * Background work that a memory may be waiting for. `enrich` is held until `embed` of the same memory has been settled or
 * has failed for good (docs/decisions.md, "Enrichment after the vector").
 */
export const WORK_KINDS = ['embed', 'enrich'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export interface WorkClaim {
  memory: Memory;
  /** The supplied vector, where there is one. */
  embedding?: Float32Array;
  /** Attempts so far, this one included. */
  attempt: number;
  /** Proves to `settle`, `fail` and `renew` that the claim is still ours and the memory still the one we read. */
  token: string;
}

/** What work of kind `embed` has made. */
export interface Settlement {
  /** Model that made the vectors. */
  embeddedBy?: string;
  /** By token. A graph that holds the vectors too writes each with the end of its claim; others pass them over. */
  vectors?: ReadonlyMap<string, Float32Array>;
}

/** What a piece of work found out about its memory. */
export interface WorkOutcome {
  /** Sees the record as it is now. */
  change(current: Memory): Memory;
  /** Edges out of the memory that take the place of all it had of these types. One to a memory that is gone is left out. */
  edges?: { types: readonly RelationType[]; relations: readonly Relation[] };
  /** Nodes of kind Pattern to write, and edges to such, which take the place of all that the memory had. */
  patterns?: { nodes: readonly AuxiliaryNode[]; links: readonly NodeLink[] };
}

export interface WorkCounts {
  /** Waiting, also for the end of a back-off. */
  pending: number;
  inFlight: number;
  /** Given up after the last attempt. */
  failed: number;
}

export interface ClaimRequest {
  kind: WorkKind;
  limit: number;
  nowMs: number;
  leaseMs: number;
  /** Takes what is held until its memory has a vector, in place of what is due. The part that needs the vector follows later. */
  isHeld?: boolean;
  /** Takes those of these that exist, in place of what is due: as if they had been requeued just before, claimed or not. */
  ids?: readonly string[];
}

export interface WorkQueue {
  /** Takes due work, oldest first, so that nobody else gets it until the lease ends. */
  claimWork(request: ClaimRequest): Promise<WorkClaim[]>;
  /** Extends leases; returns the tokens that were still valid. */
  renewWork(tokens: readonly string[], leaseUntilMs: number): Promise<string[]>;
  /**
   * Ends claims in success and applies what the work found out. A claim whose memory has changed meanwhile is passed over:
   * its work is pending again.
   *
   * @returns the tokens that took effect
   */
  settleWork(tokens: readonly string[], result: Settlement): Promise<string[]>;
  /**
   * Ends one claim in success and writes what the work found out, all or nothing. Enrichment of a memory that is still to be
   * embedded is held again, for what needs the vector.
   *
   * @returns false, having written nothing, when the memory has changed or its embedding has ended since: its work is
   *   pending again
   */
  completeWork(token: string, outcome: WorkOutcome): Promise<boolean>;
  /** Ends claims in failure: due again at `retryAtMs`, or failed for good when that is null. */
  failWork(tokens: readonly string[], failure: { error: string; retryAtMs: number | null }): Promise<void>;
  /** Gives claims back that could not be tried: due again at the instant, and the attempt does not count. */
  releaseWork(tokens: readonly string[], dueAtMs: number): Promise<void>;
  workCounts(kind: WorkKind): Promise<WorkCounts>;
  /** Ids of memories that pass the filter and whose work of the kind is not done, among the first thousands of such work. */
  listWaiting(request: { kind: WorkKind; filter: MemoryFilter; limit: number }): Promise<string[]>;
  /** When work of the kind is due next, leases included; undefined when there is none. */
  nextWorkDueMs(kind: WorkKind): Promise<number | undefined>;
  /** Makes work due now that nobody has claimed and that would be due only after the instant. */
  bringWorkForward(kind: WorkKind, laterThanMs: number): Promise<void>;
  /** Makes memories wait for the work from its first attempt on, also while it is in flight; unknown ids are passed over. */
  requeue(kind: WorkKind, ids: readonly string[]): Promise<void>;
  /**
   * Makes memories wait to be embedded that have no vector of these models, unless they wait already. Those whose embedding
   * has failed for good stay so.
   *
   * @returns how many they are
   */
  requeueOutdated(models: readonly string[]): Promise<number>;
}

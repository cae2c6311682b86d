/** The source of truth: memories with their tags, text, edges and pending work, and nodes other than memories. */
import type { MemoryType } from '../domain/memory.js';
import type { Relation } from '../domain/relation.js';
import type { EdgeStore } from './ports/edge-store.js';
import type { MemoryStore, PageRequest } from './ports/memory-store.js';
import type { AuxiliaryNode, NodeStore } from './ports/node-store.js';
import type { SearchIndex } from './ports/search-index.js';
import type { WorkQueue } from './ports/work-queue.js';

/** Everything that a backend offers. Each part of the engine depends only on the interfaces that it uses. */
export interface GraphStore
  extends MemoryStore,
    SearchIndex,
    EdgeStore,
    NodeStore,
    Figures,
    WorkQueue,
    Leases,
    VectorLedger,
    WordUpkeep {
  /** Kind and location of the store, for people to read. */
  readonly description: string;
  /** Name of the graph. */
  readonly name: string;
  /**
   * Whether the graph also holds the vectors. If so, each vector is written, changed and removed in the transaction of
   * its memory, and the vector store only reads the vectors.
   */
  readonly holdsVectors: boolean;
  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The right to do work that only one process at a time may do. */
export interface Lease {
  name: string;
  /** Name of the run that takes the lease; taking the lease again renews it. */
  holder: string;
  nowMs: number;
  untilMs: number;
}

export interface Leases {
  /**
   * Takes, renews or, with `untilMs` in the past, gives back a lease.
   *
   * @returns whether the lease was free, expired, or already the holder's; otherwise nothing changes
   */
  takeLease(lease: Lease): Promise<boolean>;
  /**
   * Releases the claims and leases of an earlier process that has ended and had the same owner. In a store without an
   * owner, claims and leases expire by themselves.
   */
  reclaim(): Promise<void>;
}

export interface TypeCount {
  /** The type as stored. Another program may have written an unknown type, or no type. The empty text means no type. */
  type: string;
  count: number;
  /** Sum of the confidences of the memories with this type. */
  confidenceSum: number;
}

/** Counts and rankings that a store computes itself, so that no caller reads the whole store. */
export interface Figures {
  /** Counts all memories by type, in no particular order; leaves out types without memories. */
  countTypes(): Promise<TypeCount[]>;
  /**
   * Returns nodes of kind Pattern with a confidence above the bound: highest confidence first, then most observations.
   * Patterns whose type or content is not a text are left out.
   */
  surestPatterns(request: { aboveConfidence: number; limit: number }): Promise<AuxiliaryNode[]>;
  /**
   * Returns the ids of memories of some types with at least this importance, whether they are valid or not: most
   * important first, then newest, then by id.
   */
  importantOfTypes(request: {
    types: readonly MemoryType[];
    leastImportance: number;
    limit: number;
  }): Promise<string[]>;
  /** Returns edges PREFERS_OVER, the strongest first, then the newest. */
  strongestPreferences(limit: number): Promise<Relation[]>;
  /**
   * Counts the memories of other programs, which Engraph leaves alone
   * (docs/decisions.md, "Other writers of the graph"). Absent in a graph to which no other program writes.
   */
  countForeign?(): Promise<number>;
}

export interface OutdatedWords {
  /** Number of memories whose words are to be written again. */
  outdatedCount: number;
  /** Whether a newer Engraph has written words. They stay as they are. */
  hasNewer: boolean;
}

export interface RewritingPage {
  /** Where the previous page ended. Undefined for the first page. */
  from?: number;
  /** Maximum number of memories. */
  limit: number;
}

export interface RewrittenPage {
  rewrittenCount: number;
  /** Where the next page begins. Undefined when no memory is left. */
  next?: number;
}

/**
 * Keeps the words of the full-text index up to date when the text analyzer changes
 * (docs/decisions.md, "Text analyzer version").
 */
export interface WordUpkeep {
  countOutdatedWords(): Promise<OutdatedWords>;
  /**
   * Analyzes some memories with outdated words again, and replaces their words, all in one transaction. After an
   * interruption, the first page continues behind the last committed page.
   */
  rewriteOutdatedWords(page: RewritingPage): Promise<RewrittenPage>;
}

/** The graph's record about the vector of one memory. */
export interface VectorState {
  id: string;
  /** Model of the vector that the vector store should contain; absent if the memory has no vector yet. */
  embeddedBy?: string;
  /** Whether the embedding is queued or in flight. */
  isPending: boolean;
  /** Whether the embedding has failed for good. */
  hasFailed: boolean;
}

/**
 * A note that a vector no longer matches its memory: the memory was removed, or its tags, times or archiving changed.
 */
export interface StaleVector {
  id: string;
  /** Identifies this note. A later note about the same memory has a different token. */
  token: string;
}

/** The graph's records about the vectors of its memories. */
export interface VectorLedger {
  vectorStates(page: PageRequest): Promise<VectorState[]>;
  /**
   * Returns the notes of vectors that have to be removed or need a new payload, oldest first. The notes survive a
   * crash.
   */
  staleVectors(limit: number): Promise<StaleVector[]>;
  /** Deletes the notes with these tokens. A note that was renewed in the meantime has a new token, and stays. */
  settleStaleVectors(tokens: readonly string[]): Promise<void>;
}

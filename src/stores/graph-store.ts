/**
 * The source of truth: memories, their tags, text and edges, and what is still to be done for each
 * (docs/decisions.md, "The graph is the queue").
 */
import type { MemoryFilter } from '../domain/filter.js';
import type { Metadata } from '../domain/json.js';
import type { AdoptionReport } from '../domain/maintenance.js';
import type { Memory } from '../domain/memory.js';
import type { Relation, RelationType } from '../domain/relation.js';

/**
 * Background work that a memory may be waiting for. `enrich` is not due before `embed` of the same memory has been settled
 * or has failed for good (docs/decisions.md, "Enrichment after the vector").
 */
export const WORK_KINDS = ['embed', 'enrich'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export interface NewRecord {
  memory: Memory;
  /** A vector the caller supplied: it cannot be made again, so the graph keeps it too. */
  embedding?: Float32Array;
  /** Of the model in `embedded_by`. A graph that holds the vectors writes it with the record; others pass it over. */
  vector?: Float32Array;
  work: readonly WorkKind[];
}

/** A part of everything there is, in order of id. */
export interface PageRequest {
  /** The last id of the page before; absent: from the beginning. */
  afterId?: string;
  limit: number;
}

/** What the graph knows of a memory's vector. */
export interface VectorState {
  id: string;
  /** Model that made the vector which the vector store should hold; absent: none yet. */
  embeddedBy?: string;
  /** Whether its embedding waits or is in flight. */
  isPending: boolean;
  /** Whether its embedding has failed for good. */
  hasFailed: boolean;
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

export interface TextSearch {
  /** Stems as made by `queryTerms`. */
  terms: readonly string[];
  filter: MemoryFilter;
  limit: number;
}

/** Occurrences of terms, for weighing them. */
export interface TermStatistics {
  memoryCount: number;
  /** In how many memories each term occurs, in content or tags. */
  frequencies: ReadonlyMap<string, number>;
}

export interface TextAnswer {
  /** Best first. */
  hits: TextHit[];
  statistics: TermStatistics;
}

export interface TextHit {
  id: string;
  /** Comparable within one search only; higher is better. */
  score: number;
}

/** `importance`: most important first, then newest. `newest`: by creation. The others are by last change, then creation. */
export type ListOrder = 'importance' | 'newest' | 'updated_desc' | 'updated_asc';

export interface RelationRequest {
  ids: readonly string[];
  /** Most edges for each memory. */
  limit: number;
  minStrength?: number;
  /** Only these types; absent: all. */
  types?: readonly RelationType[];
  /** Only edges that begin at the memory. */
  isOutgoingOnly?: boolean;
}

export interface NeighbourRequest {
  ids: readonly string[];
  /** At most so many to each side. */
  span: number;
  /** Further apart in time than this, two memories are no neighbours. */
  maxGapMs: number;
}

/** `id` stands next to `of` in time: -1 directly before it, 2 as the second after it. */
export interface Neighbour {
  of: string;
  id: string;
  distance: number;
}

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

/** A note that a vector no longer matches its memory, which was removed, or whose tags, times or archiving changed. */
export interface StaleVector {
  id: string;
  /** Names this note: one made later of the same memory has another. */
  token: string;
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
  /** Takes those of these that exist, in place of what is due: as if they had been requeued just before, claimed or not. */
  ids?: readonly string[];
}

/** The right to do something that only one process at a time may do. */
export interface Lease {
  name: string;
  /** Who takes it; taking it again prolongs it. */
  holder: string;
  nowMs: number;
  untilMs: number;
}

/** Kinds of node that never appear among memories (docs/decisions.md, "Nodes beside memories"). */
export const NODE_KINDS = ['Pattern', 'MetaMemory', 'ConsolidationControl', 'ConsolidationRun'] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

export interface AuxiliaryNode {
  kind: NodeKind;
  id: string;
  properties: Metadata;
  updated_at: string;
}

/** An edge EXEMPLIFIES from a memory to a node that is no memory. It appears in no `relations`. */
export interface NodeLink {
  memoryId: string;
  kind: NodeKind;
  nodeId: string;
  /** 0..1 */
  confidence: number;
  updated_at: string;
}

export interface AdoptionRequest {
  /** Only reports what it would do. */
  isDryRun: boolean;
  /** Asked before each page; after a no, the rest is left for the next time. */
  mayGoOn?(): Promise<boolean>;
}

export interface GraphStore {
  /** For people: which store this is, and where. */
  readonly description: string;
  /** Name of the graph. */
  readonly name: string;
  /**
   * Whether it holds the vectors as well: each is written, changed and removed in the transaction of its memory, and the
   * vector store beside it only reads.
   */
  readonly holdsVectors: boolean;

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
   * @returns the new record, or undefined when there is no such memory
   */
  updateMemory(id: string, change: (current: Memory) => MemoryChange): Promise<Memory | undefined>;
  /** Removes memories with all their edges and work, noting their vectors as stale; returns the ids that existed. */
  deleteMemories(ids: readonly string[]): Promise<string[]>;
  /**
   * Notes an access: `last_accessed` moves to the instant where it lies at least `minGapMs` before it, which is 1 unless it
   * is stated. Unknown ids are passed over.
   */
  touch(ids: readonly string[], lastAccessed: string, minGapMs?: number): Promise<void>;

  /** Memories with any of the tags, exactly: importance, then newest, then id. */
  listByTags(request: { keys: readonly string[]; limit: number; offset: number }): Promise<Memory[]>;
  /** How many memories have any of the tags, exactly. */
  countByTags(keys: readonly string[]): Promise<number>;
  /** Whole records, as they could be saved elsewhere; `work` is what they wait for or have failed at. */
  readRecords(page: PageRequest): Promise<NewRecord[]>;
  vectorStates(page: PageRequest): Promise<VectorState[]>;
  /** Ids of the memories that pass the filter, in the order asked for. */
  list(request: { filter: MemoryFilter; order: ListOrder; limit: number }): Promise<string[]>;
  /** Full-text candidates for any of the terms. Statistics are of the whole store, whatever the filter. */
  searchText(search: TextSearch): Promise<TextAnswer>;
  /** @param terms stems as made by `queryTerms` */
  countTerms(terms: readonly string[]): Promise<TermStatistics>;

  /**
   * The memories created just before and after each one that share a tag with it. Those of the same instant have no order
   * and are no neighbours.
   */
  neighbours(request: NeighbourRequest): Promise<Neighbour[]>;

  /**
   * Writes edges, replacing those of the same (from, type, to).
   *
   * @returns for each whether both its ends exist; where one does not, nothing was written
   */
  saveRelations(relations: readonly Relation[]): Promise<boolean[]>;
  /**
   * Saves a memory, changes the one whose place it takes and writes the edge between them, all or nothing.
   *
   * @returns undefined, having written nothing, when the memory to be superseded does not exist
   * @throws MemoryError `conflict` as `saveMemories`
   */
  supersede(request: SupersedeRequest): Promise<SaveOutcome | undefined>;
  /** For each memory its edges: authored before system ones, then strongest, then newest. */
  relationsOf(request: RelationRequest): Promise<Map<string, Relation[]>>;

  saveNode(node: AuxiliaryNode): Promise<void>;
  getNode(kind: NodeKind, id: string): Promise<AuxiliaryNode | undefined>;
  /** Most recently updated first. */
  listNodes(kind: NodeKind, limit: number): Promise<AuxiliaryNode[]>;
  readNodes(kind: NodeKind, page: PageRequest): Promise<AuxiliaryNode[]>;
  deleteNodes(kind: NodeKind, ids: readonly string[]): Promise<void>;
  /** Writes the edge from a memory to such a node, replacing the one there was; it ends with either. */
  linkNode(link: NodeLink): Promise<void>;
  /** Edges from these memories to such nodes, in no order. */
  linksOf(ids: readonly string[]): Promise<NodeLink[]>;
  /** How many memories have an edge to a node, but for one; counts no further than `max`. */
  countNodeLinks(kind: NodeKind, id: string, bounds: { exceptId: string; max: number }): Promise<number>;

  /** @returns whether the lease is the holder's now: it was free, had ended, or was the holder's before */
  takeLease(lease: Lease): Promise<boolean>;
  /** Does nothing when another holds it. */
  releaseLease(name: string, holder: string): Promise<void>;

  /**
   * Frees what an earlier process of the same owner had claimed or leased when it ended. A store without an owner leaves
   * that to the end of the leases.
   */
  reclaim(): Promise<void>;
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
   * Ends one claim in success and writes what the work found out, all or nothing.
   *
   * @returns false, having written nothing, when the memory has changed since: its work is pending again
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

  /** Notes of vectors to be removed or given their new payload, oldest first. They outlast a crash. */
  staleVectors(limit: number): Promise<StaleVector[]>;
  /** Forgets notes; one that was made again meanwhile stays. */
  settleStaleVectors(tokens: readonly string[]): Promise<void>;

  /**
   * Looks at all nodes for what other programs wrote, and makes it part of the memory without changing what they wrote.
   * Absent where nobody else writes.
   */
  adopt?(request: AdoptionRequest): Promise<AdoptionReport>;

  countMemories(): Promise<number>;
  /** Memories that have a vector, as far as the graph knows; with models given, one that any of them made. */
  countEmbedded(models?: readonly string[]): Promise<number>;
  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

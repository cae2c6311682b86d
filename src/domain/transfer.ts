/** What goes from one memory into a file and from there into another memory: records, and pages of them. */
import type { Metadata } from './json.js';
import type { Memory } from './memory.js';
import type { Relation } from './relation.js';

/** The kinds of nodes that an export contains. Deleted memories are among them. */
export const EXPORTED_KINDS = [
  'Pattern',
  'MetaMemory',
  'ConsolidationControl',
  'ConsolidationRun',
  'ConsolidationChanges',
  'ConsolidationProposal',
  'DeletedMemory',
  'HookSession',
  'MemoryHistory',
] as const;
export type ExportedKind = (typeof EXPORTED_KINDS)[number];

/** The kinds of nodes that edges join with memories. */
export const JOINED_KINDS = ['Pattern', 'MetaMemory'] as const;

export const TRANSFER_PARTS = ['nodes', 'memories'] as const;
export type TransferPart = (typeof TRANSFER_PARTS)[number];

/** Ids of nodes that belong to a process, and are neither exported nor imported. */
export const LEASE_PREFIX = 'lease:';

/** Records in one page. */
export const TRANSFER_PAGE_MAX = 500;

/** A memory without the fields that the service derives from others, and without the name of the model of its vector. */
export type TransferredMemory = Omit<Memory, 'tag_prefixes' | 'embedded_by'>;

/** An edge without the memory that it begins at. */
export type OutgoingRelation = Omit<Relation, 'from'>;

/** An edge between a memory and a node. */
export interface TransferredLink {
  kind: (typeof JOINED_KINDS)[number];
  id: string;
  /** 0..1 */
  confidence: number;
  updated_at: string;
}

export interface TransferredEdges {
  relations: OutgoingRelation[];
  links: TransferredLink[];
}

export interface MemoryRecord {
  memory: TransferredMemory;
  /** Whether it waits to be enriched. */
  isEnrichmentPending: boolean;
  /** The vector that the caller supplied. Any other vector is made again. */
  embedding?: Float32Array;
}

export interface NodeRecord {
  kind: ExportedKind;
  id: string;
  properties: Metadata;
  updated_at: string;
}

export interface ExportPageRequest {
  part: TransferPart;
  /** `next` of the page before; absent: the first page. */
  after?: string;
  limit: number;
  /** Leaves out records that were last changed before this instant, in ISO 8601. */
  since?: string;
}

export interface ExportPage {
  memories: (MemoryRecord & TransferredEdges)[];
  nodes: NodeRecord[];
  /** Absent on the last page. */
  next?: string;
}

/** Edges that begin at one memory. */
export interface EdgesOf extends TransferredEdges {
  from: string;
}

export interface ImportPage {
  memories: readonly MemoryRecord[];
  nodes: readonly NodeRecord[];
  edges: readonly EdgesOf[];
  /** Only counts. */
  isDryRun: boolean;
  /** Gives a memory without a type the one that its words say. */
  readsTypes: boolean;
  /** The import ends with this page: background work begins. */
  isLast: boolean;
}

/** What became of the records of one kind. */
export interface ArrivalCounts {
  created: number;
  updated: number;
  unchanged: number;
  /** What was there has a later state and stays. */
  kept: number;
}

export interface ImportReport {
  memories: ArrivalCounts;
  nodes: ArrivalCounts;
  /** Edges between memories, and between memories and nodes. `leftOut`: one of their ends does not exist. */
  edges: ArrivalCounts & { leftOut: number };
}

export function noArrivals(): ArrivalCounts {
  return { created: 0, updated: 0, unchanged: 0, kept: 0 };
}

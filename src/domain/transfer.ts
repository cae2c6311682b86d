/** The records and pages that export and import transfer between a store and a file. */
import type { Metadata } from './json.js';
import type { Memory } from './memory.js';
import type { Relation } from './relation.js';

/** The kinds of nodes that an export contains besides memories. Deleted memories are one of these kinds. */
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
  'ProjectAlias',
] as const;
export type ExportedKind = (typeof EXPORTED_KINDS)[number];

/** The kinds of nodes that edges connect to memories. */
export const JOINED_KINDS = ['Pattern', 'MetaMemory'] as const;

export const TRANSFER_PARTS = ['nodes', 'memories'] as const;
export type TransferPart = (typeof TRANSFER_PARTS)[number];

/** Prefix of the ids of leases. A lease belongs to a process, so it is neither exported nor imported. */
export const LEASE_PREFIX = 'lease:';

/** Maximum number of records in one page. */
export const TRANSFER_PAGE_MAX = 500;

/** A memory without its derived `tag_prefixes`, and without the name of the model that made its vector. */
export type TransferredMemory = Omit<Memory, 'tag_prefixes' | 'embedded_by'>;

/** An edge without the id of the memory at which it begins. */
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
  /** Whether the memory is queued for enrichment. */
  isEnrichmentPending: boolean;
  /** The vector, if the caller supplied it. Any other vector is computed again after the import. */
  embedding?: Float32Array;
  /** Whether the times are only those of the file, because the source has none. An export has no such record. */
  isUndated?: boolean;
}

export interface NodeRecord {
  kind: ExportedKind;
  id: string;
  properties: Metadata;
  updated_at: string;
}

export interface ExportPageRequest {
  part: TransferPart;
  /** `next` of the previous page. If undefined, the first page is returned. */
  after?: string;
  limit: number;
  /** Leaves out records with an `updated_at` before this instant, in ISO 8601. */
  since?: string;
}

export interface ExportPage {
  memories: (MemoryRecord & TransferredEdges)[];
  nodes: NodeRecord[];
  /** The value of `after` for the next page. Undefined on the last page. */
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
  /** Whether records are only counted and not stored. */
  isDryRun: boolean;
  /** Whether unclassified memories are classified by their content. */
  readsTypes: boolean;
  /** Whether memories and nodes are imported even if they seem to contain credentials. */
  allowsCredentials: boolean;
  /** Whether this is the last page of the import. After the last page, background work begins. */
  isLast: boolean;
}

/** Number of records of one kind, by the effect of the import on them. */
export interface ArrivalCounts {
  created: number;
  updated: number;
  unchanged: number;
  /** Number of stored records that stay as they are, because their state is later than the imported state. */
  kept: number;
}

export interface ImportReport {
  memories: ArrivalCounts;
  nodes: ArrivalCounts;
  /** Edges between memories, and between memories and nodes. `leftOut` counts edges with an end that does not exist. */
  edges: ArrivalCounts & { leftOut: number };
  /** Memories and nodes that were left out, because they seem to contain credentials. */
  credentials: CredentialLeftOut[];
}

export interface CredentialLeftOut {
  /** Id of the memory, or kind and id of the node, such as `Pattern/5`. */
  id: string;
  /** Such as "GITHUB TOKEN". */
  kinds: string[];
}

/**
 * Whether the stored memory stays as it is. The time of a file says nothing about a record in it, so a record without a
 * time of its own replaces a memory only as its import left it: every change sets `updated_at`, but archiving does not.
 */
export function isKept(present: TransferredMemory, { memory, isUndated = false }: MemoryRecord): boolean {
  const isChanged = present.updated_at !== present.timestamp || present.archived;
  return isLater(present, memory) || (isUndated && isChanged);
}

export function noArrivals(): ArrivalCounts {
  return { created: 0, updated: 0, unchanged: 0, kept: 0 };
}

type Dated = Pick<Memory, 'updated_at' | 'content' | 'enriched' | 'last_accessed'>;

/**
 * Whether `present` is later than `other`. If both states have the same time of change, the stored text is not later
 * than another text, because every edit in Engraph sets that time: a person edited the file. Of states with the same
 * text, an enriched state is later than a state that is not enriched. If that does not decide either, the state with the
 * later recall is later.
 */
export function isLater(present: Dated | undefined, other: Dated): boolean {
  if (!present) return false;
  if (present.updated_at !== other.updated_at) return present.updated_at > other.updated_at;
  if (present.content !== other.content) return false;
  if (present.enriched !== other.enriched) return present.enriched;
  return present.last_accessed > other.last_accessed;
}

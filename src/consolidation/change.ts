/** What consolidation does to a memory, as data: a run lists it, writes it and can take it back. */
import type { Relation } from '../domain/relation.js';

export const CONSOLIDATION_TASKS = ['decay', 'creative', 'cluster', 'forget'] as const;
export type ConsolidationTask = (typeof CONSOLIDATION_TASKS)[number];

/** Why a change is made, in words, and the numbers that decided it, by name. */
export interface Grounds {
  reason: string;
  numbers: Readonly<Record<string, number>>;
}

/** Sets what decay has left of a memory. */
export interface RelevanceChange extends Grounds {
  kind: 'relevance';
  id: string;
  /** null: decay had not reached it. */
  before: number | null;
  after: number;
}

/** Adds an edge DISCOVERED where two memories had none. */
export interface LinkChange extends Grounds {
  kind: 'link';
  relation: Relation;
}

/** A group of memories that are about one thing. */
export interface GroupSummary {
  id: string;
  content: string;
  memberIds: readonly string[];
  /** Shared names, tags and terms, and what else describes the group. */
  about: GroupAbout;
}

export interface GroupAbout {
  entities: readonly string[];
  tags: readonly string[];
  terms: readonly string[];
  /** Of its memories' creation, ISO 8601. */
  earliest: string;
  latest: string;
  /** The least confidence among its memories. */
  confidence: number;
}

/** Makes a summary (`before` is null), writes it anew, or removes it (`after` is null). */
export interface SummaryChange extends Grounds {
  kind: 'summary';
  before: GroupSummary | null;
  after: GroupSummary | null;
}

export interface ArchiveChange extends Grounds {
  kind: 'archive';
  id: string;
}

/** Moves a memory to the bin, with its edges. */
export interface DeleteChange extends Grounds {
  kind: 'delete';
  id: string;
}

/** Two memories of which one may be in the way of the other. Nothing happens to them until somebody accepts. */
export interface Proposal extends Grounds {
  /** The same for the same pair and kind, so that it is made once. */
  id: string;
  kind: 'duplicate' | 'replaced';
  olderId: string;
  newerId: string;
}

export interface ProposalChange extends Grounds {
  kind: 'proposal';
  proposal: Proposal;
}

export type Change = RelevanceChange | LinkChange | SummaryChange | ArchiveChange | DeleteChange | ProposalChange;

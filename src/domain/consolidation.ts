/** The changes of consolidation, as data: a run lists them, applies them and can undo them. */
import type { Relation } from './relation.js';

export const CONSOLIDATION_TASKS = ['decay', 'creative', 'cluster', 'forget'] as const;
export type ConsolidationTask = (typeof CONSOLIDATION_TASKS)[number];

/** The count of each task, with its name in the interface and in the graph. */
export const TASK_COUNTERS = {
  decay: 'updates',
  creative: 'associations',
  cluster: 'clusters',
  forget: 'forgotten',
} as const satisfies Record<ConsolidationTask, string>;

/** Why a change is made, in words, and the values that led to it, by name. */
export interface Grounds {
  reason: string;
  numbers: Readonly<Record<string, number>>;
}

/** Sets the relevance of a memory after decay. */
export interface RelevanceChange extends Grounds {
  kind: 'relevance';
  id: string;
  /** Null when decay had not processed the memory yet. */
  before: number | null;
  after: number;
}

/** Adds an edge DISCOVERED between two memories without an edge. */
export interface LinkChange extends Grounds {
  kind: 'link';
  relation: Relation;
}

/** A group of memories about the same thing. */
export interface GroupSummary {
  id: string;
  /** Begins with the wording of the language model, if there is one. */
  content: string;
  wording?: GroupWording;
  memberIds: readonly string[];
  /** Shared names, tags and terms, and further values that describe the group. */
  about: GroupAbout;
}

/** The description of a group by a language model. */
export interface GroupWording {
  text: string;
  /** Identifies the text that the model read, to detect whether it has changed. */
  digest: string;
}

export interface GroupAbout {
  entities: readonly string[];
  tags: readonly string[];
  terms: readonly string[];
  /** Of the creation times of its memories, ISO 8601. */
  earliest: string;
  latest: string;
  /** The lowest confidence of its memories. */
  confidence: number;
}

/** Creates a summary (`before` is null), rewrites it, or removes it (`after` is null). */
export interface SummaryChange extends Grounds {
  kind: 'summary';
  before: GroupSummary | null;
  after: GroupSummary | null;
}

interface Forgetting extends Grounds {
  id: string;
  /** The state of the memory when the change was planned. A memory that somebody has changed since is left alone. */
  updatedAt: string;
}

export interface ArchiveChange extends Forgetting {
  kind: 'archive';
}

/** Moves a memory with its edges to the bin. */
export interface DeleteChange extends Forgetting {
  kind: 'delete';
}

/** A pair of memories in which one may be superfluous. Nothing changes until somebody accepts. */
export interface Proposal extends Grounds {
  /** The same for the same pair and kind, so that a pair is proposed once. */
  id: string;
  kind: 'duplicate' | 'replaced';
  olderId: string;
  newerId: string;
}

export const PROPOSAL_ACTIONS = ['accept', 'dismiss', 'reopen'] as const;
export type ProposalAction = (typeof PROPOSAL_ACTIONS)[number];

export type ProposalState = 'open' | 'accepted' | 'dismissed';

/** Written into the proposal before any other write, so that accepting can be undone. */
export interface Acceptance {
  /** ISO 8601. */
  at: string;
  /** The end of the older memory's validity before, if it had one, and now. */
  endBefore?: string;
  end: string;
  /** State of the newer memory before. */
  tags: readonly string[];
  importance: number;
}

export interface StoredProposal extends Proposal {
  state: ProposalState;
  /** ISO 8601. */
  updatedAt: string;
  /** Set on an open proposal: accepting it was interrupted. */
  acceptance?: Acceptance;
}

/** A proposal that waits for an answer. */
export interface OpenProposal extends StoredProposal {
  /** The present contents of the memories. Null when a memory no longer exists. */
  olderContent: string | null;
  newerContent: string | null;
}

export interface ProposalChange extends Grounds {
  kind: 'proposal';
  proposal: Proposal;
}

export type Change = RelevanceChange | LinkChange | SummaryChange | ArchiveChange | DeleteChange | ProposalChange;

export const CONSOLIDATION_MODES = [...CONSOLIDATION_TASKS, 'full'] as const;
export type ConsolidationMode = (typeof CONSOLIDATION_MODES)[number];

export interface ConsolidationRequest {
  mode: ConsolidationMode;
  /** Only reports the changes. */
  isDryRun: boolean;
}

/** What one task has changed, or would change. */
export interface TaskReport {
  task: ConsolidationTask;
  /** Id of the run. Undefined when nothing was to be written. */
  runId?: string;
  /** Number of changed relevances, links, existing groups or forgotten memories. */
  count: number;
  changeCount: number;
  /** The first changes. */
  changes: readonly Change[];
  durationSeconds: number;
  /** Why the run changed nothing although there were changes to make. */
  stopped?: string;
}

/** `running` for a process that has ended means that the run was interrupted. */
export type RunState = 'running' | 'done' | 'failed' | 'stopped';

export interface RunRecord {
  id: string;
  task: ConsolidationTask;
  state: RunState;
  /** When it began, ISO 8601. */
  timestamp: string;
  durationSeconds: number;
  count: number;
  changeCount: number;
  /** Why it failed or was stopped. */
  problem?: string;
  /** When its changes were undone, ISO 8601. */
  undoneAt?: string;
}

export interface RunDetails {
  run: RunRecord;
  changes: readonly Change[];
  /** Start of the next page of changes. Null on the last page. */
  nextPage: number | null;
}

export interface UndoReport {
  runId: string;
  undone: number;
  /** Changes left as they are: undone before, or changed by somebody since. */
  skipped: number;
}

export interface RestoreReport {
  restoredIds: readonly string[];
  /** Ids that are not in the bin. */
  unknownIds: readonly string[];
}

export interface BinnedMemory {
  id: string;
  content: string;
  deletedAt: string;
  reason: string;
}

export interface ConsolidationStatus {
  /** ISO 8601. Null: never runs on its own. */
  nextRuns: Record<ConsolidationTask, string | null>;
  /** Newest first. */
  history: readonly RunRecord[];
  isAlive: boolean;
  tickSeconds: number;
  /** Number of proposals that wait for an answer. */
  openProposals: number;
  /** Number of deleted memories that can be restored. */
  binnedCount: number;
}

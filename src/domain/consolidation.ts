/** The changes of consolidation, as data. A run lists its changes and applies them, and they can be undone later. */
import type { Relation } from './relation.js';

export const CONSOLIDATION_TASKS = ['decay', 'creative', 'cluster', 'forget'] as const;
export type ConsolidationTask = (typeof CONSOLIDATION_TASKS)[number];

/** The name of the count of each task, in the interface and in the graph. */
export const TASK_COUNTERS = {
  decay: 'updates',
  creative: 'associations',
  cluster: 'clusters',
  forget: 'forgotten',
} as const satisfies Record<ConsolidationTask, string>;

/** Why a change is made: a reason in words, and the values that led to the change, by name. */
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

/** Adds a DISCOVERED edge between two memories that no edge connects. */
export interface LinkChange extends Grounds {
  kind: 'link';
  relation: Relation;
}

/** A group of memories about the same thing. */
export interface GroupSummary {
  id: string;
  /** If the group has a `wording`, the content begins with the text of the wording. */
  content: string;
  wording?: GroupWording;
  memberIds: readonly string[];
  /** Shared names, tags and terms, and further values that describe the group. */
  about: GroupAbout;
}

/** The description of a group by a language model. */
export interface GroupWording {
  text: string;
  /** Identifies the text that the model read, to detect whether this text has changed. */
  digest: string;
}

export interface GroupAbout {
  entities: readonly string[];
  tags: readonly string[];
  terms: readonly string[];
  /** Earliest and latest creation time of the memories of the group, ISO 8601. */
  earliest: string;
  latest: string;
  /** The lowest confidence among the memories of the group. */
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
  /** `updated_at` of the memory when the change was planned. A memory that was changed later is not forgotten. */
  updatedAt: string;
}

export interface ArchiveChange extends Forgetting {
  kind: 'archive';
}

/** Moves a memory with its edges to the bin. */
export interface DeleteChange extends Forgetting {
  kind: 'delete';
}

/** A pair of memories in which one may be superfluous. Nothing changes until somebody accepts the proposal. */
export interface Proposal extends Grounds {
  /** Proposals for the same pair and kind have the same id, so that a pair is proposed only once for each kind. */
  id: string;
  kind: 'duplicate' | 'replaced';
  olderId: string;
  newerId: string;
}

export const PROPOSAL_ACTIONS = ['accept', 'dismiss', 'reopen'] as const;
export type ProposalAction = (typeof PROPOSAL_ACTIONS)[number];

export type ProposalState = 'open' | 'accepted' | 'dismissed';

/**
 * The data with which an acceptance can be undone. It is written into the proposal before any memory or edge is
 * changed.
 */
export interface Acceptance {
  /** ISO 8601. */
  at: string;
  /** Tags and importance of the newer memory before the acceptance. */
  tags: readonly string[];
  importance: number;
}

export interface StoredProposal extends Proposal {
  state: ProposalState;
  /** ISO 8601. */
  updatedAt: string;
  /** An open proposal has this field only when accepting the proposal was interrupted. */
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
  /** Whether the changes are only reported, and not made. */
  isDryRun: boolean;
}

/** The changes that one task has made, or would make. */
export interface TaskReport {
  task: ConsolidationTask;
  /** Id of the run. Undefined for a dry run. */
  runId?: string;
  /** Number of changed relevances, new links, found groups or forgotten memories, depending on the task. */
  count: number;
  changeCount: number;
  /** The first changes. `changeCount` is the number of all changes. */
  changes: readonly Change[];
  durationSeconds: number;
  /** Why the run was stopped before it changed anything. */
  stopped?: string;
}

/** If the process of a run has ended and the state is still `running`, the run was interrupted. */
export type RunState = 'running' | 'done' | 'failed' | 'stopped';

export interface RunRecord {
  id: string;
  task: ConsolidationTask;
  state: RunState;
  /** When the run began, ISO 8601. */
  timestamp: string;
  durationSeconds: number;
  count: number;
  changeCount: number;
  /** Why the run failed or was stopped. */
  problem?: string;
  /** When the changes of the run were undone, ISO 8601. */
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
  /**
   * Number of changes that were not undone, because they were undone before or because the data was changed after the
   * run.
   */
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
  /** When each task is due, ISO 8601. Null for a task that is not scheduled. */
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

/** What consolidation does to a memory, as data: a run lists it, writes it and can take it back. */
import type { Relation } from './relation.js';

export const CONSOLIDATION_TASKS = ['decay', 'creative', 'cluster', 'forget'] as const;
export type ConsolidationTask = (typeof CONSOLIDATION_TASKS)[number];

/** What each task counts, by the name that the interface and the graph give it. */
export const TASK_COUNTERS = {
  decay: 'updates',
  creative: 'associations',
  cluster: 'clusters',
  forget: 'forgotten',
} as const satisfies Record<ConsolidationTask, string>;

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
  /** Begins with the wording, where there is one. */
  content: string;
  wording?: GroupWording;
  memberIds: readonly string[];
  /** Shared names, tags and terms, and what else describes the group. */
  about: GroupAbout;
}

/** What a language model says of a group. */
export interface GroupWording {
  text: string;
  /** Tells whether what the model read is still what it would read. */
  digest: string;
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

interface Forgetting extends Grounds {
  id: string;
  /** Of the memory as it was planned: what somebody has changed since is left alone. */
  updatedAt: string;
}

export interface ArchiveChange extends Forgetting {
  kind: 'archive';
}

/** Moves a memory to the bin, with its edges. */
export interface DeleteChange extends Forgetting {
  kind: 'delete';
}

/** Two memories of which one may be in the way of the other. Nothing happens to them until somebody accepts. */
export interface Proposal extends Grounds {
  /** The same for the same pair and kind, so that it is made once. */
  id: string;
  kind: 'duplicate' | 'replaced';
  olderId: string;
  newerId: string;
}

export const PROPOSAL_ACTIONS = ['accept', 'dismiss', 'reopen'] as const;
export type ProposalAction = (typeof PROPOSAL_ACTIONS)[number];

export type ProposalState = 'open' | 'accepted' | 'dismissed';

/** Written into the proposal before anything else is, so that it can be taken back. */
export interface Acceptance {
  /** ISO 8601. */
  at: string;
  /** When the older memory ended before, if it did, and when it ends now. */
  endBefore?: string;
  end: string;
  /** Of the newer memory before. */
  tags: readonly string[];
  importance: number;
}

export interface StoredProposal extends Proposal {
  state: ProposalState;
  /** ISO 8601. */
  updatedAt: string;
  /** Of an open one: accepting it was cut off. */
  acceptance?: Acceptance;
}

/** One that waits for an answer. */
export interface OpenProposal extends StoredProposal {
  /** What the memories say now; null where one is gone. */
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
  /** Only says what would change. */
  isDryRun: boolean;
}

/** What one task has done, or would do. */
export interface TaskReport {
  task: ConsolidationTask;
  /** Names the run; absent where nothing was to be written. */
  runId?: string;
  /** How many relevances, links, groups or forgotten memories; for groups those that there are. */
  count: number;
  changeCount: number;
  /** The first of the changes. */
  changes: readonly Change[];
  durationSeconds: number;
  /** Why the run changed nothing although it would have. */
  stopped?: string;
}

/** `running` of a process that has ended: the run was cut off. */
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
  /** Why it failed or stopped. */
  problem?: string;
  /** When its changes were taken back, ISO 8601. */
  undoneAt?: string;
}

export interface RunDetails {
  run: RunRecord;
  changes: readonly Change[];
  /** Where the next changes begin; null at the end. */
  nextPage: number | null;
}

export interface UndoReport {
  runId: string;
  undone: number;
  /** Left as they are: taken back before, or changed by somebody since. */
  skipped: number;
}

export interface RestoreReport {
  restoredIds: readonly string[];
  /** Not in the bin. */
  unknownIds: readonly string[];
}

export interface BinnedMemory {
  id: string;
  content: string;
  deletedAt: string;
  reason: string;
}

export interface ConsolidationStatus {
  /** ISO 8601; null: never by itself. */
  nextRuns: Record<ConsolidationTask, string | null>;
  /** Newest first. */
  history: readonly RunRecord[];
  isAlive: boolean;
  tickSeconds: number;
  /** Proposals that wait for an answer. */
  openProposals: number;
  /** Deleted memories that can be restored. */
  binnedCount: number;
}

/** Answers about consolidation: the changes of runs and dry runs, the schedule, the bin, and proposals. */
import { z } from 'zod';
import {
  type BinnedMemory,
  type Change,
  CONSOLIDATION_TASKS,
  type ConsolidationMode,
  type ConsolidationStatus,
  type ConsolidationTask,
  type OpenProposal,
  type RestoreReport,
  type RunDetails,
  type RunRecord,
  type StoredProposal,
  TASK_COUNTERS,
  type TaskReport,
  type UndoReport,
} from '../domain/consolidation.js';
import { beginningOf } from '../domain/text/characters.js';
import { roundScore, success, wholeNumber } from './answer-fields.js';

const task = z.enum(CONSOLIDATION_TASKS);
const duration = z.number().describe('Duration of the run');
const instant = z.string().describe('ISO 8601 in UTC');

const changeAnswer = z
  .strictObject({
    kind: z.enum(['relevance', 'link', 'summary', 'archive', 'delete', 'proposal']).describe('Kind of change'),
    memory_ids: z.array(z.string()).describe('Ids of the memories concerned, or of all group members'),
    reason: z.string().describe('The reason in words'),
    numbers: z.record(z.string(), z.number()).describe('The values that led to the decision, by name'),
    text: z.string().optional().describe('Summary of a group'),
    before: z
      .number()
      .nullable()
      .optional()
      .describe('Previous relevance; null if decay had not processed the memory yet'),
    after: z.number().optional().describe('New relevance'),
  })
  .describe('One change with its reason');
type ChangeAnswer = z.infer<typeof changeAnswer>;

const counters = {
  updates: wholeNumber.optional().describe('decay: number of changed relevances'),
  associations: wholeNumber.optional().describe('creative: number of discovered edges'),
  clusters: wholeNumber.optional().describe('cluster: number of groups'),
  forgotten: wholeNumber.optional().describe('forget: number of memories archived or deleted'),
};

const taskAnswer = z.strictObject({
  ...counters,
  duration_seconds: duration,
  run_id: z.string().optional().describe('Id of the run; absent for a dry run'),
  stopped: z.string().optional().describe('Why the run was stopped before it changed anything; absent otherwise'),
  change_count: wholeNumber.describe(
    'Number of changes made; for a dry run or a stopped run, the number of changes planned',
  ),
  changes: z.array(changeAnswer).describe('The first changes'),
});
type TaskAnswer = z.infer<typeof taskAnswer>;

export const consolidateAnswer = z.strictObject({
  status: success,
  consolidation: z
    .union([taskAnswer, z.record(task, taskAnswer)])
    .describe('The result of the task; with mode full, one result per task'),
});
export type ConsolidateAnswer = z.infer<typeof consolidateAnswer>;

const runAnswer = z.strictObject({
  run_id: z.string().describe('Id of the run'),
  task: task.describe('The task of the run'),
  timestamp: instant.describe('When the run began, ISO 8601 in UTC'),
  duration_seconds: duration,
  ...counters,
  state: z
    .enum(['running', 'done', 'failed', 'stopped'])
    .describe('State of the run; an interrupted run stays "running"'),
  change_count: wholeNumber.describe('Number of changes made; for an interrupted or failed run, of changes begun'),
  problem: z
    .string()
    .optional()
    .describe(
      'Why the run was stopped or failed; the reason of a failure is shown only when the caller asks for a single run',
    ),
  undone_at: instant.optional().describe('When the run was undone, ISO 8601 in UTC'),
});
type RunAnswer = z.infer<typeof runAnswer>;

export const consolidationStatusAnswer = z.strictObject({
  status: success,
  next_runs: z
    .record(task, instant.nullable())
    .describe('Next run of each task; null for a task that is not scheduled'),
  history: z.array(runAnswer).describe('Newest first'),
  thread_alive: z.boolean().describe('Whether the scheduler is running'),
  tick_seconds: wholeNumber.describe('Seconds between two checks for due tasks'),
  proposals: wholeNumber.describe('Number of proposals that wait for an answer'),
  binned: wholeNumber.describe('Number of deleted memories that can be restored'),
});
export type ConsolidationStatusAnswer = z.infer<typeof consolidationStatusAnswer>;

export const runDetailsAnswer = z.strictObject({
  status: success,
  run: runAnswer.describe('The run'),
  changes: z.array(changeAnswer).describe('A page of the changes of the run'),
  next_page: wholeNumber.nullable().describe('Number of the next page; null on the last page'),
});
export type RunDetailsAnswer = z.infer<typeof runDetailsAnswer>;

export const undoAnswer = z.strictObject({
  status: success,
  run_id: z.string().describe('The run that was undone'),
  undone: wholeNumber.describe('Number of changes that were undone'),
  skipped: wholeNumber.describe(
    'Number of changes that were not undone, because they were undone before or the data was changed since',
  ),
});
export type UndoAnswer = z.infer<typeof undoAnswer>;

export const restoreAnswer = z.strictObject({
  status: success,
  restored: z.array(z.string()).describe('Ids of the restored memories'),
  unknown: z.array(z.string()).describe('Ids that are not in the bin'),
});
export type RestoreAnswer = z.infer<typeof restoreAnswer>;

const binned = z.strictObject({
  id: z.string().describe('Id of the memory'),
  content: z.string().describe('Content of the memory'),
  deleted_at: instant.describe('When the memory was deleted, ISO 8601 in UTC'),
  reason: z.string().describe('Why the memory was deleted'),
});

export const binAnswer = z.strictObject({
  status: success,
  memories: z.array(binned).describe('Last deleted first'),
});
export type BinAnswer = z.infer<typeof binAnswer>;

const proposal = z.strictObject({
  id: z.string().describe('Id of the proposal'),
  kind: z
    .enum(['duplicate', 'replaced'])
    .describe('duplicate: the two memories say nearly the same; replaced: the newer memory corrects the older one'),
  older_id: z.string().describe('Id of the older memory'),
  newer_id: z.string().describe('Id of the newer memory, which would replace the older one'),
  reason: z.string().describe('The reason in words'),
  numbers: z.record(z.string(), z.number()).describe('The values that led to the proposal, by name'),
  state: z
    .enum(['open', 'accepted', 'dismissed'])
    .describe('Whether the proposal was accepted or dismissed, or still waits for an answer'),
});
type ProposalAnswer = z.infer<typeof proposal>;

const said = z.string().nullable().describe('The beginning of the content; null if the memory no longer exists');
const openProposal = proposal.extend({ older_content: said, newer_content: said });

export const proposalsAnswer = z.strictObject({
  status: success,
  proposals: z.array(openProposal).describe('The proposals that wait for an answer'),
});
export type ProposalsAnswer = z.infer<typeof proposalsAnswer>;
export const settledProposalAnswer = z.strictObject({
  status: success,
  proposal: proposal.describe('The proposal in its present state'),
});
export type SettledProposalAnswer = z.infer<typeof settledProposalAnswer>;

/** Maximum number of characters shown of each memory, enough to distinguish two memories. */
const CONTENT_SHOWN_MAX = 300;

export function renderConsolidation(mode: ConsolidationMode, reports: readonly TaskReport[]): ConsolidateAnswer {
  const [first] = reports;
  if (mode !== 'full' && first) return { status: 'success', consolidation: renderTask(first) };
  const consolidation = Object.fromEntries(reports.map(report => [report.task, renderTask(report)]));
  return { status: 'success', consolidation: consolidation as Record<ConsolidationTask, TaskAnswer> };
}

function renderTask({ task, count, durationSeconds, runId, stopped, changeCount, changes }: TaskReport): TaskAnswer {
  return {
    [TASK_COUNTERS[task]]: count,
    duration_seconds: durationSeconds,
    ...(runId !== undefined && { run_id: runId }),
    ...(stopped !== undefined && { stopped }),
    change_count: changeCount,
    changes: changes.map(renderChange),
  };
}

function renderChange(change: Change): ChangeAnswer {
  const { kind, reason } = change;
  const numbers = rounded(change.numbers);
  switch (change.kind) {
    case 'relevance': {
      const before = change.before === null ? null : roundScore(change.before);
      return { kind: 'relevance', memory_ids: [change.id], reason, numbers, before, after: roundScore(change.after) };
    }
    case 'link':
      return { kind: 'link', memory_ids: [change.relation.from, change.relation.to], reason, numbers };
    case 'summary': {
      const group = change.after ?? change.before;
      const text = group?.content ?? '';
      return { kind: 'summary', memory_ids: [...(group?.memberIds ?? [])], reason, numbers, text };
    }
    case 'proposal':
      return { kind: 'proposal', memory_ids: [change.proposal.olderId, change.proposal.newerId], reason, numbers };
    default:
      return { kind, memory_ids: [change.id], reason, numbers } as ChangeAnswer;
  }
}

function rounded(numbers: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, roundScore(value)]));
}

function renderRun(run: RunRecord): RunAnswer {
  return {
    run_id: run.id,
    task: run.task,
    timestamp: run.timestamp,
    duration_seconds: run.durationSeconds,
    [TASK_COUNTERS[run.task]]: run.count,
    state: run.state,
    change_count: run.changeCount,
    ...(run.problem !== undefined && { problem: run.problem }),
    ...(run.undoneAt !== undefined && { undone_at: run.undoneAt }),
  };
}

/** Removes the internal error message of a failed run, because callers read the status without an admin token. */
function withoutFault({ problem, ...run }: RunRecord): RunRecord {
  return run.state === 'failed' || problem === undefined ? run : { ...run, problem };
}

export function renderConsolidationStatus(status: ConsolidationStatus): ConsolidationStatusAnswer {
  return {
    status: 'success',
    next_runs: status.nextRuns,
    history: status.history.map(run => renderRun(withoutFault(run))),
    thread_alive: status.isAlive,
    tick_seconds: status.tickSeconds,
    proposals: status.openProposals,
    binned: status.binnedCount,
  };
}

export function renderRunDetails({ run, changes, nextPage }: RunDetails): RunDetailsAnswer {
  return { status: 'success', run: renderRun(run), changes: changes.map(renderChange), next_page: nextPage };
}

export function renderUndo({ runId, undone, skipped }: UndoReport): UndoAnswer {
  return { status: 'success', run_id: runId, undone, skipped };
}

export function renderBin(memories: readonly BinnedMemory[]): BinAnswer {
  const shown = memories.map(({ id, content, deletedAt, reason }) => ({ id, content, deleted_at: deletedAt, reason }));
  return { status: 'success', memories: shown };
}

export function renderRestore({ restoredIds, unknownIds }: RestoreReport): RestoreAnswer {
  return { status: 'success', restored: [...restoredIds], unknown: [...unknownIds] };
}

export function renderProposals(proposals: readonly OpenProposal[]): ProposalsAnswer {
  const shown = proposals.map(proposal => ({
    ...renderProposal(proposal),
    older_content: beginningOrNull(proposal.olderContent),
    newer_content: beginningOrNull(proposal.newerContent),
  }));
  return { status: 'success', proposals: shown };
}

function beginningOrNull(content: string | null): string | null {
  return content === null ? null : beginningOf(content, CONTENT_SHOWN_MAX);
}

export function renderSettledProposal(proposal: StoredProposal): SettledProposalAnswer {
  return { status: 'success', proposal: renderProposal(proposal) };
}

function renderProposal({ id, kind, olderId, newerId, reason, numbers, state }: StoredProposal): ProposalAnswer {
  return { id, kind, older_id: olderId, newer_id: newerId, reason, numbers: rounded(numbers), state };
}

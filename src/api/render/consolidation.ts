/** Renders consolidation. */
import {
  type BinnedMemory,
  type Change,
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
} from '../../domain/consolidation.js';
import { beginningOf } from '../../domain/text/length.js';
import type {
  BinAnswer,
  ChangeAnswer,
  ConsolidateAnswer,
  ConsolidationStatusAnswer,
  ProposalAnswer,
  ProposalsAnswer,
  RestoreAnswer,
  RunAnswer,
  RunDetailsAnswer,
  SettledProposalAnswer,
  TaskAnswer,
  UndoAnswer,
} from '../answers/consolidation.js';
import { roundScore } from './numbers.js';

const success = 'success' as const;
/** Maximum number of characters shown of each memory, enough to distinguish two memories. */
const CONTENT_SHOWN_MAX = 300;

export function renderConsolidation(mode: ConsolidationMode, reports: readonly TaskReport[]): ConsolidateAnswer {
  const [first] = reports;
  if (mode !== 'full' && first) return { status: success, consolidation: renderTask(first) };
  const consolidation = Object.fromEntries(reports.map(report => [report.task, renderTask(report)]));
  return { status: success, consolidation: consolidation as Record<ConsolidationTask, TaskAnswer> };
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
    status: success,
    next_runs: status.nextRuns,
    history: status.history.map(run => renderRun(withoutFault(run))),
    thread_alive: status.isAlive,
    tick_seconds: status.tickSeconds,
    proposals: status.openProposals,
    binned: status.binnedCount,
  };
}

export function renderRunDetails({ run, changes, nextPage }: RunDetails): RunDetailsAnswer {
  return { status: success, run: renderRun(run), changes: changes.map(renderChange), next_page: nextPage };
}

export function renderUndo({ runId, undone, skipped }: UndoReport): UndoAnswer {
  return { status: success, run_id: runId, undone, skipped };
}

export function renderBin(memories: readonly BinnedMemory[]): BinAnswer {
  const shown = memories.map(({ id, content, deletedAt, reason }) => ({ id, content, deleted_at: deletedAt, reason }));
  return { status: success, memories: shown };
}

export function renderRestore({ restoredIds, unknownIds }: RestoreReport): RestoreAnswer {
  return { status: success, restored: [...restoredIds], unknown: [...unknownIds] };
}

export function renderProposals(proposals: readonly OpenProposal[]): ProposalsAnswer {
  const shown = proposals.map(proposal => ({
    ...renderProposal(proposal),
    older_content: beginningOrNull(proposal.olderContent),
    newer_content: beginningOrNull(proposal.newerContent),
  }));
  return { status: success, proposals: shown };
}

function beginningOrNull(content: string | null): string | null {
  return content === null ? null : beginningOf(content, CONTENT_SHOWN_MAX);
}

export function renderSettledProposal(proposal: StoredProposal): SettledProposalAnswer {
  return { status: success, proposal: renderProposal(proposal) };
}

function renderProposal({ id, kind, olderId, newerId, reason, numbers, state }: StoredProposal): ProposalAnswer {
  return { id, kind, older_id: olderId, newer_id: newerId, reason, numbers: rounded(numbers), state };
}

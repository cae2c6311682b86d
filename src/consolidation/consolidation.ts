/** The interface of consolidation for the engine: runs and their changes, undoing a run, the bin, and proposals. */
import {
  type BinnedMemory,
  CONSOLIDATION_TASKS,
  type ConsolidationRequest,
  type ConsolidationStatus,
  type OpenProposal,
  type ProposalAction,
  type RestoreReport,
  type RunDetails,
  type RunRecord,
  type StoredProposal,
  type TaskReport,
  type UndoReport,
} from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import { toIso } from '../domain/time.js';
import { underLease } from '../stores/under-lease.js';
import { undoRun } from './apply.js';
import { listBinned, readPage, restoreFromBin } from './journal.js';
import { countOpenProposals, openProposals, settleProposal } from './proposals.js';
import type { RunParts } from './run.js';
import { type LastRuns, listRuns, readRun, runNode } from './run-records.js';
import { nextRunMs, type RunsParts, startRuns } from './runs.js';

export interface Consolidation {
  /**
   * Runs the tasks of a mode, one after the other.
   *
   * @throws MemoryError `conflict` while another run is in progress, in this process or another
   */
  run(request: ConsolidationRequest): Promise<TaskReport[]>;
  status(): Promise<ConsolidationStatus>;
  /** @throws MemoryError `not_found` */
  details(runId: string, page: number): Promise<RunDetails>;
  /**
   * @throws MemoryError `not_found`, or `conflict` while another run is in progress or when the list of the run's
   * changes no longer exists
   */
  undo(runId: string): Promise<UndoReport>;
  /** Memories that can be restored, most recently deleted first. */
  binned(limit: number): Promise<BinnedMemory[]>;
  /**
   * @throws MemoryError `conflict` when an id now belongs to other content, or a run is in progress; then nothing is
   * restored
   */
  restore(ids: readonly string[]): Promise<RestoreReport>;
  proposals(limit: number): Promise<OpenProposal[]>;
  countOpenProposals(): Promise<number>;
  /**
   * @throws MemoryError in the same cases as `settleProposal` in `proposals.ts`, and `conflict` while another request
   * settles the proposal
   */
  settleProposal(id: string, action: ProposalAction): Promise<StoredProposal>;
  /** Problems of the last run of each task; empty when all these runs succeeded. */
  problems(): readonly string[];
  stop(): Promise<void>;
}

/** @internal */
export interface ConsolidationParts extends RunsParts {
  /**
   * Called when restored memories may wait to be embedded. `count` is the number of restored memories or, after undoing
   * a run, the number of undone changes.
   */
  onRestored(count: number): void;
}

/** @internal */
export function startConsolidation(parts: ConsolidationParts): Consolidation {
  const { graph, clock, settings } = parts;
  const runs = startRuns(parts);

  const runOf = async (runId: string): Promise<RunRecord> => {
    const node = await graph.getNode('ConsolidationRun', runId);
    const found = node && readRun(node);
    if (!found) throw new MemoryError('not_found', `There is no run ${runId}`);
    return found;
  };

  return {
    run: runs.run,
    status: async () => ({
      nextRuns: nextRuns(await runs.lastRuns(), settings),
      history: await listRuns(graph, settings.historyLimit),
      isAlive: runs.isAlive,
      tickSeconds: settings.tickSeconds,
      openProposals: await countOpenProposals(graph),
      binnedCount: await graph.countNodes('DeletedMemory'),
    }),
    details: async (runId, page) => {
      const found = await runOf(runId);
      const changes = (await readPage(graph, runId, page)) ?? [];
      const isLast = (await readPage(graph, runId, page + 1)) === undefined;
      return { run: found, changes, nextPage: isLast ? null : page + 1 };
    },
    undo: runId =>
      runs.alone(async onPage => {
        const found = await runOf(runId);
        const nowMs = clock.nowMs();
        const report = await undoRun(parts, { ...found, nowMs }, onPage);
        await graph.saveNode(runNode({ ...found, undoneAt: toIso(nowMs) }));
        parts.onRestored(report.undone);
        return report;
      }),
    binned: limit => listBinned(graph, limit),
    // Restore never runs during a run of forget, which copies a memory into the bin and then deletes it. A restore
    // between these two steps would lose the memory.
    restore: ids =>
      runs.alone(async () => {
        // Restoring a memory counts as an access, because otherwise the next run of forget would delete the memory
        // again.
        const report = await restoreFromBin(parts, ids, clock.nowMs());
        parts.onRestored(report.restoredIds.length);
        return report;
      }),
    proposals: limit => openProposals(graph, limit),
    countOpenProposals: () => countOpenProposals(graph),
    settleProposal: async (id, action) => {
      const lease = { graph, clock, newHolder: parts.newId, isStopping: () => false };
      const settle = async () => settleProposal(parts, { id, action, nowMs: clock.nowMs() });
      const settled = await underLease(lease, settle, {
        name: `proposal ${id}`,
        lost: 'Another process has answered the proposal',
      });
      if (!settled) throw new MemoryError('conflict', 'Another request is answering this proposal right now');
      return settled;
    },
    problems: runs.problems,
    stop: runs.stop,
  };
}

function nextRuns(last: LastRuns, settings: RunParts['settings']): ConsolidationStatus['nextRuns'] {
  const entries = CONSOLIDATION_TASKS.map(task => {
    const nextMs = nextRunMs(task, last, settings);
    return [task, nextMs === null ? null : toIso(nextMs)] as const;
  });
  return Object.fromEntries(entries) as ConsolidationStatus['nextRuns'];
}

/** Consolidation as the engine sees it: runs by schedule and on request, one at a time across processes. */
import {
  type BinnedMemory,
  CONSOLIDATION_TASKS,
  type ConsolidationRequest,
  type ConsolidationStatus,
  type ConsolidationTask,
  type RestoreReport,
  type RunDetails,
  type RunRecord,
  type StoredProposal,
  type TaskReport,
  type UndoReport,
} from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import { toIso } from '../domain/time.js';
import { assertGoingOn, type LeaseName, underLease } from '../stores/under-lease.js';
import { countBinned, emptyBin, listBinned, restoreFromBin } from './bin.js';
import { readPage, removePages } from './change-list.js';
import { countOpenProposals, openProposals, settleProposal } from './proposals.js';
import { type RunParts, runTask } from './run.js';
import { type LastRuns, listRuns, readLastRuns, readRun, runNode, saveLastRuns } from './run-records.js';
import { nextRunMs, startScheduler } from './schedule.js';
import { undoRun } from './undo.js';

export interface Consolidation {
  /**
   * The tasks of a mode, one after the other.
   *
   * @throws MemoryError `conflict` while a run is going on, here or in another process
   */
  run(request: ConsolidationRequest): Promise<TaskReport[]>;
  status(): Promise<ConsolidationStatus>;
  /** @throws MemoryError `not_found` */
  details(runId: string, page: number): Promise<RunDetails>;
  /** @throws MemoryError `not_found`, `conflict` while a run is going on */
  undo(runId: string): Promise<UndoReport>;
  /** What can be restored, deleted last first. */
  binned(limit: number): Promise<BinnedMemory[]>;
  restore(ids: readonly string[]): Promise<RestoreReport>;
  proposals(limit: number): Promise<StoredProposal[]>;
  countOpenProposals(): Promise<number>;
  settleProposal(id: string, accepts: boolean): Promise<StoredProposal>;
  /** What the last run of a task says is wrong; empty when all went well. */
  problems(): readonly string[];
  stop(): Promise<void>;
}

export interface ConsolidationParts extends RunParts {
  /** Lets requests in between two pages. */
  letOthersIn(): Promise<void>;
  /** Memories wait to be embedded. */
  onRestored(count: number): void;
  onFailure(task: ConsolidationTask | undefined, error: unknown): void;
}

const LEASE: LeaseName = { name: 'consolidation', lost: 'Another process has taken over consolidation' };
/** Of relevance only, which changes for all memories every day. */
const DECAY_LISTS_KEPT = 2;

export function startConsolidation(parts: ConsolidationParts): Consolidation {
  const { graph, clock, settings } = parts;
  const problems = new Map<ConsolidationTask, string>();
  let isStopping = false;
  const lease = { graph, clock, newHolder: parts.newId, isStopping: () => isStopping };

  const alone = async <Result>(body: (onPage: () => Promise<void>) => Promise<Result>): Promise<Result> => {
    assertGoingOn(lease);
    const done = await underLease(
      lease,
      async prolong => {
        const onPage = async () => {
          await parts.letOthersIn();
          await prolong();
        };
        return { result: await body(onPage) };
      },
      LEASE,
    );
    if (!done) throw new MemoryError('conflict', 'A run of consolidation is going on; try again when it has ended');
    return done.result;
  };

  const saveSchedule = (last: LastRuns) => saveLastRuns(graph, settings.controlNodeId, { last, nowMs: clock.nowMs() });
  const readSchedule = () => readLastRuns(graph, settings.controlNodeId, clock.nowMs());
  const madeSchedule = async () => {
    const { last, isComplete } = await readSchedule();
    if (!isComplete) await saveSchedule(last);
    return last;
  };

  const advance = async (task: ConsolidationTask) => {
    const { last } = await readSchedule();
    await saveSchedule({ ...last, [task]: clock.nowMs() });
  };

  /** A task that was stopped has not been done either. */
  const runOne = async (task: ConsolidationTask, isDryRun: boolean, onPage: () => Promise<void>) => {
    try {
      const report = await runTask(parts, { task, isDryRun, onPage });
      if (isDryRun) return report;
      if (report.stopped === undefined) {
        problems.delete(task);
        await advance(task);
      } else problems.set(task, `The last run of ${task} was stopped: ${report.stopped}`);
      await tidy(parts);
      return report;
    } catch (error) {
      if (!isDryRun && !isStopping) problems.set(task, `The last run of ${task} failed`);
      throw error;
    }
  };

  const run = async ({ mode, isDryRun }: ConsolidationRequest): Promise<TaskReport[]> => {
    const tasks = mode === 'full' ? CONSOLIDATION_TASKS : [mode];
    return alone(async onPage => {
      const reports: TaskReport[] = [];
      for (const task of tasks) reports.push(await runOne(task, isDryRun, onPage));
      return reports;
    });
  };

  const scheduler = startScheduler({
    clock,
    settings,
    lastRuns: madeSchedule,
    run: async task => {
      const [report] = await run({ mode: task, isDryRun: false });
      if (report?.stopped !== undefined) throw new MemoryError('conflict', report.stopped);
    },
    onFailure: parts.onFailure,
  });

  const runOf = async (runId: string): Promise<RunRecord> => {
    const node = await graph.getNode('ConsolidationRun', runId);
    const found = node && readRun(node);
    if (!found) throw new MemoryError('not_found', `There is no run ${runId}`);
    return found;
  };

  return {
    run,
    status: async () => ({
      nextRuns: nextRuns((await readSchedule()).last, settings),
      history: await listRuns(graph, settings.historyLimit),
      isAlive: scheduler.isAlive,
      tickSeconds: settings.tickSeconds,
      openProposals: await countOpenProposals(graph),
      binnedCount: await countBinned(graph),
    }),
    details: async (runId, page) => {
      const found = await runOf(runId);
      const changes = (await readPage(graph, runId, page)) ?? [];
      const isLast = (await readPage(graph, runId, page + 1)) === undefined;
      return { run: found, changes, nextPage: isLast ? null : page + 1 };
    },
    undo: runId =>
      alone(async onPage => {
        const found = await runOf(runId);
        const report = await undoRun(parts, found, onPage);
        await graph.saveNode(runNode({ ...found, undoneAt: toIso(clock.nowMs()) }));
        parts.onRestored(report.undone);
        return report;
      }),
    binned: limit => listBinned(graph, limit),
    restore: async ids => {
      const report = await restoreFromBin(parts, ids);
      parts.onRestored(report.restoredIds.length);
      return report;
    },
    proposals: async limit => {
      const found: StoredProposal[] = [];
      for await (const proposal of openProposals(graph)) {
        if (found.push(proposal) >= limit) break;
      }
      return found;
    },
    countOpenProposals: () => countOpenProposals(graph),
    settleProposal: (id, accepts) => settleProposal(parts, { id, accepts, nowMs: clock.nowMs() }),
    problems: () => [...problems.values()],
    stop: async () => {
      isStopping = true;
      await scheduler.stop();
    },
  };
}

function nextRuns(last: LastRuns, settings: RunParts['settings']): ConsolidationStatus['nextRuns'] {
  const entries = CONSOLIDATION_TASKS.map(task => {
    const nextMs = nextRunMs(task, last, settings);
    return [task, nextMs === null ? null : toIso(nextMs)] as const;
  });
  return Object.fromEntries(entries) as ConsolidationStatus['nextRuns'];
}

/** Forgets runs beyond the history with their lists, the lists of all but the latest decays, and what the bin has kept long enough. */
async function tidy({ graph, settings, clock }: ConsolidationParts): Promise<void> {
  const runs = await listRuns(graph, settings.historyLimit * 2 + 1);
  const decays = runs.filter(({ task }) => task === 'decay').slice(DECAY_LISTS_KEPT);
  const old = runs.slice(settings.historyLimit);
  for (const { id } of new Set([...decays, ...old])) await removePages(graph, id);
  await graph.deleteNodes(
    'ConsolidationRun',
    old.map(({ id }) => id),
  );
  await emptyBin(graph, settings.binDays, clock.nowMs());
}

/** Runs one task once: plans page by page, lists the changes, carries them out, and records the run. */
import type { Change, ConsolidationTask, RunRecord, TaskReport } from '../domain/consolidation.js';
import { messageOf } from '../domain/errors.js';
import type { ConsolidationSettings } from '../domain/settings.js';
import { type Clock, toIso } from '../domain/time.js';
import type { VectorStore } from '../stores/vector-store.js';
import { applyChanges } from './apply.js';
import { type JournalParts, savePage } from './journal.js';
import type { PlanContext, PlannedPage, WordGroup } from './planner.js';
import { runNode } from './run-records.js';
import { planCluster } from './tasks/cluster.js';
import { planCreative } from './tasks/creative.js';
import { planDecay } from './tasks/decay.js';
import { planForget, stillDue } from './tasks/forget.js';

const PLANNERS = { decay: planDecay, creative: planCreative, cluster: planCluster, forget: planForget };

export interface RunParts extends JournalParts {
  vectors: Pick<VectorStore, 'vectorsOf' | 'search'>;
  models: readonly string[];
  judge: PlanContext['judge'];
  settings: ConsolidationSettings;
  clock: Clock;
  random(): number;
  newId(): string;
  wordGroup?: WordGroup;
}

export interface RunRequest {
  task: ConsolidationTask;
  isDryRun: boolean;
  onPage(): Promise<void>;
}

/** Maximum number of changes in a report. */
const SHOWN_MAX = 100;

/**
 * Runs a task. A failed run is recorded as failed, with the number of changes that it had begun.
 *
 * @throws the error that made the run fail
 */
export async function runTask(parts: RunParts, { task, isDryRun, onPage }: RunRequest): Promise<TaskReport> {
  const { clock, graph } = parts;
  const nowMs = clock.nowMs();
  const startedMs = clock.elapsedMs();
  const id = parts.newId();
  const done = { count: 0, changeCount: 0 };
  const secondsSinceStart = () => (clock.elapsedMs() - startedMs) / 1000;
  const save = async (state: RunRecord['state'], problem?: string) => {
    if (isDryRun) return;
    const run = { id, task, state, timestamp: toIso(nowMs), durationSeconds: secondsSinceStart(), ...done };
    await graph.saveNode(runNode({ ...run, ...(problem !== undefined && { problem }) }));
  };
  const reported = (changes: readonly Change[]) => ({
    task,
    ...(!isDryRun && { runId: id }),
    ...{ ...done, durationSeconds: secondsSinceStart(), changes: changes.slice(0, SHOWN_MAX) },
  });
  await save('running');
  try {
    // A dry run asks no language model, because it must not cost anything.
    const wordGroup = isDryRun ? undefined : parts.wordGroup;
    const planned = PLANNERS[task]({ ...parts, runId: id, nowMs, wordGroup, onPage });
    const { pages, excess } = task === 'forget' ? await withinShare(parts, planned) : { pages: planned };
    const shown: Change[] = [];
    let page = 0;
    for await (const { changes, count } of pages) {
      if (!isDryRun && changes.length > 0) {
        // Planning may take long. If another process has taken over consolidation meanwhile, `onPage` rejects, so that
        // this process writes nothing.
        await onPage();
        await savePage(graph, { runId: id, page: page++, changes, at: toIso(nowMs) });
      }
      done.count += count;
      done.changeCount += changes.length;
      shown.push(...changes.slice(0, SHOWN_MAX - shown.length));
      if (isDryRun || changes.length === 0) continue;
      // The record of an interrupted run shows the changes that the run had begun.
      await save('running');
      await applyChanges(parts, { runId: id, nowMs }, changes);
    }
    await save(excess ? 'stopped' : 'done', excess?.problem);
    if (!excess) return reported(shown);
    return { ...reported(excess.changes), changeCount: excess.changeCount, stopped: excess.problem };
  } catch (error) {
    await save('failed', messageOf(error)).catch(() => undefined);
    throw error;
  }
}

interface LimitedPlan {
  pages: AsyncIterable<PlannedPage>;
  /** Describes a plan that changes too much. Its `pages` are empty. */
  excess?: { problem: string; changeCount: number; changes: readonly Change[] };
}

/** Reads a plan to its end, so that a run that would remove too many memories removes none. */
async function withinShare(
  { graph, settings: { maxChangeShare } }: RunParts,
  planned: AsyncIterable<PlannedPage>,
): Promise<LimitedPlan> {
  const memoryCount = await graph.countMemories();
  const most = maxChangeShare === 0 ? 0 : Math.max(1, Math.floor(memoryCount * maxChangeShare));
  const pages: PlannedPage[] = [];
  let changeCount = 0;
  for await (const page of planned) {
    // Of a plan that changes too much, only the first changes are kept, which are shown.
    if (changeCount <= Math.max(most, SHOWN_MAX)) pages.push(page);
    changeCount += page.changes.length;
  }
  if (changeCount <= most) return { pages: stillDue(graph, pages) };
  const problem = `${changeCount} of ${memoryCount} memories would be archived or deleted, but CONSOLIDATION_MAX_CHANGE_SHARE allows only ${most}; nothing was changed`;
  const excess = { problem, changeCount, changes: pages.flatMap(({ changes }) => changes) };
  return { pages: stillDue(graph, []), excess };
}

/** One run of one task: planned page by page, listed, carried out, recorded. */
import type { Change, ConsolidationTask, RunRecord, TaskReport } from '../domain/consolidation.js';
import { messageOf } from '../domain/errors.js';
import type { ConsolidationSettings } from '../domain/settings.js';
import { type Clock, toIso } from '../domain/time.js';
import type { VectorStore } from '../stores/vector-store.js';
import { type ApplyParts, applyChanges } from './apply.js';
import { savePage } from './change-list.js';
import type { PlannedPage, WordGroup } from './planner.js';
import { runNode } from './run-records.js';
import { planCluster } from './tasks/cluster.js';
import { planCreative } from './tasks/creative.js';
import { planDecay } from './tasks/decay.js';
import { planForget } from './tasks/forget.js';

const PLANNERS = { decay: planDecay, creative: planCreative, cluster: planCluster, forget: planForget };

export interface RunParts extends ApplyParts {
  vectors: Pick<VectorStore, 'vectorsOf' | 'search'>;
  models: readonly string[];
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

/** Changes that a report shows. */
const SHOWN_MAX = 100;

/**
 * A run that fails is recorded as failed, with the changes it had made by then.
 *
 * @throws whatever made it fail
 */
export async function runTask(parts: RunParts, { task, isDryRun, onPage }: RunRequest): Promise<TaskReport> {
  const { clock, graph } = parts;
  const nowMs = clock.nowMs();
  const startedMs = clock.elapsedMs();
  const id = parts.newId();
  const tally = createTally();
  const record = (ended: Pick<RunRecord, 'state' | 'problem'>): RunRecord => ({
    id,
    task,
    timestamp: toIso(nowMs),
    durationSeconds: (clock.elapsedMs() - startedMs) / 1000,
    count: tally.count,
    changeCount: tally.changeCount,
    ...ended,
  });
  const save = async (run: RunRecord) => {
    if (!isDryRun) await graph.saveNode(runNode(run));
  };
  await save(record({ state: 'running' }));
  try {
    // A dry run costs nothing.
    const wordGroup = isDryRun ? undefined : parts.wordGroup;
    const pages = PLANNERS[task]({ ...parts, runId: id, nowMs, wordGroup, onPage });
    const carryOut = isDryRun ? async () => {} : carryingOut(parts, { runId: id, nowMs, onPage });
    const stopped = task === 'forget' ? await runWhole(parts, { pages, carryOut, tally }) : undefined;
    if (task !== 'forget') await runPageByPage({ pages, carryOut, tally });
    const ended = record({
      state: stopped === undefined ? 'done' : 'stopped',
      ...(stopped !== undefined && { problem: stopped }),
    });
    await save(ended);
    const { count, changeCount, durationSeconds } = ended;
    const { shown } = tally;
    return {
      task,
      ...(!isDryRun && { runId: id }),
      ...{ count, changeCount, durationSeconds, changes: shown },
      ...(stopped !== undefined && { stopped }),
    };
  } catch (error) {
    await save(record({ state: 'failed', problem: messageOf(error) })).catch(() => undefined);
    throw error;
  }
}

interface Tally {
  count: number;
  changeCount: number;
  shown: Change[];
  add(page: PlannedPage): void;
}

function createTally(): Tally {
  const tally: Tally = {
    count: 0,
    changeCount: 0,
    shown: [],
    add: ({ changes, count }) => {
      tally.count += count;
      tally.changeCount += changes.length;
      tally.shown.push(...changes.slice(0, SHOWN_MAX - tally.shown.length));
    },
  };
  return tally;
}

type CarryOut = (changes: readonly Change[]) => Promise<void>;

/** Listed first: what a crash cuts off can be taken back. */
function carryingOut(
  parts: RunParts,
  { onPage, ...run }: { runId: string; nowMs: number } & Pick<RunRequest, 'onPage'>,
): CarryOut {
  let page = 0;
  return async changes => {
    if (changes.length === 0) return;
    // Planning may have taken long: nothing is written by a run that another process has taken over.
    await onPage();
    await savePage(parts.graph, { runId: run.runId, page, changes, at: toIso(run.nowMs) });
    page += 1;
    await applyChanges(parts, run, changes);
  };
}

interface Running {
  pages: AsyncIterable<PlannedPage>;
  carryOut: CarryOut;
  tally: Tally;
}

async function runPageByPage({ pages, carryOut, tally }: Running): Promise<void> {
  for await (const page of pages) {
    await carryOut(page.changes);
    tally.add(page);
  }
}

/**
 * Carries nothing out before all is planned: a run that would take too many memories away takes none.
 *
 * @returns why it was stopped
 */
async function runWhole(parts: RunParts, { pages, carryOut, tally }: Running): Promise<string | undefined> {
  const memoryCount = await parts.graph.countMemories();
  const { maxChangeShare } = parts.settings;
  const most = Math.max(1, Math.floor(memoryCount * maxChangeShare));
  const planned: (readonly Change[])[] = [];
  for await (const page of pages) {
    // Beyond what may be carried out, they are only counted.
    if (tally.changeCount + page.changes.length <= most) planned.push(page.changes);
    tally.add(page);
  }
  if (tally.changeCount > most) {
    const count = tally.count;
    tally.count = 0;
    return `${count} of ${memoryCount} memories would be archived or deleted, and CONSOLIDATION_MAX_CHANGE_SHARE allows ${most}; nothing was changed`;
  }
  for (const changes of planned) await carryOut(changes);
  return undefined;
}

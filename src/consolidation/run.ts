/** Runs one task once: plans page by page, lists the changes, carries them out, and records the run. */
import type { Change, ConsolidationTask, RunRecord, TaskReport } from '../domain/consolidation.js';
import { messageOf } from '../domain/errors.js';
import type { ConsolidationSettings } from '../domain/settings.js';
import { type Clock, toIso } from '../domain/time.js';
import type { VectorStore } from '../stores/vector-store.js';
import { applyChanges, type RunIdentity } from './apply.js';
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
  const tally = createTally();
  const record = (as: Pick<RunRecord, 'state' | 'problem'>): RunRecord => ({
    id,
    task,
    timestamp: toIso(nowMs),
    durationSeconds: (clock.elapsedMs() - startedMs) / 1000,
    count: tally.count,
    changeCount: as.state === 'stopped' ? 0 : tally.changeCount,
    ...as,
  });
  const save = async (run: RunRecord) => {
    if (!isDryRun) await graph.saveNode(runNode(run));
  };
  await save(record({ state: 'running' }));
  try {
    // A dry run asks no language model, because it must not cost anything.
    const wordGroup = isDryRun ? undefined : parts.wordGroup;
    const pages = PLANNERS[task]({ ...parts, runId: id, nowMs, wordGroup, onPage });
    const onListed = async (page: PlannedPage) => {
      tally.add(page);
      // The run is recorded now, so that the record of an interrupted run shows the changes that the run had begun.
      if (page.changes.length > 0) await save(record({ state: 'running' }));
    };
    const carryOut = isDryRun ? onListed : carryingOut(parts, { runId: id, nowMs, onPage, onListed });
    const stopped = task === 'forget' ? await runWhole(parts, { pages, carryOut, tally }) : undefined;
    if (task !== 'forget') for await (const page of pages) await carryOut(page);
    const ended = record({
      state: stopped === undefined ? 'done' : 'stopped',
      ...(stopped !== undefined && { problem: stopped }),
    });
    await save(ended);
    const { count, durationSeconds } = ended;
    const { shown, changeCount } = tally;
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

type CarryOut = (page: PlannedPage) => Promise<void>;

interface CarryingOut extends RunIdentity, Pick<RunRequest, 'onPage'> {
  /** Called when the changes of a page have been listed, before they are carried out. */
  onListed: CarryOut;
}

/** Lists changes before carrying them out, so that an interrupted run can be undone. */
function carryingOut(parts: RunParts, { runId, nowMs, onPage, onListed }: CarryingOut): CarryOut {
  let page = 0;
  return async planned => {
    const { changes } = planned;
    if (changes.length === 0) return onListed(planned);
    // Planning may take long. If another process has taken over consolidation meanwhile, `onPage` rejects, so that this
    // process writes nothing.
    await onPage();
    await savePage(parts.graph, { runId, page, changes, at: toIso(nowMs) });
    page += 1;
    await onListed(planned);
    await applyChanges(parts, { runId, nowMs }, changes);
  };
}

interface Running {
  pages: AsyncIterable<PlannedPage>;
  carryOut: CarryOut;
  tally: Tally;
}

/**
 * Plans all changes before carrying them out, so that a run that would remove too many memories removes none.
 *
 * @returns the reason if the run was stopped, and otherwise undefined
 */
async function runWhole(parts: RunParts, { pages, carryOut, tally }: Running): Promise<string | undefined> {
  const memoryCount = await parts.graph.countMemories();
  const { maxChangeShare } = parts.settings;
  const most = maxChangeShare === 0 ? 0 : Math.max(1, Math.floor(memoryCount * maxChangeShare));
  const planned: PlannedPage[] = [];
  const all = createTally();
  for await (const page of pages) {
    all.add(page);
    // Changes beyond the limit are only counted.
    if (all.changeCount <= most) planned.push(page);
  }
  const { changeCount, shown } = all;
  if (changeCount > most) {
    Object.assign(tally, { changeCount, shown });
    return `${changeCount} of ${memoryCount} memories would be archived or deleted, but CONSOLIDATION_MAX_CHANGE_SHARE allows only ${most}; nothing was changed`;
  }
  for (const page of planned) await carryOut(await stillDue(parts.graph, page));
  return undefined;
}

/** Stores runs in nodes ConsolidationRun, and schedules in nodes ConsolidationControl. */
import {
  type Change,
  CONSOLIDATION_TASKS,
  type ConsolidationTask,
  type RunRecord,
  type RunState,
  TASK_COUNTERS,
} from '../domain/consolidation.js';
import { parseIso, toIso } from '../domain/time.js';
import { nodePages } from '../stores/pages.js';
import type { AuxiliaryNode, NodeStore } from '../stores/ports/node-store.js';
import { readPage } from './journal.js';
import type { PlanContext } from './planner.js';

const STATES: ReadonlySet<string> = new Set<RunState>(['running', 'done', 'failed', 'stopped']);

export function runNode(run: RunRecord): AuxiliaryNode {
  return {
    kind: 'ConsolidationRun',
    id: run.id,
    properties: {
      task: run.task,
      timestamp: run.timestamp,
      duration_seconds: run.durationSeconds,
      [TASK_COUNTERS[run.task]]: run.count,
      state: run.state,
      change_count: run.changeCount,
      ...(run.problem !== undefined && { problem: run.problem }),
      ...(run.undoneAt !== undefined && { undone_at: run.undoneAt }),
    },
    // The history is ordered by `updated_at`, so the start time is stored here.
    updated_at: run.timestamp,
  };
}

/** @returns undefined for a node in a different format, which another program wrote */
export function readRun({ id, properties }: AuxiliaryNode): RunRecord | undefined {
  const task = CONSOLIDATION_TASKS.find(name => name === properties.task);
  const { timestamp, state, problem, undone_at: undoneAt } = properties;
  if (!task || typeof timestamp !== 'string') return undefined;
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  return {
    id,
    task,
    state: typeof state === 'string' && STATES.has(state) ? (state as RunState) : 'done',
    timestamp,
    durationSeconds: number(properties.duration_seconds),
    count: number(properties[TASK_COUNTERS[task]]),
    changeCount: number(properties.change_count),
    ...(typeof problem === 'string' && { problem }),
    ...(typeof undoneAt === 'string' && { undoneAt }),
  };
}

/** Newest first. */
export async function listRuns(graph: Pick<NodeStore, 'listNodes'>, limit: number): Promise<RunRecord[]> {
  return (await graph.listNodes('ConsolidationRun', limit)).flatMap(node => readRun(node) ?? []);
}

/** When each task last succeeded, in Unix milliseconds. */
export type LastRuns = Record<ConsolidationTask, number>;

/**
 * Reads when each task last succeeded. A task without a recorded time counts as done now, so that its first run follows
 * after a whole interval. A time in the future comes from a wrong clock. A task with such a time counts as done now too,
 * because otherwise the task might not be due for years.
 */
export async function readLastRuns(
  graph: Pick<NodeStore, 'getNode'>,
  controlId: string,
  nowMs: number,
): Promise<{ last: LastRuns; isComplete: boolean }> {
  const node = await graph.getNode('ConsolidationControl', controlId);
  const read = (task: ConsolidationTask) => {
    const lastMs = parseIso(String(node?.properties[`${task}_last_run`] ?? ''));
    return lastMs !== undefined && lastMs <= nowMs ? lastMs : undefined;
  };
  const last = Object.fromEntries(CONSOLIDATION_TASKS.map(task => [task, read(task) ?? nowMs])) as LastRuns;
  return { last, isComplete: CONSOLIDATION_TASKS.every(task => read(task) !== undefined) };
}

export async function saveLastRuns(
  graph: Pick<NodeStore, 'saveNode'>,
  controlId: string,
  { last, nowMs }: { last: LastRuns; nowMs: number },
): Promise<void> {
  const times = CONSOLIDATION_TASKS.map(task => [`${task}_last_run`, toIso(last[task])]);
  await graph.saveNode({
    kind: 'ConsolidationControl',
    id: controlId,
    properties: Object.fromEntries(times),
    updated_at: toIso(nowMs),
  });
}

/**
 * Reads the changes of all undone runs of a task.
 *
 * @param afterMs only runs that were undone later than this
 */
export async function* undoneChanges(
  { graph, onPage }: Pick<PlanContext, 'graph' | 'onPage'>,
  { task, afterMs = -Infinity }: { task: ConsolidationTask; afterMs?: number },
): AsyncGenerator<Change> {
  for await (const page of nodePages(graph, 'ConsolidationRun', onPage)) {
    for (const run of page.flatMap(node => readRun(node) ?? [])) {
      if (run.task !== task || run.undoneAt === undefined || Date.parse(run.undoneAt) <= afterMs) continue;
      for (let number = 0; ; number++) {
        const changes = await readPage(graph, run.id, number);
        if (!changes) break;
        yield* changes;
      }
    }
  }
}

/** Reads the changes of undone runs, which later runs must not repeat. */
import type { Change, ConsolidationTask } from '../domain/consolidation.js';
import { readPage } from './change-list.js';
import type { PlanContext } from './planner.js';
import { readRun } from './run-records.js';

const RUNS_AT_ONCE = 100;

/**
 * Reads the changes of all undone runs of a task.
 *
 * @param afterMs only runs that were undone later than this
 */
export async function* undoneChanges(
  { graph, onPage }: Pick<PlanContext, 'graph' | 'onPage'>,
  { task, afterMs = -Infinity }: { task: ConsolidationTask; afterMs?: number },
): AsyncGenerator<Change> {
  for (let afterId: string | undefined; ; ) {
    await onPage();
    const page = { ...(afterId !== undefined && { afterId }), limit: RUNS_AT_ONCE };
    const nodes = await graph.readNodes('ConsolidationRun', page);
    for (const run of nodes.flatMap(node => readRun(node) ?? [])) {
      if (run.task !== task || run.undoneAt === undefined || Date.parse(run.undoneAt) <= afterMs) continue;
      for (let number = 0; ; number++) {
        const changes = await readPage(graph, run.id, number);
        if (!changes) break;
        yield* changes;
      }
    }
    afterId = nodes.at(-1)?.id;
    if (afterId === undefined) return;
  }
}

/** Links that a run made and somebody took back: no later run makes them again. */
import { readPage } from '../change-list.js';
import type { PlanContext } from '../planner.js';
import { readRun } from '../run-records.js';
import { pairOf } from './pairs.js';

const RUNS_AT_ONCE = 100;

/** @returns the pairs of their ends */
export async function linksTakenBack({ graph, onPage }: PlanContext): Promise<Set<string>> {
  const pairs = new Set<string>();
  for (let afterId: string | undefined; ; ) {
    await onPage();
    const page = { ...(afterId !== undefined && { afterId }), limit: RUNS_AT_ONCE };
    const runs = await graph.readNodes('ConsolidationRun', page);
    for (const run of runs.flatMap(node => readRun(node) ?? [])) {
      if (run.task !== 'creative' || run.undoneAt === undefined) continue;
      for (let number = 0; ; number++) {
        const changes = await readPage(graph, run.id, number);
        if (!changes) break;
        for (const change of changes) if (change.kind === 'link') pairs.add(pairOf(change.relation));
      }
    }
    afterId = runs.at(-1)?.id;
    if (afterId === undefined) return pairs;
  }
}

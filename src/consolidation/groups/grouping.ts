/** Collects the nearest memories of each memory, and finds groups of memories in a thread. */
import { on } from 'node:events';
import { startThread } from '../../thread.js';
import type { PlanContext } from '../planner.js';
import { createRows } from '../rows.js';
import type { GroupingData } from './communities.js';
import type { Compared } from './compared.js';
import type { Neighbourhood } from './neighbours.js';

/** Number of nearest memories kept for each memory. */
const NEAREST_KEPT = 20;

export interface Grouping {
  /** Expects neighbourhoods in ascending order of their memory. */
  add(neighbourhood: Neighbourhood): void;
  /** @returns the group of each memory, or -1 for a memory without a group */
  find(): Promise<Int32Array>;
}

/** Keeps a hundred and sixty bytes for each memory. */
export function createGrouping(context: PlanContext, { ids, traits, weights, frequencies }: Compared): Grouping {
  const nearest = createRows();
  const closeness = new Float32Array(ids.length * NEAREST_KEPT);
  let end = 0;
  return {
    add: ({ of, neighbours }) => {
      while (nearest.count < of) nearest.add([]);
      const kept = neighbours
        .filter(each => each.closeness + each.likeness > 0)
        .sort((a, b) => b.closeness + b.likeness - (a.closeness + a.likeness) || a.to - b.to)
        .slice(0, NEAREST_KEPT);
      nearest.add(kept.map(({ to }) => to));
      for (const each of kept) closeness[end++] = each.closeness;
    },
    find: () => {
      while (nearest.count < ids.length) nearest.add([]);
      return findInThread(context, { traits, weights, frequencies, nearest: nearest.finish(), closeness });
    },
  };
}

async function findInThread({ onPage }: PlanContext, workerData: GroupingData): Promise<Int32Array> {
  const thread = startThread(new URL('./thread.js', import.meta.url), workerData);
  try {
    for await (const [groups] of on(thread, 'message')) {
      await onPage();
      if (groups) return groups as Int32Array;
    }
  } finally {
    await thread.terminate();
  }
  throw new Error('The thread ended without groups');
}

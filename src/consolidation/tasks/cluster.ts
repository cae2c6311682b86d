/**
 * The task Cluster finds groups of memories on one subject, and summarises each group. It also proposes pairs of
 * memories that repeat or contradict each other.
 */
import { type Compared, readCompared } from '../groups/compared.js';
import { createGrouping } from '../groups/grouping.js';
import { neighbourPages } from '../groups/neighbours.js';
import type { PlanContext, PlannedPage } from '../planner.js';
import { findProposals, readKnownProposals } from './proposals.js';
import { summaryPages } from './summaries.js';

export async function* planCluster(context: PlanContext): AsyncGenerator<PlannedPage> {
  const compared = await readCompared(context);
  const grouping = createGrouping(context, compared);
  const known = await readKnownProposals(context);
  for await (const page of neighbourPages(context, compared)) {
    for (const neighbourhood of page) grouping.add(neighbourhood);
    const changes = await findProposals(context, { compared, known }, page);
    if (changes.length > 0) yield { changes, count: 0 };
  }
  yield* summaryPages(context, compared, membersOf(await grouping.find(), compared));
}

/** Returns the ids of the members of each group, in ascending order. The groups are ordered by their first member. */
function membersOf(groupOf: Int32Array, { ids }: Compared): string[][] {
  const members = new Map<number, string[]>();
  for (const [place, group] of groupOf.entries()) {
    if (group < 0) continue;
    const known = members.get(group) ?? [];
    known.push(ids[place] as string);
    members.set(group, known);
  }
  return [...members.values()];
}

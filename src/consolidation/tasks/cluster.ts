/**
 * The task Cluster finds groups of memories on one subject, and summarises each group. It also proposes pairs of
 * memories that repeat or contradict each other.
 */
import { findCommunities } from '../groups/communities.js';
import { type Compared, readCompared } from '../groups/compared.js';
import { createNeighbourGraph } from '../groups/neighbour-graph.js';
import { neighbourPages } from '../groups/neighbours.js';
import { refineGroups } from '../groups/refine.js';
import type { PlanContext, PlannedPage } from '../planner.js';
import { createProposalFinder } from './proposals.js';
import { summaryPages } from './summaries.js';

export async function* planCluster(context: PlanContext): AsyncGenerator<PlannedPage> {
  const compared = await readCompared(context);
  const neighbours = createNeighbourGraph(compared.ids.length);
  const proposals = await createProposalFinder(context, compared);
  for await (const page of neighbourPages(context, compared)) {
    for (const neighbourhood of page) neighbours.add(neighbourhood);
    const changes = await proposals.find(page);
    if (changes.length > 0) yield { changes, count: 0 };
  }
  const found = await findCommunities(await neighbours.toGraph());
  const groupOf = await refineGroups({ context, compared, neighbours }, found);
  yield* summaryPages(context, compared, membersOf(groupOf, compared));
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

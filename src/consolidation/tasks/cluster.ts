/** Cluster: groups of memories that are about one thing, each with a summary, and proposals for what repeats or contradicts. */
import type { GroupSummary, SummaryChange } from '../../domain/consolidation.js';
import { derivedUuid } from '../derived-ids.js';
import { findCommunities } from '../groups/communities.js';
import { type Compared, readCompared } from '../groups/compared.js';
import { createDescription } from '../groups/describe.js';
import { continuedSummaries } from '../groups/identity.js';
import { createNeighbourGraph } from '../groups/neighbour-graph.js';
import { neighbourPages } from '../groups/neighbours.js';
import { refineGroups } from '../groups/refine.js';
import type { PlanContext, PlannedPage } from '../planner.js';
import { readSummary } from '../summary-nodes.js';
import { createProposalFinder } from './proposals.js';

const MEMBERS_AT_ONCE = 500;
const GROUPS_PER_PAGE = 50;
const NODES_AT_ONCE = 100;

export async function* planCluster(context: PlanContext): AsyncGenerator<PlannedPage> {
  const compared = await readCompared(context);
  const neighbours = createNeighbourGraph(compared.ids.length);
  const proposals = createProposalFinder(context, compared);
  for await (const page of neighbourPages(context, compared)) {
    for (const neighbourhood of page) neighbours.add(neighbourhood);
    const changes = await proposals.find(page);
    if (changes.length > 0) yield { changes, count: 0 };
  }
  const found = await findCommunities(await neighbours.toGraph());
  const groupOf = await refineGroups({ context, compared, neighbours }, found);
  yield* summaryPages(context, compared, membersOf(groupOf, compared));
}

/** Ids of the members of each group, in order of id; the groups in order of their first member. */
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

async function* summaryPages(
  context: PlanContext,
  compared: Compared,
  groups: readonly string[][],
): AsyncGenerator<PlannedPage> {
  const known = await readSummaries(context);
  const continued = continuedSummaries(groups, known);
  const kept = new Set(continued.values());
  const vanished = known.filter(summary => !kept.has(summary));
  yield { changes: vanished.map(before => summaryChange(before, null)), count: 0 };
  for (let start = 0; start < groups.length; start += GROUPS_PER_PAGE) {
    const changes: SummaryChange[] = [];
    const part = groups.slice(start, start + GROUPS_PER_PAGE);
    for (const [offset, memberIds] of part.entries()) {
      const before = continued.get(start + offset) ?? null;
      const id = before?.id ?? derivedUuid([context.runId, String(start + offset)]);
      const after = await summaryOf(context, compared, { id, memberIds });
      if (!before || !isDeepEqual(before, after)) changes.push(summaryChange(before, after));
    }
    yield { changes, count: part.length };
  }
}

async function readSummaries({ graph, onPage }: PlanContext): Promise<GroupSummary[]> {
  const summaries: GroupSummary[] = [];
  for (let afterId: string | undefined; ; ) {
    await onPage();
    const page = { ...(afterId !== undefined && { afterId }), limit: NODES_AT_ONCE };
    const nodes = await graph.readNodes('MetaMemory', page);
    summaries.push(...nodes.flatMap(node => readSummary(node) ?? []));
    afterId = nodes.at(-1)?.id;
    if (afterId === undefined) return summaries;
  }
}

async function summaryOf(
  { graph, onPage }: PlanContext,
  { rarity }: Compared,
  { id, memberIds }: Pick<GroupSummary, 'id' | 'memberIds'>,
): Promise<GroupSummary> {
  const description = createDescription(rarity);
  for (let start = 0; start < memberIds.length; start += MEMBERS_AT_ONCE) {
    await onPage();
    const members = await graph.getMemories(memberIds.slice(start, start + MEMBERS_AT_ONCE));
    for (const memory of members.values()) description.add(memory);
  }
  return { id, memberIds, ...description.finish() };
}

function isDeepEqual(before: GroupSummary, after: GroupSummary): boolean {
  const plain = ({ content, memberIds, about }: GroupSummary) =>
    JSON.stringify([content, memberIds, Object.entries(about).sort()]);
  return plain(before) === plain(after);
}

function summaryChange(before: GroupSummary | null, after: GroupSummary | null): SummaryChange {
  const [were, are] = [before?.memberIds ?? [], after?.memberIds ?? []];
  const [had, has] = [new Set(were), new Set(are)];
  const numbers = {
    members: are.length,
    added: are.filter(id => !had.has(id)).length,
    removed: were.filter(id => !has.has(id)).length,
  };
  if (!after) return { kind: 'summary', before, after, reason: 'the group is no longer found', numbers };
  const reason = before ? 'the group has changed' : `${are.length} memories are about one thing`;
  return { kind: 'summary', before, after, reason, numbers };
}

/**
 * The task Cluster finds groups of memories on one subject, and summarises each group. It also proposes pairs of
 * memories that repeat or contradict each other.
 */

import type { Proposal, ProposalChange } from '../../domain/consolidation.js';
import { proposalIdOf } from '../../domain/derived-ids.js';
import type { Memory } from '../../domain/memory.js';
import { inSteps } from '../../event-loop.js';
import { type Found, findReplaceable } from '../../replacement/finder.js';
import { byTime } from '../evidence/compared-memories.js';
import { type Compared, readCompared } from '../groups/compared.js';
import { createGrouping } from '../groups/grouping.js';
import { type Neighbour, type Neighbourhood, neighbourPages } from '../groups/neighbours.js';
import type { PlanContext, PlannedPage } from '../planner.js';
import { storedProposals } from '../proposals.js';
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

/** Minimum evidence that two memories have the same subject: the mean of their closeness and likeness. */
const EVIDENCE_MIN = 0.3;
/** Maximum time between two notes from one sitting. Such notes complement each other, so neither replaces the other. */
const SITTING_MS = 30 * 60_000;

export interface KnownProposals {
  /** Ids of all proposals. None of them is repeated, not even a dismissed one. */
  ids: Set<string>;
  /**
   * Ids of the older memories of open proposals. Each has one proposal at most: a set of duplicates would otherwise
   * lead to a proposal for each pair.
   */
  olderIds: Set<string>;
}

async function readKnownProposals({ graph, onPage }: PlanContext): Promise<KnownProposals> {
  const known: KnownProposals = { ids: new Set(), olderIds: new Set() };
  for await (const { id, state, olderId } of storedProposals(graph, onPage)) {
    known.ids.add(id);
    if (state === 'open') known.olderIds.add(olderId);
  }
  return known;
}

/** Returns new proposals for memories and their neighbours, and adds these to the known ones. */
async function findProposals(
  context: PlanContext,
  { compared: { ids }, known }: { compared: Compared; known: KnownProposals },
  neighbourhoods: readonly Neighbourhood[],
): Promise<ProposalChange[]> {
  const parts = { ...context, model: context.models[0] ?? '' };
  const memories = await context.graph.getMemories(neighbourhoods.map(({ of }) => ids[of] ?? ''));
  const changes: ProposalChange[] = [];
  for await (const { of, neighbours } of inSteps(neighbourhoods)) {
    const memory = memories.get(ids[of] ?? '');
    const similar = new Map(neighbours.filter(isSimilar).map(neighbour => [ids[neighbour.to] ?? '', neighbour]));
    if (!memory || similar.size === 0) continue;
    const nearest = Array.from(similar, ([id, { similarity }]) => ({ id, similarity }));
    nearest.sort((a, b) => b.similarity - a.similarity);
    for (const found of await findReplaceable(parts, { memory, nearest, isWritten: true })) {
      const proposal = proposalOf(memory, found, similar.get(found.memory.id) as Neighbour);
      if (!proposal || known.ids.has(proposal.id) || known.olderIds.has(proposal.olderId)) continue;
      known.ids.add(proposal.id);
      known.olderIds.add(proposal.olderId);
      changes.push({ kind: 'proposal', proposal, reason: proposal.reason, numbers: proposal.numbers });
    }
  }
  return changes;
}

function isSimilar({ closeness, likeness }: Neighbour): boolean {
  return (closeness + likeness) / 2 >= EVIDENCE_MIN;
}

function proposalOf(newer: Memory, found: Found, { closeness, likeness }: Neighbour): Proposal | undefined {
  const { memory: older, verdict: kind, why } = found;
  // Of two memories of one instant, each is found for the other.
  if (byTime(older, newer)[0] !== older) return undefined;
  const apartMs = Date.parse(newer.timestamp) - Date.parse(older.timestamp);
  if (kind === 'replaced' && apartMs <= SITTING_MS) return undefined;
  const reason = `the newer memory ${why}`;
  return {
    ...{ id: proposalIdOf(kind, older.id, newer.id), kind },
    ...{ olderId: older.id, newerId: newer.id, reason, numbers: { closeness, likeness } },
  };
}

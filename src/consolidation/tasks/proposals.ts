/**
 * Finds proposals for duplicates, and for older memories that a newer memory probably replaces. A person or an
 * assistant has to accept each proposal.
 */

import { partsOf } from '../../domain/collections.js';
import type { Proposal, ProposalChange } from '../../domain/consolidation.js';
import { proposalIdOf } from '../../domain/derived-ids.js';
import type { Memory } from '../../domain/memory.js';
import { AUTHORABLE_RELATION_TYPES, SUPERSESSION_TYPES } from '../../domain/relation.js';
import { inSteps } from '../../event-loop.js';
import { type Meaning, reasonFor, verdictOn } from '../../replacement/judge.js';
import { type Occurrences, wordingOf } from '../../replacement/wording.js';
import { byTime } from '../evidence/compared-memories.js';
import type { Compared } from '../groups/compared.js';
import { createPairFilter, type Neighbourhood } from '../groups/neighbours.js';
import { eachInSteps } from '../in-steps.js';
import type { PlanContext } from '../planner.js';
import { storedProposals } from '../proposals.js';

/** Minimum evidence that two memories have the same subject: the mean of their closeness and likeness. */
const EVIDENCE_MIN = 0.3;
/** Maximum time between two notes from one sitting. Such notes complement each other, so neither replaces the other. */
const SITTING_MS = 30 * 60_000;
/** Number of pairs whose memories are read at once. */
const PAIRS_AT_ONCE = 25;
const EDGES_READ = 1_000;
/** Number of terms that are counted at once. Memories with long tags have thousands. */
const TERMS_AT_ONCE = 500;

export interface ProposalFinder {
  /** Returns new proposals for the pairs in these neighbourhoods, each pair at most once. */
  find(neighbourhoods: readonly Neighbourhood[]): Promise<ProposalChange[]>;
}

/**
 * Creates a finder that never repeats an earlier proposal, even a dismissed proposal. Each older memory has at most one
 * open proposal: a set of duplicates would otherwise produce a proposal for each pair.
 */
export async function createProposalFinder(context: PlanContext, compared: Compared): Promise<ProposalFinder> {
  const isNew = createPairFilter();
  const known = await readKnown(context);
  return {
    find: async neighbourhoods => {
      const pairs = neighbourhoods.flatMap(each => pairsOf(isNew(aboutOneThing(each)), compared));
      const found: ProposalChange[] = [];
      for (const part of partsOf(pairs, PAIRS_AT_ONCE)) {
        const proposals = await proposalsIn(context, known, part);
        for (const change of await withoutEdges(context, proposals)) {
          if (known.waitingIds.has(change.proposal.olderId)) continue;
          known.waitingIds.add(change.proposal.olderId);
          found.push(change);
        }
      }
      return found;
    },
  };
}

interface Known {
  /** Ids of all proposals. */
  ids: Set<string>;
  /** Ids of the older memories of open proposals. */
  waitingIds: Set<string>;
}

async function readKnown({ graph, onPage }: PlanContext): Promise<Known> {
  const known: Known = { ids: new Set(), waitingIds: new Set() };
  for await (const { id, state, olderId } of storedProposals(graph, onPage)) {
    known.ids.add(id);
    if (state === 'open') known.waitingIds.add(olderId);
  }
  return known;
}

async function proposalsIn(
  { graph, judge, onPage }: PlanContext,
  known: Known,
  pairs: readonly Pair[],
): Promise<Proposal[]> {
  await onPage();
  const memories = await graph.getMemories([...new Set(pairs.flatMap(({ a, b }) => [a, b]))]);
  const occurrences = await occurrencesIn(graph, [...memories.values()]);
  const read = { judge, memories, occurrences, waitingIds: known.waitingIds };
  const found: Proposal[] = [];
  await eachInSteps(pairs, pair => {
    const proposal = proposalOf(pair, read);
    if (proposal && !known.ids.has(proposal.id)) found.push(proposal);
  });
  return found;
}

async function occurrencesIn(graph: PlanContext['graph'], memories: readonly Memory[]): Promise<Occurrences> {
  const terms = new Set<string>();
  await eachInSteps(memories, memory => {
    for (const term of wordingOf(memory).terms) terms.add(term);
  });
  let memoryCount = 0;
  const frequencies = new Map<string, number>();
  for await (const part of inSteps(partsOf([...terms], TERMS_AT_ONCE))) {
    const counted = (await graph.searchText({ terms: part, filter: {}, limit: 0 })).statistics;
    memoryCount = counted.memoryCount;
    for (const [term, count] of counted.frequencies) frequencies.set(term, count);
  }
  return { memoryCount, frequencies };
}

interface Pair {
  /** The ids of the two memories, sorted: `a` comes before `b`. */
  a: string;
  b: string;
  closeness: number;
  likeness: number;
  meaning: Meaning;
}

function aboutOneThing({ of, neighbours }: Neighbourhood): Neighbourhood {
  return {
    of,
    neighbours: neighbours.filter(({ closeness, likeness }) => (closeness + likeness) / 2 >= EVIDENCE_MIN),
  };
}

function pairsOf({ of, neighbours }: Neighbourhood, { ids }: Compared): Pair[] {
  const nearest = neighbours.toSorted((one, other) => other.similarity - one.similarity);
  return neighbours.map(({ to, similarity, closeness, likeness }) => {
    const [a = '', b = ''] = [ids[of] ?? '', ids[to] ?? ''].sort();
    const others = nearest.filter(other => other.to !== to).map(other => other.similarity);
    return { a, b, closeness, likeness, meaning: { similarity, others } };
  });
}

interface Read {
  judge: PlanContext['judge'];
  occurrences: Occurrences;
  memories: ReadonlyMap<string, Memory>;
  waitingIds: ReadonlySet<string>;
}

function proposalOf(
  { a, b, closeness, likeness, meaning }: Pair,
  { judge, memories, occurrences, waitingIds }: Read,
): Proposal | undefined {
  const [one, other] = [memories.get(a), memories.get(b)];
  if (!one || !other) return undefined;
  const [older, newer] = byTime(one, other);
  if (waitingIds.has(older.id)) return undefined;
  const [ofOlder, ofNewer] = [wordingOf(older), wordingOf(newer)];
  if (!judge.isEnough(judge.likeness(ofOlder, ofNewer, { occurrences, meaning }))) return undefined;
  const kind = verdictOn(ofOlder, ofNewer);
  const apartMs = Date.parse(newer.timestamp) - Date.parse(older.timestamp);
  if (kind === 'replaced' && apartMs <= SITTING_MS) return undefined;
  return {
    id: proposalIdOf(kind, a, b),
    kind,
    olderId: older.id,
    newerId: newer.id,
    reason: `the newer memory ${reasonFor(ofNewer, ofOlder, occurrences)}`,
    numbers: { closeness, likeness },
  };
}

/**
 * Leaves out pairs with an authored edge, which already states how the two memories relate. An edge that the system
 * created means only that the two memories are alike. Also leaves out pairs with a memory that has been replaced.
 */
async function withoutEdges({ graph }: PlanContext, proposals: readonly Proposal[]): Promise<ProposalChange[]> {
  if (proposals.length === 0) return [];
  const ids = [...new Set(proposals.flatMap(({ olderId, newerId }) => [olderId, newerId]))];
  const edges = await graph.relationsOf({ ids, limit: EDGES_READ, types: AUTHORABLE_RELATION_TYPES });
  const isReplaced = (id: string) =>
    edges.get(id)?.some(({ from, type }) => from === id && SUPERSESSION_TYPES.includes(type));
  return proposals.flatMap((proposal): ProposalChange[] => {
    const { olderId, newerId, reason, numbers } = proposal;
    const areJoined = edges.get(olderId)?.some(({ from, to }) => from === newerId || to === newerId);
    if (areJoined || isReplaced(olderId) || isReplaced(newerId)) return [];
    return [{ kind: 'proposal', proposal, reason, numbers }];
  });
}

/** Proposals: memories that say the same, and older ones that a newer one probably replaces. Somebody has to accept them. */
import type { Proposal, ProposalChange } from '../../domain/consolidation.js';
import type { Memory } from '../../domain/memory.js';
import { partsOf } from '../../domain/parts.js';
import { AUTHORABLE_RELATION_TYPES, type Relation } from '../../domain/relation.js';
import { derivedDigest } from '../derived-ids.js';
import { saysTheSame } from '../evidence/duplicate.js';
import { inTime } from '../evidence/in-time.js';
import { exclude } from '../evidence/replacement.js';
import type { Compared } from '../groups/compared.js';
import type { Neighbourhood } from '../groups/neighbours.js';
import { createPairFilter } from '../groups/pair-filter.js';
import type { PlanContext } from '../planner.js';

/** Mean of closeness and likeness: with less, two memories are not about one thing. */
const EVIDENCE_MIN = 0.3;
/** What is noted in one sitting goes together. */
const SITTING_MS = 30 * 60_000;
/** So many memories are read in one turn. */
const PAIRS_AT_ONCE = 25;
const EDGES_READ = 1_000;
/** A memory from which one of these leads away has been replaced already. */
const REPLACING = new Set<Relation['type']>(['INVALIDATED_BY', 'EVOLVED_INTO']);

export interface ProposalFinder {
  /** New proposals among these; each pair once, however often it comes. */
  find(neighbourhoods: readonly Neighbourhood[]): Promise<ProposalChange[]>;
}

/** What was proposed before is not proposed again, also when it was dismissed. */
export function createProposalFinder(context: PlanContext, compared: Compared): ProposalFinder {
  const isNew = createPairFilter();
  return {
    find: async neighbourhoods => {
      const pairs = neighbourhoods.flatMap(each => pairsOf(isNew(aboutOneThing(each)), compared));
      const proposals: Proposal[] = [];
      for (const part of partsOf(pairs, PAIRS_AT_ONCE)) proposals.push(...(await proposalsIn(context, part)));
      return withoutEdges(context, proposals);
    },
  };
}

async function proposalsIn({ graph, onPage }: PlanContext, pairs: readonly Pair[]): Promise<Proposal[]> {
  await onPage();
  const memories = await graph.getMemories([...new Set(pairs.flatMap(({ a, b }) => [a, b]))]);
  const proposals: Proposal[] = [];
  for (const pair of pairs) {
    const proposal = proposalOf(pair, memories);
    if (proposal && !(await graph.getNode('ConsolidationProposal', proposal.id))) proposals.push(proposal);
  }
  return proposals;
}

interface Pair {
  /** In order of id. */
  a: string;
  b: string;
  closeness: number;
  likeness: number;
}

function aboutOneThing({ of, neighbours }: Neighbourhood): Neighbourhood {
  return {
    of,
    neighbours: neighbours.filter(({ closeness, likeness }) => (closeness + likeness) / 2 >= EVIDENCE_MIN),
  };
}

function pairsOf({ of, neighbours }: Neighbourhood, { ids }: Compared): Pair[] {
  return neighbours.map(({ to, closeness, likeness }) => {
    const [a = '', b = ''] = [ids[of] ?? '', ids[to] ?? ''].sort();
    return { a, b, closeness, likeness };
  });
}

function proposalOf({ a, b, closeness, likeness }: Pair, memories: ReadonlyMap<string, Memory>): Proposal | undefined {
  const [one, other] = [memories.get(a), memories.get(b)];
  if (!one || !other) return undefined;
  const [older, newer] = inTime(one, other);
  const make = (kind: Proposal['kind'], reason: string): Proposal => ({
    id: derivedDigest([kind, a, b]),
    kind,
    olderId: older.id,
    newerId: newer.id,
    reason,
    numbers: { closeness, likeness },
  });
  if (saysTheSame([older, newer], { closeness })) return make('duplicate', 'both say nearly the same');
  const apartMs = Date.parse(newer.timestamp) - Date.parse(older.timestamp);
  if (apartMs <= SITTING_MS || !exclude(older, newer)) return undefined;
  return make('replaced', 'both speak of one thing and cannot both be true');
}

/** An edge made by a caller says already how two memories relate. Those of the system tell no more than that they are alike. */
async function withoutEdges({ graph }: PlanContext, proposals: readonly Proposal[]): Promise<ProposalChange[]> {
  if (proposals.length === 0) return [];
  const ids = [...new Set(proposals.map(({ olderId }) => olderId))];
  const edges = await graph.relationsOf({ ids, limit: EDGES_READ, types: AUTHORABLE_RELATION_TYPES });
  return proposals.flatMap((proposal): ProposalChange[] => {
    const { olderId, newerId, kind, reason, numbers } = proposal;
    const ofOlder = edges.get(olderId) ?? [];
    const isReplaced = kind === 'replaced' && ofOlder.some(({ from, type }) => from === olderId && REPLACING.has(type));
    const areJoined = ofOlder.some(({ from, to }) => from === newerId || to === newerId);
    return isReplaced || areJoined ? [] : [{ kind: 'proposal', proposal, reason, numbers }];
  });
}

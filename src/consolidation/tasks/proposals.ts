/** Proposals: memories that say the same, and older ones that a newer one probably replaces. Somebody has to accept them. */
import type { Proposal, ProposalChange } from '../../domain/consolidation.js';
import type { Memory } from '../../domain/memory.js';
import { AUTHORABLE_RELATION_TYPES, type Relation } from '../../domain/relation.js';
import { derivedDigest } from '../derived-ids.js';
import { saysTheSame } from '../evidence/duplicate.js';
import { inTime } from '../evidence/in-time.js';
import { exclude } from '../evidence/replacement.js';
import type { Compared } from '../groups/compared.js';
import type { Neighbourhood } from '../groups/neighbours.js';
import type { PlanContext } from '../planner.js';

/** Mean of closeness and likeness: with less, two memories are not about one thing. */
const EVIDENCE_MIN = 0.3;
/** What is noted in one sitting goes together. */
const SITTING_MS = 30 * 60_000;
const NODES_AT_ONCE = 200;
const EDGES_READ = 1_000;
/** A memory from which one of these leads away has been replaced already. */
const REPLACING = new Set<Relation['type']>(['INVALIDATED_BY', 'EVOLVED_INTO']);

export interface ProposalFinder {
  /** New proposals among these; each pair once, however often it comes. */
  find(neighbourhoods: readonly Neighbourhood[]): Promise<ProposalChange[]>;
}

/** What was proposed before is not proposed again, also when it was dismissed. */
export async function createProposalFinder(context: PlanContext, compared: Compared): Promise<ProposalFinder> {
  const known = await readProposalIds(context);
  const looked = new Set<string>();
  return {
    find: async neighbourhoods => {
      const pairs = neighbourhoods
        .flatMap(each => pairsOf(each, compared))
        .filter(({ a, b }) => {
          const isNew = !looked.has(`${a} ${b}`);
          looked.add(`${a} ${b}`);
          return isNew;
        });
      if (pairs.length === 0) return [];
      const ids = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
      const memories = await context.graph.getMemories(ids);
      const proposals = pairs.flatMap(pair => proposalOf(pair, memories) ?? []).filter(({ id }) => !known.has(id));
      return withoutEdges(context, proposals);
    },
  };
}

async function readProposalIds({ graph, onPage }: PlanContext): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let afterId: string | undefined; ; ) {
    await onPage();
    const page = { ...(afterId !== undefined && { afterId }), limit: NODES_AT_ONCE };
    const nodes = await graph.readNodes('ConsolidationProposal', page);
    for (const { id } of nodes) ids.add(id);
    afterId = nodes.at(-1)?.id;
    if (afterId === undefined) return ids;
  }
}

interface Pair {
  /** In order of id. */
  a: string;
  b: string;
  closeness: number;
  likeness: number;
}

function pairsOf({ of, neighbours }: Neighbourhood, { ids }: Compared): Pair[] {
  return neighbours
    .filter(({ closeness, likeness }) => (closeness + likeness) / 2 >= EVIDENCE_MIN)
    .map(({ to, closeness, likeness }) => {
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

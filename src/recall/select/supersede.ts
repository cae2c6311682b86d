/** Step: replaces superseded memories by their current successors. */
import { passesFilter } from '../../domain/filter.js';
import type { RecallContext } from '../context.js';
import type { Candidate, Dropped, Pool, RetrievedQuestion } from '../pool.js';
import { toCandidates } from '../score/candidates.js';
import { inOrder } from './order.js';
import type { Supersession } from './supersessions.js';

/**
 * Replaces superseded memories with their successors. Ranks each successor by its own evidence. A recall with history
 * keeps the superseded memory instead, and adds the id of its successor to the result.
 */
export async function supersede(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  if (pool.kept.length === 0) return pool;
  const ids = new Set(pool.kept.map(({ memory }) => memory.id));
  const supersessions = await context.supersessions([...ids]);
  if (supersessions.size === 0) return pool;
  if (!plan.isCurrentOnly) return { ...pool, kept: pool.kept.map(each => withSuccessor(each, supersessions)) };
  const dropped: Dropped[] = [];
  const kept: Candidate[] = [];
  for (const asked of pool.asked) {
    const mine = pool.kept.filter(candidate => candidate.asked === asked);
    const gone = mine.filter(({ memory }) => supersessions.has(memory.id));
    for (const candidate of gone) {
      const { id } = candidate.memory;
      const { head, type } = supersessions.get(id) as Supersession;
      const reason = { reason: 'superseded', successorId: head.id, relationType: type } as const;
      dropped.push({ id, step: 'supersede', reason, candidate });
    }
    const current = mine.filter(({ memory }) => !supersessions.has(memory.id));
    kept.push(...(await withSuccessors(context, asked, { current, gone, supersessions })));
  }
  return { ...pool, kept: inOrder(kept, plan.order), dropped: [...pool.dropped, ...dropped] };
}

export function withSuccessor(candidate: Candidate, supersessions: ReadonlyMap<string, Supersession>): Candidate {
  const supersession = supersessions.get(candidate.memory.id);
  return supersession
    ? { ...candidate, supersededBy: { id: supersession.head.id, type: supersession.type } }
    : candidate;
}

interface Places {
  current: readonly Candidate[];
  /** The superseded candidates, in the order of the answer. */
  gone: readonly Candidate[];
  supersessions: ReadonlyMap<string, Supersession>;
}

async function withSuccessors(
  context: RecallContext,
  asked: RetrievedQuestion,
  { current, gone, supersessions }: Places,
): Promise<Candidate[]> {
  const { memories, plan } = context;
  const replacedBy = new Map<string, Candidate['replaces']>();
  for (const { memory } of gone) {
    const { head, type } = supersessions.get(memory.id) as Supersession;
    if (!replacedBy.has(head.id)) replacedBy.set(head.id, { id: memory.id, type });
  }
  const known = new Set(current.map(({ memory }) => memory.id));
  const read = await memories.read([...replacedBy.keys()].filter(id => !known.has(id)));
  // Add no successors to a listing, because the listing already contains them at their own places.
  const fitting = plan.isListing ? [] : read.filter(({ memory }) => passesFilter(memory, plan.filter));
  const added = await toCandidates(
    context,
    asked,
    fitting.map(each => ({ read: each, foundBy: ['state'] as const })),
  );
  return [...current, ...added].map(candidate => {
    const replaces = replacedBy.get(candidate.memory.id);
    return replaces ? { ...candidate, replaces } : candidate;
  });
}

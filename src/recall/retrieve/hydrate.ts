/** Step: the memories behind the hits are read, each once, and what they say to the question is worked out. */
import type { FoundBy } from '../../domain/recall-results.js';
import type { RecallContext } from '../context.js';
import type { AskedQuestion, Candidate, Dropped, Pool } from '../pool.js';
import { failedFilter } from '../plan/failed-filter.js';
import { toCandidates } from '../score/candidates.js';

export async function hydrate(context: RecallContext, pool: Pool): Promise<Pool> {
  const { memories, plan } = context;
  await memories.read(pool.hits.map(({ id }) => id));
  const kept: Candidate[] = [];
  const dropped: Dropped[] = [];
  for (const asked of pool.asked) {
    const foundBy = foundByOf(pool, asked);
    const read = await memories.read(foundBy.keys());
    // The graph has the last word over what an index may still believe.
    const origins = read.flatMap(each => {
      const { id } = each.memory;
      const reason = failedFilter(each.memory, plan.filter);
      if (reason) dropped.push({ id, step: 'hydrate', reason });
      return reason ? [] : [{ read: each, foundBy: foundBy.get(id) ?? [] }];
    });
    kept.push(...(await toCandidates(context, asked, origins)));
  }
  return { ...pool, kept, dropped: [...pool.dropped, ...dropped] };
}

function foundByOf({ hits }: Pool, asked: AskedQuestion): Map<string, FoundBy[]> {
  const found = new Map<string, FoundBy[]>();
  for (const hit of hits) {
    if (hit.asked !== asked) continue;
    const known = found.get(hit.id) ?? [];
    if (!known.includes(hit.foundBy)) known.push(hit.foundBy);
    found.set(hit.id, known);
  }
  return found;
}

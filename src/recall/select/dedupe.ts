/** Step: merges memories with the same text and tags, unless they differ in another relevant field. */
import type { RecallContext } from '../context.js';
import { type Candidate, dropWhere, type Pool } from '../pool.js';

export function dedupe({ plan }: RecallContext, pool: Pool): Pool {
  if (plan.isListing) return pool;
  const firstByKey = new Map<string, Candidate>();
  const copiesOf = new Map<Candidate, string[]>();
  const { kept, ...rest } = dropWhere(pool, 'dedupe', candidate => {
    const key = keyOf(pool, candidate);
    const first = firstByKey.get(key);
    if (!first) {
      firstByKey.set(key, candidate);
      return undefined;
    }
    const copies = copiesOf.get(first);
    if (copies) copies.push(candidate.memory.id);
    else copiesOf.set(first, [candidate.memory.id]);
    return { reason: 'duplicate', twinId: first.memory.id };
  });
  const withCopies = kept.map(candidate => {
    const duplicates = copiesOf.get(candidate);
    return duplicates ? { ...candidate, duplicates } : candidate;
  });
  return { ...rest, kept: withCopies };
}

/** A key that is equal for memories that can represent each other in the answer to one query. */
function keyOf({ queries }: Pool, { query, memory, text, supersededBy }: Candidate): string {
  const { type, t_valid, t_invalid, archived } = memory;
  const place = queries.indexOf(query);
  return JSON.stringify([place, text.sameness, type, t_valid, t_invalid, archived === true, supersededBy?.id]);
}

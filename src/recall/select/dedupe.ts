/** Step: merges memories with the same text and tags, unless they differ in another relevant field. */
import type { RecallContext } from '../context.js';
import type { Candidate, Dropped, Pool, RetrievedQuestion } from '../pool.js';

export function dedupe({ plan }: RecallContext, pool: Pool): Pool {
  if (plan.isListing) return pool;
  const dropped: Dropped[] = [];
  const copies = new Map<Candidate, string[]>();
  const gone = new Set<Candidate>();
  const firstOf = firstsByQuestion(pool);
  for (const candidate of pool.kept) {
    const { id } = candidate.memory;
    const first = firstOf(candidate);
    if (first === candidate) continue;
    const known = copies.get(first);
    if (known) known.push(id);
    else copies.set(first, [id]);
    gone.add(candidate);
    dropped.push({ id, step: 'dedupe', reason: { reason: 'duplicate', twinId: first.memory.id }, candidate });
  }
  if (dropped.length === 0) return pool;
  const kept = pool.kept
    .filter(candidate => !gone.has(candidate))
    .map(candidate => (copies.has(candidate) ? { ...candidate, duplicates: copies.get(candidate) ?? [] } : candidate));
  return { ...pool, kept, dropped: [...pool.dropped, ...dropped] };
}

/**
 * Returns a function that finds the first candidate of the same question that can represent a given candidate. If no
 * earlier candidate can, the function returns the given candidate.
 */
function firstsByQuestion({ asked }: Pool): (candidate: Candidate) => Candidate {
  const firsts = new Map<RetrievedQuestion, Map<string, Candidate>>(asked.map(each => [each, new Map()]));
  return candidate => {
    const ofQuestion = firsts.get(candidate.asked);
    const key = keyOf(candidate);
    const first = ofQuestion?.get(key);
    if (first) return first;
    ofQuestion?.set(key, candidate);
    return candidate;
  };
}

/** A key that is equal for memories that can represent each other. */
function keyOf({ memory, own, supersededBy }: Candidate): string {
  const { type, t_valid, t_invalid, archived } = memory;
  return JSON.stringify([own.text.sameness, type, t_valid, t_invalid, archived === true, supersededBy?.id]);
}

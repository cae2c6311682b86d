/** Step: merges memories with the same text and tags, unless they differ in another relevant field. */
import { tagKeys } from '../../domain/tags.js';
import type { RecallContext } from '../context.js';
import type { Candidate, Dropped, Pool, RetrievedQuestion } from '../pool.js';
import { wordAt } from '../score/text.js';

export function dedupe({ plan }: RecallContext, pool: Pool): Pool {
  if (plan.isListing) return pool;
  const dropped: Dropped[] = [];
  const copies = new Map<Candidate, string[]>();
  const firstOf = firstsByQuestion(pool);
  for (const candidate of pool.kept) {
    const { id } = candidate.memory;
    const first = firstOf(candidate);
    if (first === candidate) continue;
    copies.set(first, [...(copies.get(first) ?? []), id]);
    dropped.push({ id, step: 'dedupe', reason: { reason: 'duplicate', twinId: first.memory.id }, candidate });
  }
  if (dropped.length === 0) return pool;
  const gone = new Set(dropped.map(({ candidate }) => candidate));
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
  const alike = new Map<RetrievedQuestion, Map<number, Candidate[]>>(asked.map(each => [each, new Map()]));
  return candidate => {
    const { text } = candidate.own;
    // Compare whole texts only when the number of words, the first word and the last word agree.
    const first = wordAt(text, 0) ?? 0;
    const last = wordAt(text, text.length - 1) ?? 0;
    const sketch = Math.imul(first, 31) ^ Math.imul(last, 17) ^ text.length;
    const ofQuestion = alike.get(candidate.asked);
    const others = ofQuestion?.get(sketch);
    if (!others) {
      ofQuestion?.set(sketch, [candidate]);
      return candidate;
    }
    const key = sameness(candidate);
    const same = others.find(other => sameness(other) === key);
    if (!same) others.push(candidate);
    return same ?? candidate;
  };
}

/**
 * Punctuation at the end of a sentence or clause. Other symbols are kept, because they distinguish texts: `C` from
 * `C#`, and `a < b` from `a > b`.
 */
const PUNCTUATION = /(?<=[\p{L}\p{N}])[.,;:!…]+(?=\s|$)/gu;

/** A key that is equal for memories that can represent each other. */
function sameness({ memory, supersededBy }: Candidate): string {
  const { content, tags, type, t_valid, t_invalid, archived } = memory;
  const text = content.toLowerCase().replace(PUNCTUATION, '').replace(/\s+/g, ' ');
  const state = [type, t_valid ?? '', t_invalid ?? '', archived ? 'archived' : '', supersededBy?.id ?? ''];
  return JSON.stringify([text, tagKeys(tags).sort(), ...state]);
}

/** Step: memories with the same text and tags stand as one, unless something else tells them apart. */
import type { Memory } from '../../domain/memory.js';
import { tagKeys } from '../../domain/tags.js';
import type { RecallContext } from '../context.js';
import type { AskedQuestion, Candidate, Dropped, Pool } from '../pool.js';

/** Candidates compared beyond those that the page takes: what comes later is shown by nobody. */
const COMPARED_BEYOND = 10;

export function dedupe({ plan }: RecallContext, pool: Pool): Pool {
  if (plan.isListing) return pool;
  const firstOf = new Map<AskedQuestion, Map<string, Candidate>>(pool.asked.map(asked => [asked, new Map()]));
  const kept: Candidate[] = [];
  const dropped: Dropped[] = [];
  for (const candidate of pool.kept) {
    const { id } = candidate.memory;
    const firsts = firstOf.get(candidate.asked);
    if ((firsts?.size ?? 0) >= candidate.asked.question.limit + COMPARED_BEYOND) {
      kept.push(candidate);
      continue;
    }
    const key = sameness(candidate.memory);
    const twin = firsts?.get(key);
    if (twin) {
      twin.duplicates = [...(twin.duplicates ?? []), id];
      dropped.push({ id, step: 'dedupe', reason: { reason: 'duplicate', twinId: twin.memory.id }, candidate });
      continue;
    }
    const first = { ...candidate };
    firsts?.set(key, first);
    kept.push(first);
  }
  return { ...pool, kept, dropped: [...pool.dropped, ...dropped] };
}

/** What ends a sentence or a clause; other symbols tell texts apart, such as `C` from `C#` and `a < b` from `a > b`. */
const PUNCTUATION = /(?<=[\p{L}\p{N}])[.,;:!…]+(?=\s|$)/gu;

/** Equal for memories of which one can stand for the other. */
function sameness({ content, tags, type, t_valid, t_invalid, archived }: Memory): string {
  const text = content.toLowerCase().replace(PUNCTUATION, '').replace(/\s+/g, ' ');
  const others = [type, t_valid ?? '', t_invalid ?? '', archived ? 'archived' : ''];
  return JSON.stringify([text, tagKeys(tags).sort(), ...others]);
}

/**
 * Takes results from ordered candidates until there are enough: what has been superseded gives its place to what holds now,
 * and memories with the same text and tags stand as one. A page is never short while more exists.
 */
import { type MemoryFilter, passesFilter } from '../domain/filter.js';
import type { Suppressed } from '../domain/recall-results.js';
import { tagKeys } from '../domain/tags.js';
import type { Scored } from './candidate.js';
import type { ScoreRules } from './score.js';
import { scoreFound } from './search.js';
import type { Supersession, SupersessionFinder } from './state.js';

export interface PickRules {
  filter: MemoryFilter;
  scoring: ScoreRules;
  limit: number;
  /** Finds what has been superseded; without it everything that ever was is shown. */
  findSupersessions: SupersessionFinder | undefined;
  /** Whether memories with the same text and tags are shown as one. */
  mergesDuplicates: boolean;
}

export interface Picked {
  results: Scored[];
  duplicatesRemoved: number;
  suppressed: Suppressed[];
}

/** Candidates examined at first, beyond the results wanted, and by how much more at each further time. */
const SLICE_MARGIN = 10;
const SLICE_GROWTH = 4;

export async function pick(ordered: readonly Scored[], rules: PickRules): Promise<Picked> {
  const picked: Picked = { results: [], duplicatesRemoved: 0, suppressed: [] };
  const byText = new Map<string, Scored>();
  const takenIds = new Set<string>();
  let size = rules.limit + SLICE_MARGIN;
  for (let start = 0; start < ordered.length && picked.results.length < rules.limit; ) {
    const slice = ordered.slice(start, start + size);
    start += size;
    size *= SLICE_GROWTH;
    const supersessions = await rules.findSupersessions?.(slice.map(({ candidate }) => candidate.memory.id));
    for (const scored of slice) {
      const current = currentVersion(scored, supersessions?.get(scored.candidate.memory.id), rules, picked);
      if (!current || takenIds.has(current.candidate.memory.id)) continue;
      const key = textKey(current);
      const twin = rules.mergesDuplicates ? byText.get(key) : undefined;
      if (twin) {
        twin.duplicates = [...(twin.duplicates ?? []), current.candidate.memory.id];
        picked.duplicatesRemoved += 1;
      } else if (picked.results.length < rules.limit) {
        const result = { ...current };
        picked.results.push(result);
        byText.set(key, result);
      }
      takenIds.add(current.candidate.memory.id);
    }
  }
  return picked;
}

/** The candidate itself, what has taken its place, or nothing when that lies outside the filter. */
function currentVersion(
  scored: Scored,
  supersession: Supersession | undefined,
  rules: PickRules,
  picked: Picked,
): Scored | undefined {
  if (!supersession) return scored;
  const { head, type } = supersession;
  const { id } = scored.candidate.memory;
  picked.suppressed.push({ id, reason: 'superseded', successorId: head.id, relationType: type });
  if (!passesFilter(head, rules.filter)) return undefined;
  const own = scoreFound(head, { foundBy: ['state'] }, rules.scoring);
  return { ...(own.score.total > scored.score.total ? own : inheriting(own, scored)), replaces: { id, type } };
}

/** What was found was found for good reasons: its successor inherits them where it has no better ones of its own. */
function inheriting({ candidate }: Scored, predecessor: Scored): Scored {
  const { similarity, tagStems, foundBy } = predecessor.candidate;
  return {
    ...predecessor,
    candidate: { ...candidate, similarity, tagStems, foundBy: [...foundBy, ...candidate.foundBy] },
  };
}

/** What ends a sentence or a clause; other symbols tell texts apart, such as `C` from `C#` and `a < b` from `a > b`. */
const PUNCTUATION = /(?<=[\p{L}\p{N}])[.,;:!…]+(?=\s|$)/gu;

function textKey({ candidate: { memory } }: Scored): string {
  const text = memory.content.toLowerCase().replace(PUNCTUATION, '').replace(/\s+/g, ' ');
  return `${text}\n${tagKeys(memory.tags).sort().join('\n')}`;
}

/** Remembers where earlier walks have found their nodes, because the next request usually finds its nodes there too. */

import { createRecent } from '../../domain/collections.js';
import type { MemoryFilter } from '../../domain/filter.js';
import type { Part, Range } from './walk-range.js';

/**
 * A bound up to which there are enough nodes but not too many, or two bounds around a value that too many nodes share.
 */
export type Hint = { enough: number } | { tooFew: number; tooMany: number };

export interface Walk {
  part: Part;
  range: Range;
  filter: MemoryFilter;
}

export interface WalkHints {
  get(walk: Walk): Hint | undefined;
  note(walk: Walk, hint: Hint): void;
}

const HINTS_MAX = 1_000;

/**
 * If the filter sets the start of a range, its hint is kept as the distance from the start, because the next request
 * has another start. Such a hint also serves requests with other tags: most of these requests come from enrichment, and
 * each has tags of its own.
 */
export function createWalkHints(): WalkHints {
  const hints = createRecent<Hint>(HINTS_MAX, () => 1);
  return {
    get: walk => {
      const { own, shared, ofEquals } = namesOf(walk);
      const hint = hints.get(ofEquals) ?? hints.get(own) ?? hints.get(shared);
      const isDistance = hint !== undefined && 'enough' in hint && walk.range.startsAtFilter;
      return isDistance ? { enough: walk.range.start + walk.range.sign * hint.enough } : hint;
    },
    note: (walk, hint) => {
      const { range } = walk;
      const { own, shared, ofEquals } = namesOf(walk);
      if (!range.startsAtFilter) return hints.set(own, hint);
      // These bounds are values and not distances, because the equal nodes stay where they are.
      if ('tooFew' in hint) return hints.set(ofEquals, hint);
      hints.delete(ofEquals);
      for (const name of [own, shared]) hints.set(name, { enough: Math.abs(hint.enough - range.start) });
    },
  };
}

/** The names of the hints of a request. They are all the same, unless the filter sets the start. */
function namesOf({ part: { keys, conditions, bounds }, range, filter }: Walk) {
  const { startsAtFilter } = range;
  const of = [keys[0], startsAtFilter, conditions, bounds];
  const own = JSON.stringify([...of, filter.tags, filter.excludedTagKeys]);
  if (!startsAtFilter) return { own, shared: own, ofEquals: own };
  return { own, shared: JSON.stringify(of), ofEquals: `${own} equals` };
}

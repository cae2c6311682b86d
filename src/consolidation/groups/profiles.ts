/** What the members of each group have in common, and how well a memory goes with it. */
import { placesByNumber } from '../rows.js';
import type { Compared } from './compared.js';
import { createTraitProfiles } from './trait-profiles.js';
import type { VectorSums } from './vector-sums.js';

/** Of the vectors, beside the traits. */
const VECTOR_SHARE = 0.25;

export interface Profiles {
  /**
   * The group that it fits best, the first of equals: without what it contributed to the group itself.
   *
   * @param vector of unit length, from which the middle has been taken
   */
  bestFor(place: number, vector: Float32Array, groups: Iterable<number>): { group: number; fit: number };
}

interface Grouped {
  /** The group of each memory, -1 where it has none. */
  groupOf: Int32Array;
  /** Of the vectors of the members of each group. */
  vectorSums: VectorSums;
}

export async function createProfiles(compared: Compared, { groupOf, vectorSums }: Grouped): Promise<Profiles> {
  const members = placesByNumber(groupOf, vectorSums.groupCount);
  const traitProfiles = await createTraitProfiles(compared, members);
  return {
    bestFor: (place, vector, groups) => {
      const own = traitProfiles.weigh(place);
      let best = { group: -1, fit: 0 };
      for (const group of groups) {
        const isMember = groupOf[place] === group;
        const byVector = vectorSums.fit(group, vector, isMember);
        const fit = VECTOR_SHARE * byVector + (1 - VECTOR_SHARE) * traitProfiles.fit(group, own, isMember);
        if (fit > best.fit) best = { group, fit };
      }
      return best;
    },
  };
}

/** Builds profiles of the groups, and measures how well a memory fits each group. */
import { placesByNumber } from '../rows.js';
import type { Compared } from './compared.js';
import { createTraitProfiles } from './trait-profiles.js';
import type { VectorSums } from './vector-sums.js';

/** Weight of the vectors in the fit. The traits have the remaining weight. */
const VECTOR_SHARE = 0.25;

export interface Profiles {
  /**
   * Returns the group that the memory fits best. The memory's own contribution to its present group does not count. If
   * several groups fit equally, the first one wins.
   *
   * @param vector of unit length, after the mean was subtracted
   */
  bestFor(place: number, vector: Float32Array, groups: Iterable<number>): { group: number; fit: number };
}

interface Grouped {
  /** The group of each memory, or -1 for a memory without a group. */
  groupOf: Int32Array;
  /** Sums of the vectors of the members of each group. */
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

/** Renumbers groups without gaps, so that the number of a group can be a position in a list. */

export interface Numbered {
  /** The group of each memory or node. It is -1 if the memory or node has no group. */
  groupOf: Int32Array;
  groupCount: number;
}

/**
 * Numbers the groups in order of their first appearance.
 *
 * @param groupOf group numbers below the length of this list, or -1 for no group
 */
export function renumbered(groupOf: Int32Array): Numbered {
  const numbers = new Int32Array(groupOf.length).fill(-1);
  let groupCount = 0;
  const numberOf = (group: number) => {
    if (numbers[group] === -1) numbers[group] = groupCount++;
    return numbers[group] as number;
  };
  return { groupOf: groupOf.map(group => (group < 0 ? -1 : numberOf(group))), groupCount };
}

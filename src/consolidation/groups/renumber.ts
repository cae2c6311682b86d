/** Numbers of groups without gaps: what is kept for each group is a place in a list. */

export interface Numbered {
  /** The group of each memory or node, -1 where it has none. */
  groupOf: Int32Array;
  groupCount: number;
}

/**
 * In order of first appearance.
 *
 * @param groupOf numbers of groups below its length, and -1
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

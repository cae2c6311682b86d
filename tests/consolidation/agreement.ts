/** Measures how far two partitions of the same items agree. */

/**
 * The adjusted Rand index (Hubert and Arabie, "Comparing Partitions", 1985): 1 for equal groups, 0 for agreement by
 * chance.
 *
 * @param a the group of each item. `b` gives the groups of the same items in the same order.
 */
export function adjustedRandIndex(a: readonly string[], b: readonly string[]): number {
  const pairs = (count: number) => (count * (count - 1)) / 2;
  const pairsWithin = (labels: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
    return [...counts.values()].reduce((sum, count) => sum + pairs(count), 0);
  };
  const [ofA, ofB] = [pairsWithin(a), pairsWithin(b)];
  const both = pairsWithin(a.map((label, index) => `${label} ${b[index]}`));
  const expected = (ofA * ofB) / pairs(a.length);
  const most = (ofA + ofB) / 2;
  return most === expected ? 1 : (both - expected) / (most - expected);
}

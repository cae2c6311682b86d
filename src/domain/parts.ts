/**
 * Splits lists into parts of bounded size, for stores with a maximum number of items and for long work in short steps.
 */
export function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}

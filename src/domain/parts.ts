/**
 * Splits lists into parts of bounded size, for stores that limit the number of items in a call, and for long work that
 * runs in short steps.
 */
export function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}

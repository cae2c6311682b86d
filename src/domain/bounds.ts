/** Bounds on what callers send, checked before the work that the excess would cause. */

/** Bounds on a list of texts. */
export interface ListLimits {
  /** Items, before any is read. */
  maxCount: number;
  /** Characters of one item. */
  maxLength: number;
}

/** Bounds on the tags of a memory, or of a filter. */
export interface TagLimits extends ListLimits {
  /** Levels of one tag. */
  maxLevels: number;
}

/** The number of characters (code points) of a text that has more than `maxLength` of them; undefined for any other text. */
export function excessLength(text: string, maxLength: number): number | undefined {
  if (text.length <= maxLength) return undefined;
  let length = 0;
  // Without an array of them, which takes many times the room of the text.
  for (const _character of text) length += 1;
  return length > maxLength ? length : undefined;
}

/** Says what is wrong with a text that is too long; undefined when it is not. */
export function lengthProblem(text: string, maxLength: number): string | undefined {
  const length = excessLength(text, maxLength);
  return length === undefined ? undefined : `must be at most ${maxLength} characters, but has ${length}`;
}

/** Says what is wrong with a list that has too many items; undefined when it has not. */
export function countProblem(items: readonly unknown[], maxCount: number): string | undefined {
  return items.length <= maxCount ? undefined : `must be at most ${maxCount} in number, but has ${items.length}`;
}

/** Says what is wrong with a text that is longer than its items, divided by commas, may be together. */
export function joinedLengthProblem(text: string, { maxCount, maxLength }: ListLimits): string | undefined {
  return lengthProblem(text, maxCount * (maxLength + 1));
}

/** Bounds on input, checked before the excess causes any work. */

/** Bounds on a list of texts. */
export interface ListLimits {
  /** Maximum number of items, checked before any item is read. */
  maxCount: number;
  /** Maximum length of an item, in characters. */
  maxLength: number;
}

/** Bounds on the tags of a memory, or of a filter. */
export interface TagLimits extends ListLimits {
  /** Maximum number of levels of a tag. */
  maxLevels: number;
}

/** The number of characters (code points) of a text that exceeds `maxLength`. Undefined for any other text. */
export function excessLength(text: string, maxLength: number): number | undefined {
  if (text.length <= maxLength) return undefined;
  let length = 0;
  // Counts without an array of the characters, which takes many times the memory of the text.
  for (const _character of text) length += 1;
  return length > maxLength ? length : undefined;
}

/** Describes the problem of a text that is too long. Undefined when the text is short enough. */
export function lengthProblem(text: string, maxLength: number): string | undefined {
  const length = excessLength(text, maxLength);
  return length === undefined ? undefined : `must have at most ${maxLength} characters, but has ${length}`;
}

/** Describes the problem of a list with too many items. Undefined when the list is short enough. */
export function countProblem(items: readonly unknown[], maxCount: number): string | undefined {
  return items.length <= maxCount ? undefined : `must have at most ${maxCount} items, but has ${items.length}`;
}

/** Describes the problem of a comma-separated text that is longer than all its items together may be. */
export function joinedLengthProblem(text: string, { maxCount, maxLength }: ListLimits): string | undefined {
  return lengthProblem(text, maxCount * (maxLength + 1));
}

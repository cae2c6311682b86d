/** Counts and cuts the characters of texts. */

/**
 * The number of Unicode code points, which is close to the number of characters that a person counts
 * (docs/decisions.md, "Content length").
 */
export function characterCount(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if (isLowHalf(text.charCodeAt(index)) && isHighHalf(text.charCodeAt(index - 1))) count -= 1;
  }
  return count;
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The beginning of a text, with at most `characters` code points. Never splits a character. */
export function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = 0;
  for (let taken = 0; taken < characters && end < text.length; taken++) {
    end += isHighHalf(text.charCodeAt(end)) && isLowHalf(text.charCodeAt(end + 1)) ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Stores would cut a text at this character and lose the rest. */
const NUL = '\0';
export const NUL_PROBLEM = 'must not contain NUL characters (U+0000)';

/** Half of a pair of UTF-16 code units. With the flag `u`, the expression does not match halves of whole pairs. */
const HALF = /[\uD800-\uDFFF]/u;

/** Describes half of a character in a text. No encoding of the text could keep it. Undefined for a whole text. */
export function halfCharacterProblem(text: string): string | undefined {
  const half = text.isWellFormed() ? null : HALF.exec(text);
  if (!half) return undefined;
  const code = half[0].charCodeAt(0).toString(16).toUpperCase();
  const before = characterCount(text.slice(0, half.index));
  return `must not contain half of a character: after ${before} characters there is the lone surrogate U+${code}`;
}

/** Describes the problem of a text that a store would change. Undefined when the text is kept whole. */
export function storedTextProblem(text: string): string | undefined {
  return text.includes(NUL) ? NUL_PROBLEM : halfCharacterProblem(text);
}

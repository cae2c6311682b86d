/** Texts that every store keeps whole (docs/decisions.md, "Nothing is cut or replaced silently"). */
import { characterCount } from './text/length.js';

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

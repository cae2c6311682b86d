/** Bounds on input, which are checked before any other work, and numbers and names as callers write them. */
import type { MetadataLimits } from './metadata.js';
import { characterCount } from './text/characters.js';

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

/** Returns the number of characters of a text if it is longer than `maxLength`, and otherwise undefined. */
export function excessLength(text: string, maxLength: number): number | undefined {
  const length = text.length <= maxLength ? 0 : characterCount(text);
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

/** Describes the problem if a comma-separated text is longer than every list within these limits. */
export function joinedLengthProblem(text: string, { maxCount, maxLength }: ListLimits): string | undefined {
  return lengthProblem(text, maxCount * (maxLength + 1));
}

export interface InputLimits {
  /** Number of dimensions of every embedding. */
  vectorSize: number;
  /** Maximum length of the content of a memory, in Unicode code points. */
  contentMaxLength: number;
  /** Maximum number of memories in one batch. */
  batchMaxSize: number;
  /** Maximum `limit` of a recall. Larger values are reduced to this maximum. */
  recallMaxLimit: number;
  /** Maximum length of a query and of the context of a recall, in Unicode code points. */
  recallTextMaxLength: number;
  metadata: MetadataLimits;
  /** Bounds for one memory. */
  tags: TagLimits;
}

/** The bounds that are not settings. */
export const INPUT_LIMITS = {
  contentMaxLength: 50_000,
  batchMaxSize: 500,
  recallTextMaxLength: 20_000,
  metadata: { maxBytes: 65_536, maxKeys: 1000, maxDepth: 16 },
  tags: { maxCount: 100, maxLength: 256, maxLevels: 16 },
};

const DECIMAL_NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** Parses a finite number, also from a decimal string. It refuses booleans, blanks and NaN. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !DECIMAL_NUMBER.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A longer name is no misspelled name. */
const NAME_MAX_LENGTH = 64;
/** Maximum share of the characters of a name that may be wrong. */
const WRONG_MAX_SHARE = 1 / 3;

/** Returns the known name that is nearest to `name`: the one that it begins, or a similar one. Ignores case. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const written = plain(name);
  if (written === '' || name.length > NAME_MAX_LENGTH) return undefined;
  const [begun] = known.filter(each => plain(each).startsWith(written)).sort((a, b) => a.length - b.length);
  const [nearest] = known
    .map(each => ({ each, distance: editDistance(written, plain(each)) }))
    .filter(({ each, distance }) => distance <= Math.max(each.length, written.length) * WRONG_MAX_SHARE)
    .sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= 1 ? nearest.each : (begun ?? nearest?.each);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++) {
      const replaced = (row[at] ?? 0) + (to[at] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** Stores would cut a text at this character and lose the rest. */
const NUL = '\0';
const NUL_PROBLEM = 'must not contain NUL characters (U+0000)';

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

export function nulProblem(text: string): string | undefined {
  return text.includes(NUL) ? NUL_PROBLEM : undefined;
}

/** Describes the problem of a text that a store would change. Undefined when the text is kept whole. */
export function storedTextProblem(text: string): string | undefined {
  return nulProblem(text) ?? halfCharacterProblem(text);
}

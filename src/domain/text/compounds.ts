/**
 * Finds the names in a text that consist of several words without a space: `snake_case`, `kebab-case`, `node.js`,
 * PAY-123, paths, addresses of the web. Also finds hexadecimal digests, of which people write the beginning.
 */

import { KIND, kindOf } from './characters.js';
import { DOT_LETTER, pairsIn, WORD_MAX_LENGTH } from './words.js';

/** Matches words and the signs that may join them. */
const WORDS_AND_SIGNS = /[\p{L}\p{N}\-_./\\:@&+~'’]+/gu;
/** Two words with two signs between them, as in "https://", are not joined. */
const APART = /[-_./\\:@&+~'’]{2,}/;
const OUTER_SIGNS = /^[-_./\\:@&+~'’]|[-_./\\:@&+~'’]$/g;
const SPACE = /\s+/;
const HAS_SIGN = /[-_./\\:@&+~'’]/;
const SIGN = /[-_./\\:@&+~'’]/g;
/** A possessive or a contraction, which `words` reads as one word. */
const ONE_WORD = /^\p{L}+['’](?:s|t|ll|ve|re|d|m)$/iu;
const DOT_IN_NUMBER = /(?<=\d)\.(?=\d)/g;
/** A quick test for the same, and for digests. */
const MAY_HAVE_COMPOUNDS = /[-_./\\:@&+~][A-Za-z0-9\u0080-\uffff]|['’](?!(?:s|t|ll|ve|re|d|m)\b)[A-Za-z\u0080-\uffff]/;
const HAS_DIGIT = /\d/;
const MAY_HAVE_DIGESTS = /[0-9a-fA-F]{8}/;
const BETWEEN_STEPS = /[/\\:@&~+]/;
const ONLY_DIGITS = /^[\d\W_]*$/;
const JOINED_MIN_LENGTH = 3;
const DIGEST = /(?<![\p{L}\p{N}])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,64}(?![\p{L}\p{N}])/giu;
/** Lengths to which people and tools shorten a digest. */
const SHORT_DIGEST_LENGTHS = [7, 8, 9, 10, 11, 12];

/** Whether a text may have compounds or digests. */
export function mayHaveCompounds(text: string): boolean {
  return MAY_HAVE_COMPOUNDS.test(text) || (HAS_DIGIT.test(text) && MAY_HAVE_DIGESTS.test(text));
}

/**
 * Returns the names without their signs, in lower case: "src/word-runs.ts" gives `srcwordrunsts`, `wordrunsts` and
 * `wordruns`. Numbers are left out, because 1.2.3 is not 123.
 *
 * @param text folded
 */
export function joinedNames(text: string): Set<string> {
  const found = new Set<string>();
  for (const compound of compoundsIn(text)) {
    const steps = compound.split(BETWEEN_STEPS);
    const last = steps.at(-1) ?? '';
    for (const name of [compound, ...steps, last.slice(0, Math.max(0, last.lastIndexOf('.')))]) {
      const joined = name.replace(DOT_IN_NUMBER, DOT_LETTER).replace(SIGN, '').toLowerCase();
      const isJoined = joined.length < name.length || name === compound;
      if (isJoined && isName(joined)) found.add(joined);
    }
  }
  return found;
}

/** The words that single signs join. */
function compoundsIn(text: string): string[] {
  return text
    .split(SPACE)
    .filter(stretch => HAS_SIGN.test(stretch))
    .flatMap(stretch => stretch.match(WORDS_AND_SIGNS) ?? [])
    .flatMap(stretch => stretch.split(APART))
    .map(part => part.replace(OUTER_SIGNS, ''))
    .filter(part => part.search(SIGN) >= 0 && !ONE_WORD.test(part));
}

function isName(joined: string): boolean {
  return joined.length >= JOINED_MIN_LENGTH && joined.length <= WORD_MAX_LENGTH && !ONLY_DIGITS.test(joined);
}

/** Returns the usual beginnings of the digests in a text. */
export function shortDigests(text: string): Set<string> {
  const found = new Set<string>();
  for (const [digest] of text.matchAll(DIGEST)) {
    for (const length of SHORT_DIGEST_LENGTHS) {
      if (digest.length > length) found.add(digest.slice(0, length).toLowerCase());
    }
  }
  return found;
}

/** Marks a piece, so that it is never a word. */
const PIECE = '\u02d0';
const BEGINNINGS = [4, 6];
/** In these scripts three letters say as much as four elsewhere: vowels are marks, or are not written. */
const SHORT_BEGINNINGS = [3, 5];
const HAS_NUMBER = /\d/;
/** "and", "in", "like", "for" and the article, which are written together with the word after them. */
const ARABIC_PREFIX = /^(?:[وف]?[بكل]?ال|[وف]?لل|[وف])(?=.{3})/u;
const HEBREW_PREFIX = /^[והבלמשכ]+(?=.{3})/u;
/** Long vowels and the feminine ending, which often change between the forms of a word. */
const ARABIC_VOWELS = /(?!^)[اويهءئؤ]/gu;
const HEBREW_VOWELS = /(?!^)[ויה]/gu;

/**
 * @param word as returned by `words`
 * @returns lists of marked pieces, none of which is equal to a word. Each list describes the word alone.
 */
export function piecesOf(word: string): string[][] {
  switch (kindOf(word.codePointAt(0) ?? 0)) {
    case KIND.hangul:
      return syllables(word);
    case KIND.arabic:
      return consonants(word, ARABIC_PREFIX, ARABIC_VOWELS);
    case KIND.hebrew:
      return consonants(word, HEBREW_PREFIX, HEBREW_VOWELS);
    case KIND.indic:
      return [beginnings(word, SHORT_BEGINNINGS)];
    case KIND.latin:
    case KIND.cyrillic:
    case KIND.greek:
    case KIND.other:
      return [beginnings(word, BEGINNINGS)];
    default:
      return [];
  }
}

/** Pairs, and the first of them alone: most nouns have two syllables, and a particle follows. */
function syllables(word: string): string[][] {
  const pairs = pairsIn(word).map(pair => PIECE + pair);
  return pairs.length > 1 ? [pairs, pairs.slice(0, 1)] : [pairs];
}

function consonants(word: string, prefix: RegExp, vowels: RegExp): string[][] {
  const written = word.replace(prefix, '');
  return [written.replace(vowels, ''), written].map(each => beginnings(each, SHORT_BEGINNINGS));
}

function beginnings(word: string, lengths: readonly number[]): string[] {
  if (word.length < (lengths[0] as number) || HAS_NUMBER.test(word)) return [];
  return lengths.filter(length => word.length >= length).map(length => PIECE + word.slice(0, length));
}

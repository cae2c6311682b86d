/**
 * Finds the pieces by which inflected and compound words resemble each other: the beginning of a word in most scripts,
 * the beginning of its consonants in Arabic and Hebrew, pairs of characters in Hangul. They need no knowledge of the
 * language. Of the n-grams and stemmers that McNamee and Mayfield compare ("Character N-Gram Tokenization for European
 * Language Text Retrieval", 2004), beginnings of four or five letters are close to the best.
 */
import { KIND, kindOf } from './characters.js';
import { pairsIn } from './words.js';

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

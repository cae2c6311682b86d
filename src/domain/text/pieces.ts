/**
 * Finds the pieces by which inflected and compound words resemble each other: the beginning of a word in most scripts,
 * pairs of characters in Han, kana and Hangul, and the beginning of the consonants in Arabic and Hebrew. They need no
 * knowledge of the language. Of the n-grams and stemmers that McNamee and Mayfield compare ("Character N-Gram
 * Tokenization for European Language Text Retrieval", 2004), beginnings of four or five letters are close to the best.
 */

/** Marks a piece, so that it is never a word. */
const PIECE = '\u02d0';
const BEGINNINGS = [4, 6];
/** Three consonants are the usual root of a word. */
const CONSONANT_BEGINNINGS = [3, 5];
const PAIRED = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hangul}]+$/u;
const WITHOUT_PIECES = /[\p{N}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{Extended_Pictographic}]/u;
const ARABIC = /^\p{Script=Arabic}+$/u;
const HEBREW = /^\p{Script=Hebrew}+$/u;
/** "and", "in", "like", "for" and the article, which are written together with the word after them. */
const ARABIC_PREFIX = /^(?:[وف]?[بكل]?ال|[وف]?لل|[وف])(?=.{3})/u;
const HEBREW_PREFIX = /^[והבלמשכ]+(?=.{3})/u;
/** Long vowels and the feminine ending, which often change between the forms of a word. */
const ARABIC_VOWELS = /(?!^)[اويهءئؤ]/gu;
const HEBREW_VOWELS = /(?!^)[ויה]/gu;

/**
 * @param word as returned by `words`
 * @returns marked pieces, none of which is equal to a word
 */
export function piecesOf(word: string): string[] {
  if (WITHOUT_PIECES.test(word)) return [];
  if (PAIRED.test(word)) return pairs(word);
  if (ARABIC.test(word)) return consonants(word, ARABIC_PREFIX, ARABIC_VOWELS);
  if (HEBREW.test(word)) return consonants(word, HEBREW_PREFIX, HEBREW_VOWELS);
  return beginnings(word, BEGINNINGS);
}

function pairs(word: string): string[] {
  const characters = [...word];
  const found = new Set<string>();
  for (let at = 1; at < characters.length; at++) found.add(`${PIECE}${characters[at - 1]}${characters[at]}`);
  return [...found];
}

function consonants(word: string, prefix: RegExp, vowels: RegExp): string[] {
  return beginnings(word.replace(prefix, '').replace(vowels, ''), CONSONANT_BEGINNINGS);
}

function beginnings(word: string, lengths: readonly number[]): string[] {
  return lengths.filter(length => word.length >= length).map(length => PIECE + word.slice(0, length));
}

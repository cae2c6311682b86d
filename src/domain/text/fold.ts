/**
 * Folds letters that people write in several ways to one: accents, letters of fonts and widths, marks of vowels in
 * Arabic and Hebrew, digits of other scripts. Folding never depends on the language of a text, so that a text and a
 * question are folded alike.
 */
import { isAscii } from './characters.js';

/**
 * Characters that do not distinguish words: accents of Latin, Greek and Cyrillic letters, vowel marks of Arabic and
 * Hebrew, the Arabic tatweel, the nukta of Indic scripts, and invisible characters. Other marks carry meaning.
 */
const DROPPED =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the marks are dropped wherever they are
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u05f3\u05f4\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c\u09bc\u0a3c\u0abc\u00ad\u200d-\u200f\u202a-\u202e\u2060\ufe00-\ufe0f\ufeff]/gu;
/** Letters that Unicode does not decompose, and letters that stand for another at some place of a word. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  ı: 'i',
  ς: 'σ',
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ٱ: 'ا',
  ʼ: "'",
  ʻ: "'",
};
const OTHER_DIGIT = /(?![0-9])\p{Nd}/u;
const ZERO_WIDTH_NON_JOINER = '\u200c';
const ARABIC = /\p{Script=Arabic}/u;
/** Normalization sorts marks, which takes quadratic time. No language writes more marks on one letter. */
const MANY_MARKS = /(\p{M}{8})\p{M}+/gu;
/** A quick test for characters among which the marks are. Han characters and Hangul are not among them. */
const MAY_BE_MARK =
  /[\u0300-\u1dff\u20d0-\u20f0\u2ce0-\u2dff\u302a-\u309a\ua66f-\uabff\ud800-\udbff\ufb1e]|[\ufe00-\ufe2f]/;
/** The Thai and Lao vowels that normalization decomposes, and the dictionary of the segmenter knows composed only. */
const DECOMPOSED_AM = /\u0e4d\u0e32|\u0ecd\u0eb2/g;
/** Hebrew abbreviations are written with a quotation mark before the last letter. */
const MARK_IN_ABBREVIATION = /([\u05d0-\u05ea])["'](?=[\u05d0-\u05ea])/g;
const HAS_HEBREW_OR_AM = /[\u05d0-\u05ea\u0e4d\u0ecd]/;

const NOT_ASCII = /[\u0080-\uffff]/g;

/** What each UTF-16 unit becomes. */
const FOLDED = new Map<string, string>();

/** The text with folded letters. Capitals are kept, because they show where the parts of a name begin. */
export function fold(text: string): string {
  if (isAscii(text)) return text;
  const few = MAY_BE_MARK.test(text) ? text.replace(MANY_MARKS, '$1') : text;
  const composed = few.normalize('NFKC');
  const folded = composed.replace(NOT_ASCII, (unit, at: number) => {
    if (unit === ZERO_WIDTH_NON_JOINER) return forNonJoiner(composed, at);
    return FOLDED.get(unit) ?? foldUnit(unit);
  });
  if (!HAS_HEBREW_OR_AM.test(folded)) return folded;
  return folded.replace(DECOMPOSED_AM, composedAm).replace(MARK_IN_ABBREVIATION, '$1');
}

function foldUnit(unit: string): string {
  const plain = unit.normalize('NFKD').replace(DROPPED, '').normalize('NFC');
  const found = LETTERS[plain] ?? (OTHER_DIGIT.test(plain) ? String(digitValue(plain)) : plain);
  FOLDED.set(unit, found);
  return found;
}

/** Persian writes this character between the parts of a word that others write apart. */
function forNonJoiner(text: string, at: number): string {
  return ARABIC.test(text.charAt(at - 1)) ? ' ' : '';
}

function composedAm(am: string): string {
  return am.startsWith('\u0e4d') ? '\u0e33' : '\u0eb3';
}

/** The value of a decimal digit. Unicode lists the digits of a script in order, and some scripts have several sets. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) as number;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

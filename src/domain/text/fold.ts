/**
 * Folds letters that people write in several ways to one: accents, letters of fonts and widths, marks of vowels in
 * Arabic and Hebrew, digits of other scripts. Folding never depends on the language of a text, so that a text and a
 * question are folded alike.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, control characters included
const NOT_ASCII = /[^\x00-\x7f]/;
/**
 * Characters that do not distinguish words: accents of Latin, Greek and Cyrillic letters, vowel marks of Arabic and
 * Hebrew, the Arabic tatweel, and invisible characters. Marks of other scripts carry meaning and are kept.
 */
const DROPPED =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u05f3\u05f4\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200d-\u200f\u202a-\u202e\u2060\ufe00-\ufe0f\ufeff]/gu;
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
};
const REPLACED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
/** Digits of other scripts. */
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
/** Persian writes this character between the parts of a word that others write apart. */
const ZERO_WIDTH_NON_JOINER = /(\p{Script=Arabic})?\u200c/gu;
/** The Thai and Lao vowels that NFKD decomposes, and the dictionary of the segmenter knows composed only. */
const DECOMPOSED_AM = /\u0e4d(?=\u0e32)\u0e32|\u0ecd(?=\u0eb2)\u0eb2/g;
/** Normalization sorts marks, which takes quadratic time. No language writes more marks on one letter. */
const MANY_MARKS = /(\p{M}{8})\p{M}+/gu;

/** Hebrew abbreviations are written with a quotation mark before the last letter. */
const MARK_IN_ABBREVIATION = /(?<=\p{Script=Hebrew})["'](?=\p{Script=Hebrew})/gu;

/** The text with folded letters. Capitals are kept, because they show where the parts of a name begin. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text
    .replace(MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(ZERO_WIDTH_NON_JOINER, (_, arabic?: string) => (arabic ? `${arabic} ` : ''))
    .replace(DROPPED, '')
    .replace(MARK_IN_ABBREVIATION, '')
    .replace(REPLACED, letter => LETTERS[letter] as string)
    .replace(OTHER_DIGIT, digit => String(valueOf(digit)))
    .normalize('NFC')
    .replace(DECOMPOSED_AM, am => (am.startsWith('\u0e4d') ? '\u0e33' : '\u0eb3'));
}

/** The value of a decimal digit. Unicode lists the digits of a script in order, and some scripts have several sets. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) as number;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

/**
 * Translates phrases of other languages for spans of time into English, by `phrases.json`. Its tables cover what
 * chrono-node does not read, or reads as a single day: weeks, months, years, lengths of time, and months without a day.
 */
import BOOKS from './phrases.json' with { type: 'json' };

/**
 * The phrases of a language. All texts are regular expressions that match lower case, and ' stands for every apostrophe.
 * In the phrases, NUM is a number, UNIT a unit of time, MONTH and WEEKDAY their names, and YEAR four digits. The same
 * words in the English phrase stand for the translation.
 */
interface PhraseBook {
  /** Second, minute, hour, day, week, month, quarter, year. */
  units: readonly string[];
  /** One to ten. */
  numbers: readonly string[];
  months: readonly string[];
  /** Monday to Sunday. */
  weekdays: readonly string[];
  /** Words that may precede or surround an expression without changing it. */
  around: readonly string[];
  /** English phrases with patterns of this language. If several patterns match a whole text, the first one counts. */
  phrases: readonly (readonly string[])[];
  /** Words for a span that lasts until now, for one that ends, and for one from the first to the second capture. */
  since: string;
  until: string;
  range: string;
  /** Whether words are written without spaces. */
  isUnspaced?: boolean;
}

/** The phrases by the ISO 639-1 code of the language, in the order in which the languages are tried. */
export const PHRASE_BOOKS: Readonly<Record<string, PhraseBook>> = BOOKS;

/** A phrase in a text, with the English phrase that means the same. */
export interface FoundPhrase {
  text: string;
  index: number;
  english: string;
}

/** The phrases of a language, ready to be matched. */
export interface Phrases {
  since: RegExp;
  until: RegExp;
  range: RegExp;
  /** Matches words that may surround an expression without changing it. */
  around: RegExp;
  /** Returns the English phrase for a whole text in the form of `plainText`, or undefined if the table has none. */
  translate(text: string): string | undefined;
  /** Finds all phrases in a text in the form of `plainText`. They may overlap. */
  find(text: string): FoundPhrase[];
}

type Placeholder = 'NUM' | 'UNIT' | 'MONTH' | 'WEEKDAY' | 'YEAR';

const PLACEHOLDER = /NUM|UNIT|MONTH|WEEKDAY|YEAR/g;
/** The letters of the languages with spaces, and digits. The class of all letters takes far longer to compile. */
const LETTER = '[0-9a-z\\u00c0-\\u024f\\u0400-\\u04ff\\u0620-\\u06ff\\u1e00-\\u1eff]';
const ENGLISH_UNITS = 'second minute hour day week month quarter year'.split(' ');
const ENGLISH_MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const ENGLISH_WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const NUMBERS = Array.from({ length: 10 }, (_, index) => String(index + 1));

const known = new Map<string, Phrases>();

/** Converts a text to the form that the patterns match: lower case, composed characters and straight apostrophes. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\u2019\u02bc]/g, "'");
}

/** @param language a key of `PHRASE_BOOKS` */
export function phrasesOf(language: string): Phrases {
  const book = PHRASE_BOOKS[language];
  if (!book) throw new Error(`no phrases for the language ${language}`);
  const phrases = known.get(language) ?? compile(book);
  known.set(language, phrases);
  return phrases;
}

function compile(book: PhraseBook): Phrases {
  const lists: Record<Placeholder, (readonly [pattern: string, english: string])[]> = {
    NUM: [['\\d{1,4}', ''], ...listOf(book.numbers, NUMBERS)],
    UNIT: listOf(book.units, ENGLISH_UNITS),
    MONTH: listOf(book.months, ENGLISH_MONTHS),
    WEEKDAY: listOf(book.weekdays, ENGLISH_WEEKDAYS),
    YEAR: [['(?:19|20)\\d\\d', '']],
  };
  // Where words are written without spaces, a phrase must only not begin within a number.
  const [before, after] = book.isUnspaced ? ['(?<!\\d)', ''] : [`(?<!${LETTER})`, `(?!${LETTER})`];
  const rules = book.phrases.map(([english = '', pattern = '']) => {
    const source = pattern.replace(PLACEHOLDER, name => `(?<${name}>${alternativesOf(lists[name as Placeholder])})`);
    return {
      whole: new RegExp(`^(?:${source})$`, 'u'),
      anywhere: new RegExp(`${before}(?:${source})${after}`, 'gu'),
      inEnglish: ({ groups }: RegExpExecArray) =>
        english.replace(PLACEHOLDER, name => translateWord(groups?.[name] ?? '', lists[name as Placeholder])),
    };
  });
  const words = book.around.map(word => (word.endsWith("'") || book.isUnspaced ? word : `${word}${after}`));
  const around = book.isUnspaced ? words.join('|') : `(?<!${LETTER})(?:${words.join('|')})`;
  const leading = new RegExp(`^(?:(?:${around}) ?)+`, 'u');
  const translate = (text: string) => {
    for (const { whole, inEnglish } of rules) {
      const match = whole.exec(text);
      if (match) return inEnglish(match);
    }
    return undefined;
  };
  return {
    since: new RegExp(`^(?:${book.since})$`, 'u'),
    until: new RegExp(`^(?:${book.until})$`, 'u'),
    range: new RegExp(`^(?:${book.range})$`, 'u'),
    around: new RegExp(around, 'gu'),
    translate: text => translate(text) ?? translate(text.replace(leading, '')),
    find: text =>
      rules.flatMap(({ anywhere, inEnglish }) =>
        [...text.matchAll(anywhere)].map(match => ({ text: match[0], index: match.index, english: inEnglish(match) })),
      ),
  };
}

function listOf(patterns: readonly string[], english: readonly string[]): (readonly [string, string])[] {
  return patterns.map((pattern, index) => [pattern, english[index] ?? ''] as const);
}

function alternativesOf(list: readonly (readonly [pattern: string, english: string])[]): string {
  return list.map(([pattern]) => pattern).join('|');
}

/** Returns the English word, or the same word if it needs no translation. */
function translateWord(word: string, list: readonly (readonly [pattern: string, english: string])[]): string {
  const item = list.find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'u').test(word));
  return item?.[1] || word;
}

/// <reference path="./stopword.d.ts" />
/**
 * Guesses the language of a text by its script and its function words. A wrong guess costs little: it decides which
 * words of a question are stop words, which dates are read, and whether beginnings of words are indexed too.
 */
import * as lists from 'stopword';
import { KIND, type Kind, kindOf } from './characters.js';
import { dictionaryWords, words } from './words.js';

/** English words that carry no information about the topic of a text. */
const ENGLISH = `a about am an and any are as at be been being but by can could did do does doing for from had has have
  having he her hers him his how i if in into is it its me my no nor not of on or our ours over she should so some such
  than that the their theirs them then there these they this those to too us was we were what when where which while who
  whom whose why will with would you your yours`.split(/\s+/);

/** Stop words by language (ISO 639-1). The Finnish list of the package has English words, so it is left out. */
const STOP_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: ENGLISH,
  de: lists.deu,
  fr: lists.fra,
  es: lists.spa,
  it: lists.ita,
  pt: lists.por,
  nl: lists.nld,
  pl: lists.pol,
  tr: lists.tur,
  sv: lists.swe,
  da: lists.dan,
  nb: lists.nob,
  cs: lists.ces,
  sk: lists.slk,
  hu: lists.hun,
  ro: lists.ron,
  hr: lists.hrv,
  sl: lists.slv,
  ca: lists.cat,
  gl: lists.glg,
  eu: lists.eus,
  et: lists.est,
  lv: lists.lav,
  lt: lists.lit,
  ga: lists.gle,
  vi: lists.vie,
  id: lists.ind,
  ru: lists.rus,
  uk: lists.ukr,
  bg: lists.bul,
  ar: lists.ara,
  fa: lists.fas,
  ur: lists.urd,
  el: lists.ell,
  he: lists.heb,
  hi: lists.hin,
  ja: lists.jpn,
  ko: lists.kor,
  my: lists.mya,
  th: lists.tha,
  zh: lists.zho,
};

const LANGUAGES = Object.keys(STOP_WORDS);
const ENGLISH_INDEX = LANGUAGES.indexOf('en');
const ENGLISH_ONLY = ['en'];
/** Languages that need no words. Reading the lists of scripts without spaces would delay the first request. */
const KNOWN_BY_SCRIPT = new Set(['el', 'he', 'ja', 'ko', 'my', 'th', 'zh']);
/** The languages of kinds of letters in which mostly one language is written. */
const BY_KIND: ReadonlyMap<Kind, string> = new Map([
  [KIND.hangul, 'ko'],
  [KIND.hebrew, 'he'],
  [KIND.greek, 'el'],
]);
/** The languages of scripts without spaces. */
const UNSPACED: readonly [string, RegExp][] = [
  ['th', /\p{Script=Thai}/u],
  ['lo', /\p{Script=Lao}/u],
  ['my', /\p{Script=Myanmar}/u],
  ['km', /\p{Script=Khmer}/u],
];
/** Maximum number of UTF-16 units, and of words, that are read. A text is mostly in the language of its beginning. */
const READ_LENGTH = 500;
const READ_WORDS = 20;
/** Minimum share of kana in Japanese. Chinese quotes a Japanese name at most. */
const KANA_SHARE = 0.1;
/** Minimum number of function words of a language other than English; one less if a letter is not English. */
const FUNCTION_WORDS_MIN = 3;
const OTHER_LETTER = /(?![a-z])\p{L}/iu;
const PLAIN_WORD = /^[a-z]+$/;
const LATIN_LETTER = /\p{Script=Latin}/u;
const CAPITALIZED = /\p{Lu}[\p{L}\p{M}]*/gu;

/** By a word, the languages of which it is a function word, as indexes. */
type FunctionWords = ReadonlyMap<string, readonly number[]>;

let byWord: FunctionWords | undefined;
const stopWordsOf = new Map<string, ReadonlySet<string>>();

/** @returns an ISO 639-1 code, or undefined if the language is unknown */
export function languageOf(text: string): string | undefined {
  const languages = languagesOf(text);
  return languages.length === 1 ? languages[0] : undefined;
}

/**
 * Guesses the language of a text by its script and its function words. In Latin letters, it must have at least three of
 * them without a capital letter, except for the first word of a question: fewer are often words of another language, such
 * as Romanian "cat" and "face", or names. For English one is enough.
 *
 * @param known the words of the text, if they are known
 * @returns the most likely languages, which are equally likely; none if the language is unknown
 */
export function languagesOf(text: string, known?: readonly string[]): readonly string[] {
  const beginning = text.slice(0, READ_LENGTH);
  const read = (known ?? words(beginning)).slice(0, READ_WORDS);
  const ofScript = languagesOfScript(read);
  if (ofScript) return ofScript;
  const counts = countLanguages(read);
  const english = counts[ENGLISH_INDEX] as number;
  if (Math.max(...counts) > english && !LATIN_LETTER.test(beginning)) return mostFrequent(counts);
  const least = Math.max(english + 1, OTHER_LETTER.test(beginning) ? FUNCTION_WORDS_MIN - 1 : FUNCTION_WORDS_MIN);
  if (Math.max(...counts) >= least) {
    const firstLetter = beginning.includes('?') ? beginning.search(/\p{L}/u) : undefined;
    const withoutNames = beginning.replace(CAPITALIZED, (word, at: number) => (at === firstLetter ? word : ' '));
    const small = countLanguages(words(withoutNames));
    if (Math.max(...small) >= least) return mostFrequent(small);
  }
  return english > 0 ? ENGLISH_ONLY : [];
}

/** Whether a text is certainly English: no other language has as many of its words as function words. */
export function isEnglish(all: readonly string[]): boolean {
  const counts = countLanguages(all);
  const english = counts[ENGLISH_INDEX] as number;
  return english > 0 && counts.every((count, language) => language === ENGLISH_INDEX || count < english);
}

function mostFrequent(counts: Uint8Array): string[] {
  const most = Math.max(...counts);
  return LANGUAGES.filter((_, language) => counts[language] === most);
}

/** Counts for each language how many distinct words at the beginning of a text are its function words. */
function countLanguages(all: readonly string[]): Uint8Array {
  const known = wordLists();
  const counts = new Uint8Array(LANGUAGES.length);
  for (const word of new Set(all.slice(0, READ_WORDS))) {
    for (const language of known.get(word) ?? []) counts[language] = (counts[language] as number) + 1;
  }
  return counts;
}

/** The languages of a script that mostly one language uses. Undefined for a script of many languages. */
function languagesOfScript(read: readonly string[]): readonly string[] | undefined {
  const counts = new Map<Kind, number>();
  const kinds = read.map(word => kindOf(word.codePointAt(0) ?? 0)).filter(kind => kind !== KIND.digit);
  const isKana = (kind: Kind) => kind === KIND.kana;
  for (const kind of kinds.map(each => (isKana(each) ? KIND.han : each))) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const [most, count] = [...counts].sort((one, other) => other[1] - one[1] || one[0] - other[0])[0] ?? [];
  if (most === undefined || count === undefined) return undefined;
  if (most === KIND.han) return kinds.filter(isKana).length >= count * KANA_SHARE ? ['ja'] : ['zh'];
  if (most === KIND.unspaced) {
    const first = read.find(word => kindOf(word.charCodeAt(0)) === KIND.unspaced) ?? '';
    return UNSPACED.filter(([, script]) => script.test(first.charAt(0))).map(([language]) => language);
  }
  const language = BY_KIND.get(most);
  return language === undefined ? undefined : [language];
}

/** Reads the lists of function words, so that the first question does not wait for them. */
export function prepareLanguages(): void {
  wordLists();
}

function wordLists(): FunctionWords {
  byWord ??= readLists();
  return byWord;
}

/** Single letters are left out: they are also initials and parts of names. */
function readLists(): FunctionWords {
  const found = new Map<string, number[]>();
  const english = stopWords('en');
  for (const [index, language] of LANGUAGES.entries()) {
    if (KNOWN_BY_SCRIPT.has(language)) continue;
    for (const word of stopWords(language)) {
      // Folding makes "the" of Vietnamese "thế".
      const isOnlyFolded = english.has(word) && !STOP_WORDS[language]?.includes(word);
      if (word.length < 2 || isOnlyFolded) continue;
      const known = found.get(word);
      if (known) known.push(index);
      else found.set(word, [index]);
    }
  }
  return found;
}

/** The words of a language that carry no information about the topic of a text, folded. Empty if they are not known. */
export function stopWords(language: string): ReadonlySet<string> {
  const known = stopWordsOf.get(language);
  if (known) return known;
  const list = STOP_WORDS[language] ?? [];
  const found = new Set(list.filter(word => PLAIN_WORD.test(word)));
  // All at once, because the calls for single words would delay the first answer of a process.
  for (const word of dictionaryWords(list.filter(each => !found.has(each)).join('\n'))) found.add(word);
  stopWordsOf.set(language, found);
  return found;
}

/**
 * Whether a word is a stop word in each of the languages.
 *
 * @param languages as returned by `languagesOf`, by default English
 */
export function isStopWord(word: string, languages: readonly string[] = ENGLISH_ONLY): boolean {
  return languages.length > 0 && languages.every(language => stopWords(language).has(word));
}

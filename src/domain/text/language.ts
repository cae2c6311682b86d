/// <reference path="./stopword.d.ts" />
/**
 * Guesses the language of a text by its script and its function words. A wrong guess costs little: it decides which
 * words of a question are stop words, which dates are read, and whether beginnings of words are indexed too.
 */
import * as lists from 'stopword';
import { KIND, kindOf } from './characters.js';
import { dictionaryWords, lowerHalf, textHash, words } from './words.js';

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
/** Languages that need no words. Reading the lists of scripts without spaces would delay the first request. */
const KNOWN_BY_SCRIPT = new Set(['el', 'he', 'ja', 'ko', 'my', 'th', 'zh']);
const KINDS_MAX = Object.keys(KIND).length;
/** The languages of kinds of letters in which mostly one language is written. */
const BY_KIND: Readonly<Record<number, readonly string[]>> = {
  [KIND.hangul]: ['ko'],
  [KIND.hebrew]: ['he'],
  [KIND.greek]: ['el'],
};
const ENGLISH_ONLY = ['en'];
const JAPANESE = ['ja'];
const CHINESE = ['zh'];
/** The languages of scripts without spaces, by the Unicode block of a letter. */
const BY_BLOCK: ReadonlyMap<number, string> = new Map([
  [0x0e00, 'th'],
  [0x0e80, 'lo'],
  [0x1000, 'my'],
  [0x1780, 'km'],
]);
const BLOCK = 0x80;
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

/** The number of words of each language. Used by all calls, because making it would take longer than counting. */
const COUNTS = new Uint8Array(LANGUAGES.length);

/** A word, and the languages of which it is a function word. */
interface FunctionWord {
  languages: number[];
  /** The number of the last count in which the word occurred. */
  countedIn: number;
}

let countNumber = 0;
let byWord: Map<string, FunctionWord> | undefined;
let byHash: Map<number, FunctionWord> | undefined;
const stopWordsOf = new Map<string, ReadonlySet<string>>();

/** @returns an ISO 639-1 code, or undefined if the language is unknown */
export function languageOf(text: string): string | undefined {
  const languages = languagesOf(text);
  return languages.length === 1 ? languages[0] : undefined;
}

/**
 * Guesses the language of a text by its script and its function words. In Latin letters, it must have at least three of
 * them without a capital letter: fewer are often words of another language, such as Romanian "cat" and "face". For English
 * one is enough.
 *
 * @param known the words of the text, if they are known
 * @returns the most likely languages, which are equally likely; none if the language is unknown
 */
export function languagesOf(text: string, known?: readonly string[]): readonly string[] {
  const beginning = text.slice(0, READ_LENGTH);
  const read = (known ?? words(beginning)).slice(0, READ_WORDS);
  const byLetters = languageOfScript(read);
  if (byLetters) return byLetters;
  const mostOfAll = countLanguages(read, wordLists());
  const english = COUNTS[ENGLISH_INDEX] as number;
  if (mostOfAll > english && !LATIN_LETTER.test(beginning)) return languagesWith(mostOfAll);
  const least = Math.max(english + 1, OTHER_LETTER.test(beginning) ? FUNCTION_WORDS_MIN - 1 : FUNCTION_WORDS_MIN);
  if (mostOfAll >= least) {
    const most = countLanguages(words(beginning.replace(CAPITALIZED, ' ')).slice(0, READ_WORDS), wordLists());
    if (most >= least) return languagesWith(most);
  }
  return english > 0 ? ENGLISH_ONLY : [];
}

function languagesWith(count: number): string[] {
  return LANGUAGES.filter((_, language) => COUNTS[language] === count);
}

/** Whether a text is certainly English: no other language has as many of its words as function words. */
export function isEnglish(all: readonly string[]): boolean {
  countLanguages(all, wordLists());
  return isMostlyEnglish();
}

/** The same, from the lower halves of the hashes of the words. */
export function isEnglishByHash(hashes: Uint32Array): boolean {
  // Numbers of 31 bits and a sign are the fastest keys.
  countLanguages(new Int32Array(hashes.buffer, hashes.byteOffset, hashes.length), hashLists());
  return isMostlyEnglish();
}

function isMostlyEnglish(): boolean {
  const english = COUNTS[ENGLISH_INDEX] as number;
  return english > 0 && english === mostFrequent() && COUNTS.lastIndexOf(english) === ENGLISH_INDEX;
}

/** Reads the lists of function words, so that the first question does not wait for them. */
export function prepareLanguages(): void {
  wordLists();
  hashLists();
}

function hashLists(): Map<number, FunctionWord> {
  byHash ??= readLists(word => lowerHalf(textHash(word)) | 0);
  return byHash;
}

function wordLists(): Map<string, FunctionWord> {
  byWord ??= readLists(word => word);
  return byWord;
}

/** The language of a script that mostly one language uses. Undefined for a script of many languages. */
function languageOfScript(read: readonly string[]): readonly string[] | undefined {
  const counts = new Array<number>(KINDS_MAX).fill(0);
  for (const word of read) (counts[kindOf(word.codePointAt(0) ?? 0)] as number) += 1;
  const kana = counts[KIND.kana] as number;
  const hanAndKana = kana + (counts[KIND.han] as number);
  counts[KIND.han] = hanAndKana;
  counts[KIND.digit] = 0;
  const most = counts.indexOf(Math.max(...counts));
  if (most === KIND.han) return kana >= hanAndKana * KANA_SHARE ? JAPANESE : CHINESE;
  if (most === KIND.unspaced) return byBlock(read.find(word => kindOf(word.charCodeAt(0)) === KIND.unspaced) ?? '');
  return BY_KIND[most];
}

function byBlock(word: string): string[] {
  const code = word.charCodeAt(0);
  const language = BY_BLOCK.get(code - (code % BLOCK));
  return language === undefined ? [] : [language];
}

/**
 * Counts for each language how many distinct words of a text are its function words.
 *
 * @returns the highest count
 */
function countLanguages<Key>(keys: ArrayLike<Key>, known: ReadonlyMap<Key, FunctionWord>): number {
  COUNTS.fill(0);
  countNumber += 1;
  for (let at = 0; at < keys.length && at < READ_WORDS; at++) {
    const found = known.get(keys[at] as Key);
    if (found === undefined || found.countedIn === countNumber) continue;
    found.countedIn = countNumber;
    const { languages } = found;
    for (let index = 0; index < languages.length; index++) {
      const language = languages[index] as number;
      COUNTS[language] = (COUNTS[language] as number) + 1;
    }
  }
  return mostFrequent();
}

function mostFrequent(): number {
  let most = 0;
  for (let language = 0; language < COUNTS.length; language++) most = Math.max(most, COUNTS[language] as number);
  return most;
}

/** Single letters are left out: they are also initials and parts of names. */
function readLists<Key>(keyOf: (word: string) => Key): Map<Key, FunctionWord> {
  const found = new Map<Key, FunctionWord>();
  const english = stopWords('en');
  for (const [index, language] of LANGUAGES.entries()) {
    if (KNOWN_BY_SCRIPT.has(language)) continue;
    for (const word of stopWords(language)) {
      // Folding makes "the" of Vietnamese "thế".
      const isOnlyFolded = english.has(word) && !STOP_WORDS[language]?.includes(word);
      if (word.length < 2 || isOnlyFolded) continue;
      const known = found.get(keyOf(word));
      if (known) known.languages.push(index);
      else found.set(keyOf(word), { languages: [index], countedIn: 0 });
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

/**
 * Guesses the language of a text by its script and its function words. A wrong guess costs little: it decides which
 * words of a question are stop words, which dates are read, and whether beginnings of words are indexed too.
 */
import * as lists from 'stopword';
import { fold } from './text/fold.js';
import { words } from './text/words.js';
import { lowerHalf, textHash } from './text-hash.js';

/** English words that carry no information about the topic of a text. */
const ENGLISH = `a about am an and any are as at be been being but by can could did do does doing for from had has have
  having he her hers him his how i if in into is it its me my no nor not of on or our ours over she should so some such
  than that the their theirs them then there these they this those to too us was we were what when where which while who
  whom whose why will with would you your yours`.split(/\s+/);

/** Stop words by language (ISO 639-1). */
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
  fi: lists.fin,
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

/** Scripts in which mostly one language is written. */
const SCRIPTS: readonly [script: RegExp, language: string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Khmer}/gu, 'km'],
  [/\p{Script=Lao}/gu, 'lo'],
  [/\p{Script=Myanmar}/gu, 'my'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Armenian}/gu, 'hy'],
  [/\p{Script=Georgian}/gu, 'ka'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Bengali}/gu, 'bn'],
];
/** Scripts of several languages, which function words tell apart. */
const SHARED_SCRIPT = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}]/gu;
const OTHER_LETTER = /(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}])\p{L}/u;
/** Maximum number of UTF-16 units, and of words, that are read. A text is mostly in the language of its beginning. */
const READ_LENGTH = 500;
const READ_WORDS = 80;
/** Japanese is written with few kana between many Han characters. */
const KANA_COUNTS = 4;

let languagesByWord: Map<number, string[]> | undefined;
const stopWordsOf = new Map<string, ReadonlySet<string>>();

/** @returns an ISO 639-1 code, or undefined if the language is unknown */
export function languageOf(text: string): string | undefined {
  const languages = languagesOf(text);
  return languages.length === 1 ? languages[0] : undefined;
}

/** @returns the most likely languages of a text, which are equally likely; none if the language is unknown */
export function languagesOf(text: string): string[] {
  const beginning = text.slice(0, READ_LENGTH);
  if (OTHER_LETTER.test(beginning)) {
    const count = (script: RegExp) => beginning.match(script)?.length ?? 0;
    let [most, best]: [number, string | undefined] = [count(SHARED_SCRIPT), undefined];
    for (const [script, language] of SCRIPTS) {
      const letters = count(script) * (language === 'ja' ? KANA_COUNTS : 1);
      if (letters > most) [most, best] = [letters, language];
    }
    if (best !== undefined) return [best];
  }
  return languagesOfWords(words(beginning).map(word => lowerHalf(textHash(word))));
}

/**
 * Guesses the language of a text in Latin, Cyrillic, Arabic or Devanagari letters, like `languagesOf`.
 *
 * @param hashes the lower halves of the hashes of its words, in order
 */
export function languagesOfWords(hashes: ArrayLike<number>): string[] {
  languagesByWord ??= readLists();
  const counts = new Map<string, number>();
  for (let at = 0; at < hashes.length && at < READ_WORDS; at++) {
    for (const language of languagesByWord.get(hashes[at] as number) ?? []) {
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  let most = 0;
  for (const count of counts.values()) most = Math.max(most, count);
  return [...counts.keys()].filter(language => counts.get(language) === most);
}

function readLists(): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const language of Object.keys(STOP_WORDS)) {
    for (const word of stopWords(language)) {
      const hash = lowerHalf(textHash(word));
      const known = found.get(hash);
      if (known) known.push(language);
      else found.set(hash, [language]);
    }
  }
  return found;
}

/** The words of a language that carry no information about the topic of a text, folded. Empty if they are not known. */
export function stopWords(language: string): ReadonlySet<string> {
  const known = stopWordsOf.get(language);
  if (known) return known;
  const found = new Set((STOP_WORDS[language] ?? []).flatMap(word => words(fold(word))));
  stopWordsOf.set(language, found);
  return found;
}

const ENGLISH_ONLY = ['en'];

/** Whether a word is a stop word in each of the languages, by default in English. */
export function isStopWord(word: string, languages: readonly string[] = ENGLISH_ONLY): boolean {
  return languages.length > 0 && languages.every(language => stopWords(language).has(word));
}

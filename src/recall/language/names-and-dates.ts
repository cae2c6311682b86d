/** Finds the names and the dates in a query. */
import type { ParsedResult } from 'chrono-node';
import { isStopWord } from '../../domain/text/language.js';
import { queryTerms, stems } from '../../domain/text/terms.js';
import { words } from '../../domain/text/words.js';
import type { Now } from '../../time/calendar.js';
import { type Language, otherLanguageOf, prepareDateParser } from '../../time/date-parser.js';
import { parseDates, parseTimeQuery } from '../../time/time-window.js';
import { phrasesOf, plainText } from '../../time/translation.js';
import { BOUNDS, RANKING } from '../ranking-constants.js';

export interface NamedDate {
  /** Both ends are included. */
  fromMs: number;
  toMs: number;
  /** The terms of the query that belong to the date. */
  terms: ReadonlySet<string>;
}

/** Words after which "may" and "march" are months. After other words, both can also be verbs. */
const BEFORE_A_MONTH = /\b(?:in|during|of|since)\s+$/i;
/**
 * Expressions that do not name a day. A query about "now" does not ask when something was noted, and "3/4" is
 * usually a fraction.
 */
const NO_DATE = /\bnow$|^\d{1,2}\/\d{1,2}$/i;

/**
 * Maximum number of characters of a query that are read. A longer query is a pasted text, and its beginning shows
 * its subject.
 */
const QUESTION_MAX_LENGTH = 500;

/** Maximum number of dates. A query with more dates is a list, and each date costs a search. */
const DATES_MAX = 5;

/**
 * Matches every query that may contain a date. Every English expression for a day or a month that the library reads
 * contains a digit or a word with one of these beginnings. Most queries have neither, and parsing dates costs more
 * than a word search.
 */
const BEGINNINGS = [
  'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun',
  'now|today|tonight|tomorrow|overmorrow|tmr|yesterday|morning|noon|afternoon|evening|night|mid(?:night|day)',
  'sec|min|hour|hrs?\\b|day|week|month|mos?\\b|quarter|qtr|year|yrs?\\b|decade|fortnight|weekend|[smhdwy]\\b|[ap]m\\b',
  'ago|later|earlier|hence|after|before|within|last|past|next|this|previous|coming',
];
const MAY_NAME_A_DATE = new RegExp(`\\d|\\b(?:${BEGINNINGS.join('|')})`, 'i');

/** A text that may be a date, and the window that it means if it is one. */
interface PossibleDate {
  text: string;
  index: number;
  read(): NamedDate | undefined;
}

/** Whether a query may name a date in English. If false, no such date is found, and the library need not be loaded. */
export function mayNameDates(query: string): boolean {
  return MAY_NAME_A_DATE.test(query.slice(0, QUESTION_MAX_LENGTH));
}

/**
 * Finds the dates that a query names, in English and in the language of the query. "What did we decide on 3 May?" asks
 * for memories noted on that day, and hardly any memory contains its own date. Loads the libraries it needs.
 */
export async function datesNamed(text: string, now: Now): Promise<NamedDate[]> {
  const start = text.slice(0, QUESTION_MAX_LENGTH);
  const language = otherLanguageOf(start);
  const query = language ? plainText(start) : start;
  const isPossible = mayNameDates(query);
  if (isPossible) await prepareDateParser();
  if (language) await Promise.all([prepareDateParser(), prepareDateParser(language)]);
  const possible = isPossible ? possibleInEnglish(query, now) : [];
  const dates: NamedDate[] = [];
  for (const { read } of language ? longest([...possibleIn(language, query, now), ...possible]) : possible) {
    const date = read();
    if (date) dates.push(date);
    if (dates.length === DATES_MAX) break;
  }
  if (dates.length === 0) return dates;
  // Whether a word is a stop word depends on the language of the whole query.
  const terms = new Set(queryTerms(text));
  return dates.map(date => ({ ...date, terms: new Set([...date.terms].filter(term => terms.has(term))) }));
}

function possibleInEnglish(query: string, now: Now): PossibleDate[] {
  return parseDates(query, now).map(said => ({
    text: said.text,
    index: said.index,
    read: () => {
      const isMonth = said.start.isCertain('year') || BEFORE_A_MONTH.test(query.slice(0, said.index));
      return NO_DATE.test(said.text) ? undefined : dateSaid(said, isMonth, now);
    },
  }));
}

/** The dates that the library for a language finds, and the phrases that mean a date when translated into English. */
function possibleIn(language: Language, query: string, now: Now): PossibleDate[] {
  const phrases = phrasesOf(language).find(query);
  return [
    ...phrases.map(({ text, index, english }) => ({
      text,
      index,
      read: () => {
        const [date] = possibleInEnglish(english, now).flatMap(({ read }) => read() ?? []);
        return date && { ...date, terms: new Set(stems(text)) };
      },
    })),
    ...parseDates(query, { ...now, language })
      .filter(({ text }) => !NO_DATE.test(text.trim()))
      .map(said => ({
        text: said.text.trimEnd(),
        index: said.index,
        read: () => dateSaid(said, said.start.isCertain('year'), { ...now, language }),
      })),
  ];
}

/** Of dates that overlap, keeps the longest: "3. Mai 2024" rather than "Mai 2024". Returns them in order of the text. */
function longest(possible: readonly PossibleDate[]): PossibleDate[] {
  const kept: PossibleDate[] = [];
  for (const one of possible.toSorted((a, b) => b.text.length - a.text.length)) {
    const isFree = kept.every(
      ({ index, text }) => one.index >= index + text.length || index >= one.index + one.text.length,
    );
    if (isFree) kept.push(one);
  }
  return kept.sort((a, b) => a.index - b.index);
}

/** @param isMonth whether a month without a day is a date */
function dateSaid(
  { text, start }: ParsedResult,
  isMonth: boolean,
  context: Now & { language?: Language },
): NamedDate | undefined {
  if (!start.isCertain('month') || !(start.isCertain('day') || isMonth)) return undefined;
  const { fromMs, toMs } = parseTimeQuery(text, context) ?? {};
  // Skip future dates, because memories cannot have been noted in the future.
  if (fromMs === undefined || toMs === undefined || fromMs > context.nowMs) return undefined;
  return { fromMs, toMs, terms: new Set(stems(text)) };
}

/** How well an instant fits a date: 1 within the date, less than 1 soon after it, otherwise 0. */
export function presenceInTime({ fromMs, toMs }: NamedDate, instantMs: number): number {
  if (instantMs < fromMs || instantMs > toMs + BOUNDS.notedLaterMs) return 0;
  return instantMs <= toMs ? 1 : RANKING.presenceSoonAfter;
}

const CAPITALIZED = /\p{Lu}\p{Ll}+(?:['’]s)?(?![\p{L}\p{N}])/gu;
const BLANK = /\s/;
const SENTENCE_ENDS = '.!?:';
/**
 * Minimum number of meaningful words without the names. They must also be at least half of the meaningful words of the
 * query, because some languages capitalize every noun.
 */
const MEANINGFUL_WORDS_MIN = 2;

/**
 * The query without its names; undefined when it has no names, or when too little is left. For a sentence encoder a name
 * outweighs the other words of a query: every memory that mentions Anna is near "What does Anna cook?".
 */
export function withoutNames(query: string): string | undefined {
  const without = query.replace(CAPITALIZED, (word, at: number) => (isAmidSentence(query, at) ? '' : word));
  const rest = without.replace(/\s+/g, ' ').trim();
  if (rest === query.replace(/\s+/g, ' ').trim()) return undefined;
  const left = meaningfulCount(rest);
  return left >= MEANINGFUL_WORDS_MIN && left * 2 >= meaningfulCount(query) ? rest : undefined;
}

/** Names in the query, in order. A capital at the beginning of a sentence does not mark a name. */
export function namesIn(query: string): string[] {
  return [...query.matchAll(CAPITALIZED)].filter(({ index }) => isAmidSentence(query, index)).map(([name]) => name);
}

/** A name such as C++ or C#, a version, or an address of a machine. */
const IDENTIFIER = /(?<![\p{L}\p{N}])(?:\p{L}(?:\+\+|#)|v?\d+(?:\.\d+){2,})(?![\p{L}\p{N}])/giu;

/**
 * Terms by which a query names one of several things that differ in a character. Other names and numbers do not count:
 * "Does it still cost 29 euros?" may name the former value.
 */
export function identifyingTerms(query: string): Set<string> {
  return new Set([...query.matchAll(IDENTIFIER)].flatMap(([written]) => queryTerms(written)));
}

/**
 * Whether a word is not the first word of a sentence. Checks the white space before the word only once, because a
 * look-behind pattern over a run of white space would restart at each character.
 */
function isAmidSentence(query: string, at: number): boolean {
  let end = at;
  while (end > 0 && BLANK.test(query.charAt(end - 1))) end -= 1;
  return end > 0 && end < at && !SENTENCE_ENDS.includes(query.charAt(end - 1));
}

function meaningfulCount(text: string): number {
  return words(text).filter(word => !isStopWord(word)).length;
}

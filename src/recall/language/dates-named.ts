/**
 * Finds the dates that a question names. "What did we decide on 3 May?" asks for memories noted on that day, and hardly
 * any memory contains its own date.
 */
import type { ParsedResult } from 'chrono-node';
import { queryTerms } from '../../domain/text/terms.js';
import { dateParser } from '../../time/date-parser.js';
import { parseTimeQuery } from '../../time/time-window.js';
import { BOUNDS, RANKING } from '../ranking-constants.js';

export interface NamedDate {
  /** Both ends are included. */
  fromMs: number;
  toMs: number;
  /** The terms of the question that belong to the date. */
  terms: ReadonlySet<string>;
}

/** Words after which "may" and "march" are months. After other words, both can also be verbs. */
const BEFORE_A_MONTH = /\b(?:in|during|of|since)\s+$/i;
/**
 * Expressions that do not name a day. A question about "now" does not ask when something was noted, and "3/4" is
 * usually a fraction.
 */
const NO_DATE = /\bnow$|^\d{1,2}\/\d{1,2}$/i;

/**
 * Maximum number of characters of a question that are read. A longer question is a pasted text, and its beginning shows
 * its subject.
 */
const QUESTION_MAX_LENGTH = 500;

/** Maximum number of dates. A question with more dates is a list, and each date costs a search. */
const DATES_MAX = 5;

/**
 * Matches every question that may contain a date. Every English expression for a day or a month that the library reads
 * contains a digit or a word with one of these beginnings. Most questions have neither, and parsing dates costs more
 * than a word search.
 */
const BEGINNINGS = [
  'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun',
  'now|today|tonight|tomorrow|overmorrow|tmr|yesterday|morning|noon|afternoon|evening|night|mid(?:night|day)',
  'sec|min|hour|hrs?\\b|day|week|month|mos?\\b|quarter|qtr|year|yrs?\\b|decade|fortnight|weekend|[smhdwy]\\b|[ap]m\\b',
  'ago|later|earlier|hence|after|before|within|last|past|next|this|previous|coming',
];
const MAY_NAME_A_DATE = new RegExp(`\\d|\\b(?:${BEGINNINGS.join('|')})`, 'i');

/** Whether a question may name a date. If false, `datesNamed` finds no date, and the library need not be loaded. */
export function mayNameDates(question: string): boolean {
  return MAY_NAME_A_DATE.test(question.slice(0, QUESTION_MAX_LENGTH));
}

/** @param nowMs the instant of the question */
export function datesNamed(asked: string, nowMs: number): NamedDate[] {
  if (!mayNameDates(asked)) return [];
  const question = asked.slice(0, QUESTION_MAX_LENGTH);
  const dates: NamedDate[] = [];
  for (const said of dateParser().parse(question, { instant: new Date(nowMs), timezone: 0 })) {
    const date = dateSaid(said, question, nowMs);
    if (date) dates.push(date);
    if (dates.length === DATES_MAX) break;
  }
  return dates;
}

function dateSaid({ text, index, start }: ParsedResult, question: string, nowMs: number): NamedDate | undefined {
  const isDay = start.isCertain('month') && start.isCertain('day');
  const isMonth =
    start.isCertain('month') && (start.isCertain('year') || BEFORE_A_MONTH.test(question.slice(0, index)));
  if (NO_DATE.test(text) || !(isDay || isMonth)) return undefined;
  const { fromMs, toMs } = parseTimeQuery(text, nowMs) ?? {};
  // Skip future dates, because memories cannot have been noted in the future.
  if (fromMs === undefined || toMs === undefined || fromMs > nowMs) return undefined;
  return { fromMs, toMs, terms: new Set(queryTerms(text)) };
}

/** How well an instant fits a date: 1 within the date, less than 1 soon after it, otherwise 0. */
export function presenceInTime({ fromMs, toMs }: NamedDate, instantMs: number): number {
  if (instantMs < fromMs || instantMs > toMs + BOUNDS.notedLaterMs) return 0;
  return instantMs <= toMs ? 1 : RANKING.toldLater;
}

/**
 * Dates that a question names. "What did we decide on 3 May?" asks for what was noted that day, and hardly any memory spells
 * out its own date.
 */
import type { ParsedResult } from 'chrono-node';
import { queryTerms } from '../../domain/text.js';
import { MS_PER_DAY } from '../../domain/time.js';
import { dateParser } from '../../time/date-parser.js';
import { parseTimeQuery } from '../../time/time-window.js';

export interface NamedDate {
  /** Both ends belong to it. */
  fromMs: number;
  toMs: number;
  /** The terms of the question that say it. */
  terms: ReadonlySet<string>;
}

/** What happened on a day is often told in the days after it. */
export const TOLD_LATER_MS = 7 * MS_PER_DAY;
const TOLD_LATER_PRESENCE = 0.5;

/** "may" and "march" are verbs too; after one of these they are months. */
const BEFORE_A_MONTH = /\b(?:in|during|of|since)\s+$/i;
/** Neither is a day: what is asked of now is no matter of when it was noted, and "3/4" is mostly a fraction. */
const NO_DATE = /\bnow$|^\d{1,2}\/\d{1,2}$/i;

/** Longer questions are pasted texts; their beginning says what they are about. */
const QUESTION_MAX_LENGTH = 500;

/** A question that names more is a list; each date costs a search of its own. */
const DATES_MAX = 5;

/**
 * Each expression of a day or a month that the library reads in English has a digit or a word that begins so. Most questions
 * have none, and reading them costs more than a search of their words.
 */
const BEGINNINGS = [
  'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun',
  'now|today|tonight|tomorrow|overmorrow|tmr|yesterday|morning|noon|afternoon|evening|night|mid(?:night|day)',
  'sec|min|hour|hrs?\\b|day|week|month|mos?\\b|quarter|qtr|year|yrs?\\b|decade|fortnight|weekend|[smhdwy]\\b|[ap]m\\b',
  'ago|later|earlier|hence|after|before|within|last|past|next|this|previous|coming',
];
const MAY_NAME_A_DATE = new RegExp(`\\d|\\b(?:${BEGINNINGS.join('|')})`, 'i');

/** False only where `datesNamed` finds nothing, and then it needs no library. */
export function mayNameDates(question: string): boolean {
  return MAY_NAME_A_DATE.test(question.slice(0, QUESTION_MAX_LENGTH));
}

/** @param nowMs the instant at which the question is asked */
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
  // Nothing has been noted in the future.
  if (fromMs === undefined || toMs === undefined || fromMs > nowMs) return undefined;
  return { fromMs, toMs, terms: new Set(queryTerms(text)) };
}

/** How far an instant fits a date: 1 within it, less soon after it, 0 otherwise. */
export function presenceInTime({ fromMs, toMs }: NamedDate, instantMs: number): number {
  if (instantMs < fromMs || instantMs > toMs + TOLD_LATER_MS) return 0;
  return instantMs <= toMs ? 1 : TOLD_LATER_PRESENCE;
}

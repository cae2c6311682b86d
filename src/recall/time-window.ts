/** Time expressions in words, as windows on the creation time. All spans are in UTC, weeks begin on Monday (decisions D23). */
import { en, type ParsedComponents, type ParsedResult } from 'chrono-node';
import { MS_PER_DAY } from '../domain/time.js';

/** Both ends belong to it; an open side has no bound. */
export interface TimeWindow {
  fromMs?: number;
  toMs?: number;
}

type Unit = 'hour' | 'day' | 'week' | 'month' | 'year';

const MS_PER_HOUR = 3_600_000;
const NUMBER_WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const CALENDAR_SPAN = /^(this|last|previous) (week|month|year)$/;
const ROLLING_SPAN =
  /^(?:in |within |over |during )?(?:the )?(?:past|last|previous) (?:(\d{1,4}|[a-z]+) )?(hour|day|week|month|year)s?$/;
const WHOLE_YEAR = /^(?:in |during )?((?:19|20)\d{2})$/;
const SINCE = /^(?:since|after|from) (.+)$/;
const UNTIL = /^(?:until|till|before|up to) (.+)$/;
const HOURS_AGO = /^(?:about |around )?(\d{1,4}|[a-z]+) hours? ago$/;
/** Words that may stand around an expression without changing it. */
const FILLERS = /\b(?:in|on|at|the|during|of|around|about|sometime|from|between|and|to|this)\b/g;

/**
 * Reads a time expression.
 *
 * @param nowMs the instant it is said
 * @returns undefined when it is none
 */
export function parseTimeQuery(phrase: string, nowMs: number): TimeWindow | undefined {
  const text = phrase.trim().toLowerCase().replace(/\s+/g, ' ');
  const since = SINCE.exec(text)?.[1];
  const until = UNTIL.exec(text)?.[1];
  // "from May to June" is one span, not an open one.
  const span = readSpan(text, nowMs);
  if (span) return span;
  if (since !== undefined) return bounded({ fromMs: readSpan(since, nowMs)?.fromMs, toMs: nowMs });
  if (until !== undefined) return bounded({ toMs: before(readSpan(until, nowMs)?.fromMs) });
  return undefined;
}

function bounded({ fromMs, toMs }: { fromMs?: number | undefined; toMs?: number | undefined }): TimeWindow | undefined {
  if (toMs === undefined) return undefined;
  if (fromMs === undefined) return { toMs };
  return { fromMs, toMs };
}

function before(instantMs: number | undefined): number | undefined {
  return instantMs === undefined ? undefined : instantMs - 1;
}

function readSpan(text: string, nowMs: number): Required<TimeWindow> | undefined {
  if (text === 'today' || text === 'this day') return unitAround(nowMs, 'day');
  if (text === 'yesterday') return unitAround(nowMs - MS_PER_DAY, 'day');
  const calendar = CALENDAR_SPAN.exec(text);
  if (calendar) return calendarSpan(calendar[2] as Unit, calendar[1] === 'this' ? 0 : -1, nowMs);
  const rolling = ROLLING_SPAN.exec(text);
  const count = rolling && readCount(rolling[1] ?? '1');
  if (rolling && count) return { fromMs: shift(nowMs, rolling[2] as Unit, -count), toMs: nowMs };
  const year = WHOLE_YEAR.exec(text)?.[1];
  if (year) return unitAround(Date.UTC(Number(year), 0, 1), 'year');
  const hoursAgo = readCount(HOURS_AGO.exec(text)?.[1] ?? '');
  if (hoursAgo) return around(nowMs - hoursAgo * MS_PER_HOUR, MS_PER_HOUR);
  return readByChrono(text, nowMs);
}

function readCount(text: string): number | undefined {
  const number = /^\d+$/.test(text) ? Number(text) : NUMBER_WORDS.indexOf(text);
  return number > 0 ? number : undefined;
}

function around(centreMs: number, widthMs: number): Required<TimeWindow> {
  return { fromMs: centreMs - widthMs / 2, toMs: centreMs + widthMs / 2 };
}

function calendarSpan(unit: Unit, offset: number, nowMs: number): Required<TimeWindow> {
  return unitAround(shift(startOf(unit, nowMs), unit, offset), unit);
}

/** The whole unit that an instant lies in. */
function unitAround(instantMs: number, unit: Unit): Required<TimeWindow> {
  const fromMs = startOf(unit, instantMs);
  return { fromMs, toMs: shift(fromMs, unit, 1) - 1 };
}

function startOf(unit: Unit, instantMs: number): number {
  const date = new Date(instantMs);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (unit) {
    case 'hour':
      return instantMs - (instantMs % MS_PER_HOUR);
    case 'day':
      return Date.UTC(year, month, day);
    case 'week':
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7));
    case 'month':
      return Date.UTC(year, month, 1);
    case 'year':
      return Date.UTC(year, 0, 1);
  }
}

function shift(instantMs: number, unit: Unit, count: number): number {
  if (unit === 'hour') return instantMs + count * MS_PER_HOUR;
  if (unit === 'day') return instantMs + count * MS_PER_DAY;
  if (unit === 'week') return instantMs + count * 7 * MS_PER_DAY;
  const date = new Date(instantMs);
  const months = unit === 'month' ? count : 12 * count;
  const target = new Date(instantMs);
  target.setUTCDate(1);
  target.setUTCMonth(date.getUTCMonth() + months);
  // One month before 31 March is the last of February.
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return target.getTime();
}

/** Everything else, where the library understands the whole phrase and not only some word of it. */
function readByChrono(text: string, nowMs: number): Required<TimeWindow> | undefined {
  const [result, ...others] = en.casual.parse(text, { instant: new Date(nowMs), timezone: 0 });
  if (!result || others.length > 0) return undefined;
  const rest = text.replace(result.text, ' ').replace(FILLERS, ' ').trim();
  return rest === '' ? spanOf(result, nowMs) : undefined;
}

function spanOf({ start, end }: ParsedResult, nowMs: number): Required<TimeWindow> {
  const first = unitAround(inThePast(start, nowMs), precisionOf(start));
  return end ? { fromMs: first.fromMs, toMs: unitAround(end.date().getTime(), precisionOf(end)).toMs } : first;
}

function precisionOf(components: ParsedComponents): Unit {
  if (components.isCertain('hour')) return 'hour';
  if (components.isCertain('day') || components.isCertain('weekday')) return 'day';
  return components.isCertain('month') ? 'month' : 'day';
}

/** Memories are of the past: "in May", said in March, is last year's. */
function inThePast(components: ParsedComponents, nowMs: number): number {
  const instantMs = components.date().getTime();
  if (instantMs <= nowMs || components.isCertain('year')) return instantMs;
  const isWeekday = components.isCertain('weekday') && !components.isCertain('month');
  return isWeekday ? shift(instantMs, 'week', -1) : shift(instantMs, 'year', -1);
}

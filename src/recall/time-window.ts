/** Time expressions in words, as windows on the creation time. All spans are in UTC, weeks begin on Monday (decisions D23). */
import type { ParsedComponents, ParsedResult } from 'chrono-node';
// The package itself would load a dozen languages, with every start of the process.
import { casual } from 'chrono-node/en';
import { MS_PER_DAY } from '../domain/time.js';

/** Both ends belong to it; an open side has no bound. */
export interface TimeWindow {
  fromMs?: number;
  toMs?: number;
}

type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
type Span = Required<TimeWindow>;

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;
const SPAN_MS: Partial<Record<Unit, number>> = {
  minute: MS_PER_MINUTE,
  hour: MS_PER_HOUR,
  day: MS_PER_DAY,
  week: 7 * MS_PER_DAY,
};
const SPAN_MONTHS: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12 };
/** First and last instant that ISO 8601 writes with four digits for the year. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

const CALENDAR_SPAN = /^(?:in |during )?(this|last|previous|next) (week|month|quarter|year)$/;
const WEEKEND = /^(?:on |over )?(?:the )?(this|last|past|previous) weekend$/;
const ROLLING_SPAN =
  /^(?:in |within |over |during )?(?:the )?(?:past|last|previous) (?:(.+) )?(minute|hour|day|week|month|quarter|year)s?$/;
const AGO = /^(?:about |around )?(\d{1,4}|[a-z]+) (hour|day|week|month|year)s? ago$/;
const WHOLE_YEAR = /^(?:in |during )?((?:19|20)\d{2})$/;
const WHOLE_MONTH = /^(?:in |during )?(\d{4})-(0[1-9]|1[0-2])$/;
const RANGE = /^(?:from )?(.+?) (?:to|until|till) (.+)$|^between (.+?) and (.+)$/;
const SINCE = /^(?:since|from) (.+)$/;
const AFTER = /^after (.+)$/;
const UNTIL = /^(?:until|till|before|up to) (.+)$/;
const NUMBER_PHRASES: readonly [RegExp, string][] = [
  [/\b(?:a )?couple(?: of)? /g, 'two '],
  [/\b(?:a )?few /g, 'three '],
];
/** Words that may stand around an expression without changing it. */
const FILLERS = /\b(?:in|on|at|the|during|of|around|about|sometime|from|this)\b/g;

/**
 * Reads a time expression.
 *
 * @param nowMs the instant it is said
 * @returns undefined when it is none
 */
export function parseTimeQuery(phrase: string, nowMs: number): TimeWindow | undefined {
  let text = phrase.trim().toLowerCase().replace(/\s+/g, ' ');
  for (const [pattern, number] of NUMBER_PHRASES) text = text.replace(pattern, number);
  const window = readRange(text, nowMs) ?? readOpen(text, nowMs) ?? readSpan(text, nowMs);
  return window && isPossible(window) ? window : undefined;
}

function isPossible({ fromMs = EARLIEST_MS, toMs = LATEST_MS }: TimeWindow): boolean {
  return fromMs >= EARLIEST_MS && fromMs <= toMs && toMs <= LATEST_MS;
}

/** "from May to June": from the beginning of the one to the end of the other. */
function readRange(text: string, nowMs: number): Span | undefined {
  const [, from, to, first = from, last = to] = RANGE.exec(text) ?? [];
  const end = readSpan(last ?? '', nowMs);
  if (first === undefined || !end) return undefined;
  const start = readSpan(first, nowMs);
  if (start && start.fromMs <= end.toMs) return { fromMs: start.fromMs, toMs: end.toMs };
  // "between October and March 2025": the October before that March.
  const startBeforeEnd = readSpan(first, end.toMs);
  return startBeforeEnd && { fromMs: startBeforeEnd.fromMs, toMs: end.toMs };
}

function readOpen(text: string, nowMs: number): TimeWindow | undefined {
  if (RANGE.test(text) && !UNTIL.test(text)) return undefined;
  const since = spanAfter(SINCE, text, nowMs);
  if (since) return { fromMs: since.fromMs, toMs: nowMs };
  const after = spanAfter(AFTER, text, nowMs);
  if (after) return { fromMs: after.toMs + 1, toMs: nowMs };
  const until = spanAfter(UNTIL, text, nowMs);
  return until && { toMs: until.fromMs - 1 };
}

function spanAfter(pattern: RegExp, text: string, nowMs: number): Span | undefined {
  const said = pattern.exec(text)?.[1];
  return said === undefined ? undefined : readSpan(said, nowMs);
}

function readSpan(text: string, nowMs: number): Span | undefined {
  if (text === 'today' || text === 'this day') return unitAround(nowMs, 'day');
  if (text === 'yesterday') return unitAround(nowMs - MS_PER_DAY, 'day');
  const calendar = CALENDAR_SPAN.exec(text);
  if (calendar) return calendarSpan(calendar[2] as Unit, offsetOf(calendar[1]), nowMs);
  const weekend = WEEKEND.exec(text);
  if (weekend) return weekendOf(calendarSpan('week', offsetOf(weekend[1]), nowMs));
  const rolling = ROLLING_SPAN.exec(text);
  if (rolling) return rollingSpan(readCount(rolling[1] ?? 'one'), rolling[2] as Unit, nowMs);
  const ago = AGO.exec(text);
  const count = readCount(ago?.[1] ?? '');
  if (ago && count) return spanAgo(count, ago[2] as Unit, nowMs);
  const year = WHOLE_YEAR.exec(text)?.[1];
  if (year) return unitAround(Date.UTC(Number(year), 0, 1), 'year');
  const month = WHOLE_MONTH.exec(text);
  if (month) return unitAround(Date.parse(`${month[1]}-${month[2]}-01T00:00:00Z`), 'month');
  return readByChrono(text, nowMs);
}

function readCount(text: string): number | undefined {
  if (text === 'a' || text === 'an') return 1;
  const number = /^\d+$/.test(text) ? Number(text) : NUMBER_WORDS.indexOf(text);
  return number > 0 ? number : undefined;
}

function offsetOf(word: string | undefined): number {
  return word === 'this' ? 0 : word === 'next' ? 1 : -1;
}

function calendarSpan(unit: Unit, offset: number, nowMs: number): Span {
  return unitAround(shift(startOf(unit, nowMs), unit, offset), unit);
}

function weekendOf({ toMs }: Span): Span {
  return { fromMs: toMs + 1 - 2 * MS_PER_DAY, toMs };
}

function rollingSpan(count: number | undefined, unit: Unit, nowMs: number): Span | undefined {
  if (count === undefined) return undefined;
  const fromMs = shift(nowMs, unit, -count);
  return { fromMs: Math.max(fromMs, EARLIEST_MS), toMs: nowMs };
}

/** People who say "two weeks ago" mean no single day; an hour has no name, so it is the one around the instant. */
function spanAgo(count: number, unit: Unit, nowMs: number): Span {
  const instantMs = shift(nowMs, unit, -count);
  if (unit === 'hour') return { fromMs: instantMs - MS_PER_HOUR / 2, toMs: instantMs + MS_PER_HOUR / 2 };
  return unitAround(instantMs, unit);
}

/** The whole unit that an instant lies in. */
function unitAround(instantMs: number, unit: Unit): Span {
  const fromMs = startOf(unit, instantMs);
  return { fromMs, toMs: shift(fromMs, unit, 1) - 1 };
}

function startOf(unit: Unit, instantMs: number): number {
  const date = new Date(instantMs);
  const [month, day] = [date.getUTCMonth(), date.getUTCDate()];
  if (unit === 'minute' || unit === 'hour') return date.setUTCMinutes(unit === 'hour' ? 0 : date.getUTCMinutes(), 0, 0);
  date.setUTCHours(0, 0, 0, 0);
  if (unit === 'day') return date.getTime();
  if (unit === 'week') return date.setUTCDate(day - ((date.getUTCDay() + 6) % 7));
  if (unit === 'year') return date.setUTCMonth(0, 1);
  return date.setUTCMonth(unit === 'quarter' ? month - (month % 3) : month, 1);
}

function shift(instantMs: number, unit: Unit, count: number): number {
  const spanMs = SPAN_MS[unit];
  if (spanMs !== undefined) return instantMs + count * spanMs;
  const date = new Date(instantMs);
  const target = new Date(instantMs);
  target.setUTCDate(1);
  target.setUTCMonth(date.getUTCMonth() + count * (SPAN_MONTHS[unit] ?? 0));
  // One month before 31 March is the last of February.
  const nextMonth = new Date(target).setUTCMonth(target.getUTCMonth() + 1);
  const lastDay = new Date(nextMonth - MS_PER_DAY).getUTCDate();
  return target.setUTCDate(Math.min(date.getUTCDate(), lastDay));
}

/** Everything else, where the library understands the whole phrase and not only some word of it. */
function readByChrono(text: string, nowMs: number): Span | undefined {
  const [result, ...others] = casual.parse(text.replace(/^from /, ''), { instant: new Date(nowMs), timezone: 0 });
  if (!result || others.length > 0) return undefined;
  const rest = text.replace(result.text, ' ').replace(FILLERS, ' ').trim();
  return rest === '' ? spanOf(result, nowMs) : undefined;
}

function spanOf({ start, end, text }: ParsedResult, nowMs: number): Span {
  const isFuture = /\bnext\b/.test(text);
  const wholeOf = (components: ParsedComponents) => {
    const unit = precisionOf(components);
    const instantMs = components.date().getTime();
    return unitAround(isFuture ? instantMs : inThePast(instantMs, components, nowMs), unit);
  };
  const first = wholeOf(start);
  return end ? { fromMs: first.fromMs, toMs: wholeOf(end).toMs } : first;
}

function precisionOf(components: ParsedComponents): Unit {
  if (components.isCertain('hour')) return 'hour';
  if (components.isCertain('day') || components.isCertain('weekday')) return 'day';
  return components.isCertain('month') ? 'month' : 'day';
}

/** Memories are of the past: "in May", said in March, is last year's. */
function inThePast(instantMs: number, components: ParsedComponents, nowMs: number): number {
  const isPast = startOf(precisionOf(components), instantMs) <= nowMs;
  if (isPast || components.isCertain('year')) return instantMs;
  if (components.isCertain('month')) return shift(instantMs, 'year', -1);
  if (components.isCertain('weekday')) return shift(instantMs, 'week', -1);
  return components.isCertain('day') ? shift(instantMs, 'month', -1) : shift(instantMs, 'day', -1);
}

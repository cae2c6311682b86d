/**
 * Reads time expressions in words as windows of time. All spans are in UTC, and weeks start on Monday
 * (docs/decisions.md, "Times in words").
 */
import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { MS_PER_DAY } from '../domain/time.js';
import { calendarSpan, MS_PER_HOUR, type Span, shift, startOf, type Unit, unitAround } from './calendar.js';
import { dateParser } from './date-parser.js';
import { isDayWithZone } from './doubtful-date.js';
import { isRollingSpanPhrase, readLengths, readRollingSpan } from './rolling-span.js';

/** A span of time that includes both ends; an open side has no bound. */
export interface TimeWindow {
  fromMs?: number;
  toMs?: number;
  /** The instant that the words name; absent if the words name a span. */
  instantMs?: number;
}

/** A window that has both bounds. */
type SaidSpan = Span & Pick<TimeWindow, 'instantMs'>;

/**
 * The date that words mean if they leave the year, the week or the day open: "in May" means the last, the nearest or
 * the next May.
 */
export type DatePreference = 'last' | 'nearest' | 'next';

/** The present instant, and whether an expression such as "in May" means the last, the nearest or the next date. */
export interface TimeContext {
  nowMs: number;
  meant: DatePreference;
}

/** Bounds of every time window: the first instant of the year 1, and the last instant of the year 9999. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A unit `M`. It means a month in date arithmetic, but people may also write it for minutes. */
const AMBIGUOUS_UNIT = /\d ?M\b/;
/** Words that may precede an expression without changing it. */
const LEAD = /^(?:(?:in|on|at|within|over|during|of|for|around|about|sometime) )+/;
const CALENDAR_SPAN = /^(this|last|previous|next) ([a-z]+)$/;
const CALENDAR_UNITS: ReadonlySet<Unit> = new Set(['week', 'month', 'quarter', 'year']);
const WEEKEND = /^(?:the )?(this|last|past|previous) weekend$/;
const AGO = /^(.+) ago$/;
const WHOLE_YEAR = /^(?:in |during )?((?:19|20)\d{2})$/;
const WHOLE_MONTH = /^(?:in |during )?(\d{4})-(0[1-9]|1[0-2])$/;
const RANGE = /^(?:from )?(.+?) (?:to|until|till) (.+)$|^between (.+?) and (.+)$/;
const SINCE = /^(?:since|from) (.+)$/;
const AFTER = /^after (.+)$/;
const UNTIL = /^(?:until|till|before|up to) (.+)$/;
/** Words that make "Friday" a definite day, as in "next Friday". */
const NAMES_ITS_WEEK = /\b(?:this|next|last|past|previous)\b/;
/** Words that may surround an expression without changing it. */
const FILLERS = /\b(?:in|on|at|the|during|of|around|about|sometime|from|this)\b/g;

/**
 * Reads a time expression about the past. The date parser must be ready.
 *
 * @param nowMs the present instant
 * @returns undefined when the phrase is not a time expression
 */
export function parseTimeQuery(phrase: string, nowMs: number): TimeWindow | undefined {
  return parseTime(phrase, { nowMs, meant: 'last' });
}

/** Reads a time expression about the past or the future. The date parser must be ready. */
export function parseTime(phrase: string, context: TimeContext): TimeWindow | undefined {
  if (AMBIGUOUS_UNIT.test(phrase)) return undefined;
  const text = phrase.trim().toLowerCase().replace(/\s+/g, ' ');
  const window = readRange(text, context) ?? readOpen(text, context) ?? readSpan(text, context);
  return window && isPossible(window) ? window : undefined;
}

function isPossible({ fromMs = EARLIEST_MS, toMs = LATEST_MS }: TimeWindow): boolean {
  return fromMs >= EARLIEST_MS && fromMs <= toMs && toMs <= LATEST_MS;
}

/** Reads a range: "from May to June" means from the start of May to the end of June. */
function readRange(text: string, context: TimeContext): Span | undefined {
  const [, from, to, first = from, last = to] = RANGE.exec(text) ?? [];
  const end = readSpan(last ?? '', context);
  if (first === undefined || !end) return undefined;
  const start = readSpan(first, context);
  if (start && start.fromMs <= end.toMs) return { fromMs: start.fromMs, toMs: end.toMs };
  // In "between October and March 2025", October means the last October before that March.
  const startBeforeEnd = readSpan(first, { nowMs: end.toMs, meant: 'last' });
  return startBeforeEnd && { fromMs: startBeforeEnd.fromMs, toMs: end.toMs };
}

function readOpen(text: string, context: TimeContext): TimeWindow | undefined {
  if (RANGE.test(text) && !UNTIL.test(text)) return undefined;
  const since = spanAfter(SINCE, text, context);
  if (since) return { fromMs: since.fromMs, toMs: context.nowMs };
  const after = spanAfter(AFTER, text, context);
  if (after) return { fromMs: after.toMs + 1, toMs: context.nowMs };
  const until = spanAfter(UNTIL, text, context);
  return until && { toMs: until.fromMs - 1 };
}

function spanAfter(pattern: RegExp, text: string, context: TimeContext): Span | undefined {
  const said = pattern.exec(text)?.[1];
  return said === undefined ? undefined : readSpan(said, context);
}

function readSpan(text: string, context: TimeContext): SaidSpan | undefined {
  const { nowMs } = context;
  const plain = text.replace(LEAD, '');
  if (plain === 'today' || plain === 'this day') return unitAround(nowMs, 'day');
  if (plain === 'yesterday') return unitAround(nowMs - MS_PER_DAY, 'day');
  const calendar = readCalendarSpan(plain, nowMs);
  if (calendar) return calendar;
  const weekend = WEEKEND.exec(plain);
  if (weekend) return weekendOf(calendarSpan('week', offsetOf(weekend[1]), nowMs));
  const rolling = readRollingSpan(plain, nowMs);
  if (rolling) return { ...rolling, fromMs: Math.max(rolling.fromMs, EARLIEST_MS) };
  const year = WHOLE_YEAR.exec(text)?.[1];
  if (year) return unitAround(Date.UTC(Number(year), 0, 1), 'year');
  const month = WHOLE_MONTH.exec(text);
  if (month) return unitAround(Date.parse(`${month[1]}-${month[2]}-01T00:00:00Z`), 'month');
  return readAgo(plain, nowMs) ?? readByChrono(text, context);
}

function readCalendarSpan(text: string, nowMs: number): Span | undefined {
  const [, which, name = ''] = CALENDAR_SPAN.exec(text) ?? [];
  const { unit, count } = readLengths(name)?.[0] ?? {};
  if (!unit || count !== 1 || !CALENDAR_UNITS.has(unit)) return undefined;
  return calendarSpan(unit, offsetOf(which), nowMs);
}

function offsetOf(word: string | undefined): number {
  return word === 'this' ? 0 : word === 'next' ? 1 : -1;
}

function weekendOf({ toMs }: Span): Span {
  return { fromMs: toMs + 1 - 2 * MS_PER_DAY, toMs };
}

/**
 * Reads an expression with "ago". "Two weeks ago" means a whole week. "Two hours ago" and "ten minutes ago" mean the
 * hour around the instant.
 */
function readAgo(text: string, nowMs: number): SaidSpan | undefined {
  const [length, ...others] = readLengths(AGO.exec(text)?.[1] ?? '') ?? [];
  if (!length || others.length > 0 || !Number.isInteger(length.count)) return undefined;
  const { unit, count } = length;
  const instantMs = shift(nowMs, unit, -count);
  return unit === 'hour' || unit === 'minute' || unit === 'second'
    ? { ...hourAround(instantMs), instantMs }
    : unitAround(instantMs, unit);
}

function hourAround(instantMs: number): Span {
  return { fromMs: instantMs - MS_PER_HOUR / 2, toMs: instantMs + MS_PER_HOUR / 2 };
}

/** Reads an expression with chrono-node. Returns undefined if chrono-node does not understand the whole phrase. */
function readByChrono(text: string, context: TimeContext): SaidSpan | undefined {
  const said = { instant: new Date(context.nowMs), timezone: 0 };
  const [result, ...others] = dateParser().parse(text.replace(/^from /, ''), said);
  if (!result || others.length > 0 || isRollingSpanPhrase(result.text) || isDayWithZone(result)) return undefined;
  const rest = text.replace(result.text, ' ').replace(FILLERS, ' ').trim();
  return rest === '' ? spanOf(result, context) : undefined;
}

function spanOf({ start, end, text }: ParsedResult, context: TimeContext): SaidSpan {
  const isMoved = context.meant === 'last' ? !/\bnext\b/.test(text) : !NAMES_ITS_WEEK.test(text);
  const wholeOf = (components: ParsedComponents): SaidSpan => {
    const unit = precisionOf(components);
    const saidMs = components.date().getTime();
    const instantMs = isMoved ? resolveOpenDate(saidMs, components, context) : saidMs;
    return { ...unitAround(instantMs, unit), ...(unit === 'hour' && { instantMs }) };
  };
  const first = wholeOf(start);
  return end ? { fromMs: first.fromMs, toMs: wholeOf(end).toMs } : first;
}

function precisionOf(components: ParsedComponents): Unit {
  if (components.isCertain('hour')) return 'hour';
  if (components.isCertain('day') || components.isCertain('weekday')) return 'day';
  return components.isCertain('month') ? 'month' : 'day';
}

/**
 * Resolves a date of which the words leave a part open, such as the year. In March, "in May" means May of last year for
 * a memory, and May of this year for a future event.
 */
function resolveOpenDate(instantMs: number, components: ParsedComponents, { nowMs, meant }: TimeContext): number {
  if (meant === 'nearest' || components.isCertain('year')) return instantMs;
  const unit = precisionOf(components);
  const isExact = meant === 'next' && unit === 'hour';
  const isPast = (isExact ? instantMs : startOf(unit, instantMs)) <= nowMs;
  if (isPast === (meant === 'last')) return instantMs;
  return shift(instantMs, openUnit(components), meant === 'last' ? -1 : 1);
}

/** Returns the unit that the words leave open, such as the year in "3 May". */
function openUnit(components: ParsedComponents): Unit {
  if (components.isCertain('month')) return 'year';
  if (components.isCertain('weekday')) return 'week';
  return components.isCertain('day') ? 'month' : 'day';
}

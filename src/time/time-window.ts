/**
 * Reads time expressions in words as windows of time. Weeks start on Monday (docs/decisions.md, "Times in words").
 */
import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { isAscii } from '../domain/text/characters.js';
import { MS_PER_DAY } from '../domain/time.js';
import { inSteps } from '../event-loop.js';
import {
  calendarSpan,
  isRollingSpanPhrase,
  lastNight,
  MS_PER_HOUR,
  type Now,
  readLengths,
  readRollingSpan,
  type Span,
  shift,
  startOf,
  type TimeZone,
  type Unit,
  UTC,
  unitAround,
} from './calendar.js';
import { dateParser, isDayWithZone, type Language, otherLanguageOf, prepareDateParser } from './date-parser.js';
import { PHRASE_BOOKS, phrasesOf, plainText } from './translation.js';

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
interface TimeContext extends Now {
  meant: DatePreference;
  /** The language of the expression; by default English. */
  language?: Language;
}

/** Bounds of every time window: the first instant of the year 1, and the last instant of the year 9999. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const MS_PER_MINUTE = 60_000;
const MS_PER_WEEK = 7 * MS_PER_DAY;

/** Dates in ISO 8601 are in UTC, as in timestamps. */
const ISO = /\d{4}-\d{2}-\d{2}/;

/** A unit `M`. It means a month in date arithmetic, but people may also write it for minutes. */
const AMBIGUOUS_UNIT = /\d ?M\b/;
/** Words that may precede an expression without changing it. */
const LEAD = /^(?:(?:in|on|at|within|over|during|of|for|around|about|sometime) )+/;
/** For a memory of the past, "within 7 days" means the last seven days, and chrono-node reads a day in the future. */
const WITHIN = /^(?:within|over|during|for) (?:the )?(.+)$/;
const CALENDAR_SPAN = /^(this|last|previous|next) ([a-z]+)$/;
const CALENDAR_UNITS: ReadonlySet<Unit> = new Set(['week', 'month', 'quarter', 'year']);
const WEEKEND = /^(?:the )?(?:(this|last|past|previous|next) )?weekend$/;
const AGO = /^(.+) ago$/;
const WHOLE_YEAR = /^(?:in |during )?((?:19|20)\d{2})$/;
const WHOLE_MONTH = /^(?:in |during )?(\d{4})-(0[1-9]|1[0-2])$/;
const RANGE = /^(?:from )?(.+?) (?:to|until|till) (.+)$|^between (.+?) and (.+)$/;
const SINCE = /^(?:since|from) (.+)$/;
const AFTER = /^after (.+)$/;
const UNTIL = /^(?:until|till|before|up to) (.+)$/;
/** Words that put a day into a week, as in "Friday last week". */
const WEEK_OF_DAY = /\b(this|next|last|past|previous) week\b/;
/** Words that make "Friday" a definite day, as in "next Friday". */
const NAMES_ITS_WEEK = /\b(?:this|next|last|past|previous)\b/;
/** Words that may surround an expression without changing it. */
const FILLERS = /\b(?:in|on|at|the|during|of|around|about|sometime|from|this)\b/g;

/** Words that begin, end or join spans. */
interface Frames {
  since: RegExp;
  until: RegExp;
  range: RegExp;
  after?: RegExp;
}

const ENGLISH: Frames = { since: SINCE, until: UNTIL, range: RANGE, after: AFTER };

/**
 * Reads a time expression about the past. The date parser of the language must be ready.
 *
 * @returns undefined when the phrase is not a time expression in the language
 */
export function parseTimeQuery(phrase: string, context: Omit<TimeContext, 'meant'>): TimeWindow | undefined {
  return parseTime(phrase, { ...context, meant: 'last' });
}

/**
 * Reads a time expression about the past or the future. The date parser of the language must be ready.
 *
 * @returns undefined when the phrase is not a time expression in the language
 */
function parseTime(phrase: string, context: TimeContext): TimeWindow | undefined {
  if (AMBIGUOUS_UNIT.test(phrase)) return undefined;
  const text = phrase.trim().toLowerCase().replace(/\s+/g, ' ');
  const window = isEnglish(context) ? readEnglish(text, context) : readOther(plainText(text), context);
  return window && isPossible(window) ? window : undefined;
}

function isEnglish({ language = 'en' }: TimeContext): boolean {
  return language === 'en';
}

function readEnglish(text: string, context: TimeContext): TimeWindow | undefined {
  return readRange(text, ENGLISH, context) ?? readOpen(text, ENGLISH, context) ?? readSpan(text, context);
}

/** A word for "since" may also mean "ago", so a single span is read first. */
function readOther(text: string, context: TimeContext): TimeWindow | undefined {
  const frames = phrasesOf(context.language ?? 'en');
  return readSpan(text, context) ?? readRange(text, frames, context) ?? readOpen(text, frames, context);
}

function isPossible({ fromMs = EARLIEST_MS, toMs = LATEST_MS }: TimeWindow): boolean {
  return fromMs >= EARLIEST_MS && fromMs <= toMs && toMs <= LATEST_MS;
}

/** Reads a range: "from May to June" means from the start of May to the end of June. */
function readRange(text: string, { range }: Frames, context: TimeContext): Span | undefined {
  const [, from, to, first = from, last = to] = range.exec(text) ?? [];
  const end = readSpan(last ?? '', context);
  if (first === undefined || !end) return undefined;
  const start = readSpan(first, context);
  if (start && start.fromMs <= end.toMs) {
    const after = clockTimeAfter(start, last ?? '', { ...context, ...(ISO.test(first) && { zone: UTC }) });
    return { fromMs: start.fromMs, toMs: (after ?? end).toMs };
  }
  // In "between October and March 2025", October means the last October before that March.
  const startBeforeEnd = readSpan(first, { ...context, nowMs: end.toMs, meant: 'last' });
  return startBeforeEnd && { fromMs: startBeforeEnd.fromMs, toMs: end.toMs };
}

/** In "3 May, 10:00 to 12:00", the second time is of the same day. */
function clockTimeAfter(start: SaidSpan, text: string, context: TimeContext): SaidSpan | undefined {
  if (start.instantMs === undefined) return undefined;
  const read = (nowMs: number, meant: DatePreference) => readSpan(text, { ...context, nowMs, meant });
  const [last, next] = [read(context.nowMs, 'last'), read(context.nowMs, 'next')];
  // Of words such as "now" or "2 hours ago", nothing is left open.
  const isOpen = next?.instantMs !== undefined && next.instantMs !== last?.instantMs;
  return isOpen ? read(start.instantMs, 'next') : undefined;
}

function readOpen(text: string, frames: Frames, context: TimeContext): TimeWindow | undefined {
  if (frames.range.test(text) && !frames.until.test(text)) return undefined;
  const since = spanAfter(frames.since, text, context);
  if (since) return { fromMs: since.fromMs, toMs: context.nowMs };
  const after = frames.after && spanAfter(frames.after, text, context);
  if (after) return { fromMs: after.toMs + 1, toMs: context.nowMs };
  const until = spanAfter(frames.until, text, context);
  return until && { toMs: until.fromMs - 1 };
}

function spanAfter(pattern: RegExp, text: string, context: TimeContext): Span | undefined {
  const said = pattern.exec(text)?.[1];
  return said === undefined ? undefined : readSpan(said, context);
}

function readSpan(text: string, context: TimeContext): SaidSpan | undefined {
  if (isEnglish(context)) return readEnglishSpan(text, context);
  const english = phrasesOf(context.language ?? 'en').translate(text);
  return english === undefined ? readByChrono(text, context) : readEnglishSpan(english, { ...context, language: 'en' });
}

function readEnglishSpan(text: string, context: TimeContext): SaidSpan | undefined {
  const { nowMs, zone } = context;
  const plain = text.replace(LEAD, '');
  if (plain === 'today' || plain === 'this day') return unitAround(nowMs, 'day', zone);
  if (plain === 'yesterday') return calendarSpan('day', -1, context);
  if (plain === 'last night') return lastNight(context);
  const calendar = readCalendarSpan(plain, context);
  if (calendar) return calendar;
  const weekend = WEEKEND.exec(plain);
  if (weekend) return readWeekend(weekend[1], context);
  const [, length] = context.meant === 'last' ? (WITHIN.exec(text) ?? []) : [];
  const rolling = readRollingSpan(plain, context) ?? (length && readRollingSpan(`last ${length}`, context));
  if (rolling) return { ...rolling, fromMs: Math.max(rolling.fromMs, EARLIEST_MS) };
  const year = WHOLE_YEAR.exec(text)?.[1];
  if (year) return unitAround(zone.instantOf(Date.UTC(Number(year), 0, 1)), 'year', zone);
  const month = WHOLE_MONTH.exec(text);
  if (month) return unitAround(Date.parse(`${month[1]}-${month[2]}-01T00:00:00Z`), 'month', UTC);
  return readAgo(plain, context) ?? readByChrono(text, context);
}

function readCalendarSpan(text: string, now: Now): Span | undefined {
  const [, which, name = ''] = CALENDAR_SPAN.exec(text) ?? [];
  const { unit, count } = readLengths(name)?.[0] ?? {};
  if (!unit || count !== 1 || !CALENDAR_UNITS.has(unit)) return undefined;
  return calendarSpan(unit, offsetOf(which), now);
}

function offsetOf(word: string | undefined): number {
  return word === 'this' ? 0 : word === 'next' ? 1 : -1;
}

/** @param which absent in "the weekend", which is the last that has begun, the nearest or the next */
function readWeekend(which: string | undefined, context: TimeContext): Span {
  const { nowMs, meant, zone } = context;
  const inWeek = (offset: number): Span => {
    const { toMs } = calendarSpan('week', offset, context);
    return { fromMs: shift(toMs + 1, 'day', -2, zone), toMs };
  };
  if (which !== undefined) return inWeek(offsetOf(which));
  const ofThisWeek = inWeek(0);
  if (meant === 'nearest') return ofThisWeek;
  const hasBegun = ofThisWeek.fromMs <= nowMs;
  return hasBegun === (meant === 'last') ? ofThisWeek : inWeek(hasBegun ? 1 : -1);
}

/**
 * Reads an expression with "ago". "Two weeks ago" means a whole week. "Two hours ago" and "ten minutes ago" mean the
 * hour around the instant.
 */
function readAgo(text: string, { nowMs, zone }: Now): SaidSpan | undefined {
  const [length, ...others] = readLengths(AGO.exec(text)?.[1] ?? '') ?? [];
  if (!length || others.length > 0 || !Number.isInteger(length.count)) return undefined;
  const { unit, count } = length;
  const instantMs = shift(nowMs, unit, -count, zone);
  return unit === 'hour' || unit === 'minute' || unit === 'second'
    ? { ...hourAround(instantMs), instantMs }
    : unitAround(instantMs, unit, zone);
}

function hourAround(instantMs: number): Span {
  return { fromMs: instantMs - MS_PER_HOUR / 2, toMs: instantMs + MS_PER_HOUR / 2 };
}

/** Reads an expression with chrono-node. Returns undefined if chrono-node does not understand the whole phrase. */
function readByChrono(text: string, context: TimeContext): SaidSpan | undefined {
  const [result, ...others] = parseDates(text.replace(/^from /, ''), context);
  if (!result || others.length > 0 || isDayWithZone(result) || !isRead(result, context)) return undefined;
  const fillers = isEnglish(context) ? FILLERS : phrasesOf(context.language ?? 'en').around;
  const rest = text.replace(result.text, ' ').replace(fillers, ' ').trim();
  return rest === '' ? spanOf(result, context) : undefined;
}

/** Finds the dates in a text with chrono-node, in the language and the zone of the context. */
export function parseDates(
  text: string,
  { nowMs, zone, language }: Now & Pick<TimeContext, 'language'>,
): ParsedResult[] {
  const timezone = zone.offsetMs(nowMs) / MS_PER_MINUTE;
  return dateParser(language).parse(text, { instant: new Date(nowMs), timezone });
}

/** A number of at most two digits after a month. chrono-node takes it for a year if the month has no such day. */
const ENDS_WITH_DAY = /(?<!\d)[0-3]?\d$/;

/** In other languages, chrono-node reads some years and weeks as a day around now. Their day is not certain. */
function isRead({ start, text }: ParsedResult, context: TimeContext): boolean {
  if (start.isCertain('year') && !start.isCertain('day') && ENDS_WITH_DAY.test(text)) return false;
  if (isEnglish(context)) return !isRollingSpanPhrase(text);
  return (['hour', 'day', 'weekday', 'month'] as const).some(part => start.isCertain(part));
}

function spanOf({ start, end, text }: ParsedResult, context: TimeContext): SaidSpan {
  const week = weekOfDay(text, context);
  const isMoved = context.meant === 'last' ? !/\bnext\b/.test(text) : !NAMES_ITS_WEEK.test(text);
  const zone = ISO.test(text) ? UTC : context.zone;
  const wholeOf = (components: ParsedComponents): SaidSpan => {
    const unit = precisionOf(components);
    const saidMs = instantOf(components, zone);
    const openMs = isMoved ? resolveOpenDate(saidMs, components, { ...context, zone }) : saidMs;
    const instantMs = week && components.isCertain('weekday') ? movedInto(week, saidMs, zone) : openMs;
    return { ...unitAround(instantMs, unit, zone), ...(unit === 'hour' && { instantMs }) };
  };
  const first = wholeOf(start);
  return end ? { fromMs: first.fromMs, toMs: wholeOf(end).toMs } : first;
}

/** The week to which a text assigns a day. For chrono-node, "Monday last week" is the last Monday before today. */
function weekOfDay(text: string, context: TimeContext): Span | undefined {
  const english = isEnglish(context)
    ? text
    : phrasesOf(context.language ?? 'en')
        .find(text)
        .map(phrase => phrase.english)
        .join(', ');
  const [, which] = WEEK_OF_DAY.exec(english) ?? [];
  return which === undefined ? undefined : calendarSpan('week', offsetOf(which), context);
}

/** The same day and time in another week. */
function movedInto(week: Span, instantMs: number, zone: TimeZone): number {
  const weeks = Math.round((week.fromMs - startOf('week', instantMs, zone)) / MS_PER_WEEK);
  return shift(instantMs, 'week', weeks, zone);
}

/**
 * Computes the instant from its parts, because chrono-node knows only the offset of the present. An instant whose offset
 * is certain names a zone, or is relative to now.
 */
function instantOf(components: ParsedComponents, zone: TimeZone): number {
  const part = (name: Parameters<ParsedComponents['get']>[0]) => components.get(name) ?? 0;
  const date = new Date(0);
  date.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  const wallMs = date.setUTCHours(part('hour'), part('minute'), part('second'), part('millisecond'));
  if (!components.isCertain('timezoneOffset')) return zone.instantOf(wallMs);
  return wallMs - part('timezoneOffset') * MS_PER_MINUTE;
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
function resolveOpenDate(instantMs: number, components: ParsedComponents, { nowMs, meant, zone }: TimeContext): number {
  if (meant === 'nearest' || components.isCertain('year')) return instantMs;
  const unit = precisionOf(components);
  const isExact = meant === 'next' && unit === 'hour';
  const isPast = (isExact ? instantMs : startOf(unit, instantMs, zone)) <= nowMs;
  if (isPast === (meant === 'last')) return instantMs;
  return shift(instantMs, openUnit(components), meant === 'last' ? -1 : 1, zone);
}

/** Returns the unit that the words leave open, such as the year in "3 May". */
function openUnit(components: ParsedComponents): Unit {
  if (components.isCertain('month')) return 'year';
  if (components.isCertain('weekday')) return 'week';
  return components.isCertain('day') ? 'month' : 'day';
}

const LETTER = /[a-z]/gi;
/** Fewer letters, such as "so" or "mi", are the name of a day in some language by chance. */
const LETTERS_MIN = 3;

/**
 * Reads a time expression in English, in the language that it seems to have, or in the first other language that reads
 * the whole phrase. Parsers are loaded as far as they are needed.
 *
 * @returns undefined when the phrase is not a time expression in any language
 */
export async function readTimeWords(phrase: string, context: TimeContext): Promise<TimeWindow | undefined> {
  for await (const language of inSteps(languagesOf(phrase))) {
    await prepareDateParser(language);
    const window = parseTime(phrase, { ...context, language });
    if (window) return window;
  }
  return undefined;
}

/** The languages in which a phrase is read, in order. A short phrase does not show its language. */
function languagesOf(phrase: string): Iterable<string> {
  if (isAscii(phrase) && (phrase.match(LETTER)?.length ?? 0) < LETTERS_MIN) return ['en'];
  return new Set(['en', otherLanguageOf(phrase) ?? 'en', ...Object.keys(PHRASE_BOOKS)]);
}

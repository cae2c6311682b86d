/**
 * Computes boundaries and lengths of units of time in a time zone, and converts between instants and the wall clock of
 * the zone, in which days and months begin. Weeks start on Monday.
 */
import { type Clock, MS_PER_DAY } from '../domain/time.js';

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A span of time that includes both ends. */
export interface Span {
  fromMs: number;
  toMs: number;
}

export const MS_PER_HOUR = 3_600_000;
/** Units of the same length on every day. The length of the other units depends on the calendar and on the zone. */
const UNIT_MS: Partial<Record<Unit, number>> = { second: 1_000, minute: 60_000, hour: MS_PER_HOUR };
const UNIT_DAYS: Partial<Record<Unit, number>> = { day: 1, week: 7 };
const UNIT_MONTHS: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12 };
/** A fraction of a month counts as that fraction of thirty days, because months differ in length. */
const MS_PER_MONTH = 30 * MS_PER_DAY;

/** Returns the whole unit that contains an instant. */
export function unitAround(instantMs: number, unit: Unit, zone: TimeZone): Span {
  const fromMs = startOf(unit, instantMs, zone);
  // Clocks may skip the first hour of a day, so the end is the start of the next unit.
  return { fromMs, toMs: startOf(unit, shift(fromMs, unit, 1, zone), zone) - 1 };
}

/** Returns the unit that is `offset` units after the current unit. With -1, 'month' means the whole last month. */
export function calendarSpan(unit: Unit, offset: number, { nowMs, zone }: Now): Span {
  return unitAround(shift(startOf(unit, nowMs, zone), unit, offset, zone), unit, zone);
}

export function startOf(unit: Unit, instantMs: number, zone: TimeZone): number {
  const wallMs = zone.wallOf(instantMs);
  const startMs = startOnWall(unit, wallMs);
  // An hour that clocks repeat is two hours, so its start must not be found by its wall time.
  return UNIT_MS[unit] === undefined ? zone.instantOf(startMs) : instantMs - (wallMs - startMs);
}

/** Returns the night between yesterday and today, from 18:00 to 06:00. */
export function lastNight({ nowMs, zone }: Now): Span {
  const midnightMs = startOnWall('day', zone.wallOf(nowMs));
  const hoursAfterMidnight = (hours: number) => zone.instantOf(midnightMs + hours * MS_PER_HOUR);
  return { fromMs: hoursAfterMidnight(-6), toMs: hoursAfterMidnight(6) - 1 };
}

function startOnWall(unit: Unit, wallMs: number): number {
  const date = new Date(wallMs);
  const [month, day] = [date.getUTCMonth(), date.getUTCDate()];
  if (unit === 'second') return date.setUTCMilliseconds(0);
  if (unit === 'minute') return date.setUTCSeconds(0, 0);
  if (unit === 'hour') return date.setUTCMinutes(0, 0, 0);
  date.setUTCHours(0, 0, 0, 0);
  if (unit === 'day') return date.getTime();
  if (unit === 'week') return date.setUTCDate(day - ((date.getUTCDay() + 6) % 7));
  if (unit === 'year') return date.setUTCMonth(0, 1);
  return date.setUTCMonth(unit === 'quarter' ? month - (month % 3) : month, 1);
}

/**
 * Returns the instant that is a number of units later. Whole days and longer units keep the wall time, even if clocks
 * change in between.
 *
 * @param count negative for the past; may be a fraction
 */
export function shift(instantMs: number, unit: Unit, count: number, zone: TimeZone): number {
  const unitMs = UNIT_MS[unit];
  if (unitMs !== undefined) return instantMs + Math.round(count * unitMs);
  const [days, months] = [UNIT_DAYS[unit], UNIT_MONTHS[unit]];
  const small = count * (days ?? months ?? 0);
  const whole = Math.trunc(small);
  const wallMs = zone.wallOf(instantMs);
  const shiftedMs = days === undefined ? shiftMonths(wallMs, whole) : wallMs + whole * MS_PER_DAY;
  const restMs = Math.round((small - whole) * (days === undefined ? MS_PER_MONTH : MS_PER_DAY));
  return (whole === 0 ? instantMs : zone.instantOf(shiftedMs)) + restMs;
}

function shiftMonths(wallMs: number, months: number): number {
  const date = new Date(wallMs);
  const target = new Date(wallMs);
  target.setUTCDate(1);
  target.setUTCMonth(date.getUTCMonth() + months);
  // One month before 31 March is the last day of February.
  const nextMonth = new Date(target).setUTCMonth(target.getUTCMonth() + 1);
  const lastDay = new Date(nextMonth - MS_PER_DAY).getUTCDate();
  return target.setUTCDate(Math.min(date.getUTCDate(), lastDay));
}

/** A time zone. A wall time is what a clock in the zone shows, as the milliseconds that UTC has at the same reading. */
export interface TimeZone {
  /** The wall time minus UTC, in milliseconds. */
  offsetMs(instantMs: number): number;
  wallOf(instantMs: number): number;
  /**
   * The first instant with this wall time. If clocks skip this wall time, the instant is as far after the gap as the
   * wall time is after the beginning of the gap.
   */
  instantOf(wallMs: number): number;
}

/** The present instant and the zone in which it has a day. */
export interface Now {
  nowMs: number;
  zone: TimeZone;
}

export const UTC: TimeZone = { offsetMs: () => 0, wallOf: instantMs => instantMs, instantOf: wallMs => wallMs };

/**
 * Returns a zone and the present in it.
 *
 * @throws RangeError when the name of the zone is unknown
 */
export function presentIn(zoneName: string, clock: Pick<Clock, 'nowMs'>): { zone: TimeZone; now(): Now } {
  const zone = timeZoneNamed(zoneName);
  return { zone, now: () => ({ nowMs: clock.nowMs(), zone }) };
}

const OFFSET = /GMT(?:([+-])(\d{1,2}):?(\d{2})?(?::(\d{2}))?)?$/;

/**
 * Returns a time zone by its IANA name, such as `Europe/Berlin`.
 *
 * @throws RangeError when the name is unknown
 */
export function timeZoneNamed(name: string): TimeZone {
  if (name === 'UTC') return UTC;
  // Creating a formatter takes a hundred times as long as using it.
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const offsetMs = (instantMs: number) =>
    Number.isNaN(new Date(instantMs).getTime()) ? 0 : readOffset(formatter.format(instantMs));
  return {
    offsetMs,
    wallOf: instantMs => instantMs + offsetMs(instantMs),
    instantOf: wallMs => {
      // The offsets before and after any change near this wall time.
      const [before, after] = [offsetMs(wallMs - MS_PER_DAY), offsetMs(wallMs + MS_PER_DAY)];
      const isOf = (offset: number) => offsetMs(wallMs - offset) === offset;
      return wallMs - (!isOf(before) && isOf(after) ? after : before);
    },
  };
}

/** Reads the offset at the end of a date such as `7/1/2026, GMT-04:00`. */
function readOffset(formatted: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(formatted) ?? [];
  const offsetMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -offsetMs : offsetMs;
}

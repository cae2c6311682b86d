/** Computes boundaries and lengths of units of time in a time zone. Weeks start on Monday. */
import { MS_PER_DAY } from '../domain/time.js';
import type { Now, TimeZone } from './zone.js';

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

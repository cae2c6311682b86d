/** Computes boundaries and lengths of units of time in UTC. Weeks start on Monday. */
import { MS_PER_DAY } from '../domain/time.js';

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A span of time that includes both ends. */
export interface Span {
  fromMs: number;
  toMs: number;
}

export const MS_PER_HOUR = 3_600_000;
const UNIT_MS: Partial<Record<Unit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: MS_PER_HOUR,
  day: MS_PER_DAY,
  week: 7 * MS_PER_DAY,
};
const UNIT_MONTHS: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12 };
/** A fraction of a month counts as that fraction of thirty days, because months differ in length. */
const MS_PER_MONTH = 30 * MS_PER_DAY;

/** Returns the whole unit that contains an instant. */
export function unitAround(instantMs: number, unit: Unit): Span {
  const fromMs = startOf(unit, instantMs);
  return { fromMs, toMs: shift(fromMs, unit, 1) - 1 };
}

/** Returns the unit that is `offset` units after the current unit. With -1, 'month' means the whole last month. */
export function calendarSpan(unit: Unit, offset: number, nowMs: number): Span {
  return unitAround(shift(startOf(unit, nowMs), unit, offset), unit);
}

export function startOf(unit: Unit, instantMs: number): number {
  const date = new Date(instantMs);
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

/** @param count negative for the past; may be a fraction */
export function shift(instantMs: number, unit: Unit, count: number): number {
  const unitMs = UNIT_MS[unit];
  if (unitMs !== undefined) return instantMs + Math.round(count * unitMs);
  const months = count * (UNIT_MONTHS[unit] ?? 0);
  const whole = Math.trunc(months);
  return shiftMonths(instantMs, whole) + Math.round((months - whole) * MS_PER_MONTH);
}

function shiftMonths(instantMs: number, months: number): number {
  const date = new Date(instantMs);
  const target = new Date(instantMs);
  target.setUTCDate(1);
  target.setUTCMonth(date.getUTCMonth() + months);
  // One month before 31 March is the last day of February.
  const nextMonth = new Date(target).setUTCMonth(target.getUTCMonth() + 1);
  const lastDay = new Date(nextMonth - MS_PER_DAY).getUTCDate();
  return target.setUTCDate(Math.min(date.getUTCDate(), lastDay));
}

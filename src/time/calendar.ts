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

/** A length of time in words. */
export interface Length {
  count: number;
  unit: Unit;
}

/** The spellings of a unit. A single `m` means a minute, as in the durations of configuration files and logs. */
const UNIT_NAMES: readonly [Unit, count: number, names: string][] = [
  ['second', 1, 'seconds second secs sec s'],
  ['minute', 1, 'minutes minute mins min m'],
  ['hour', 1, 'hours hour hrs hr h'],
  ['day', 1, 'days day d'],
  ['week', 1, 'weeks week wks wk w'],
  ['week', 2, 'fortnights fortnight'],
  ['month', 1, 'months month mths mth mos mo'],
  ['quarter', 1, 'quarters quarter qtrs qtr'],
  ['year', 1, 'years year yrs yr y'],
  ['year', 10, 'decades decade'],
];
const UNITS: ReadonlyMap<string, Length> = new Map(
  UNIT_NAMES.flatMap(([unit, count, names]) =>
    names.split(' ').map((name): [string, Length] => [name, { unit, count }]),
  ),
);
const UNIT = `(?<![a-z])(${[...UNITS.keys()].join('|')})(?![a-z])`;

const SMALL_NUMBERS =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen`.split(/\s+/);
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
/** Vague words, with the numbers that chrono-node assigns to them. */
const VAGUE_NUMBERS: readonly [string, number][] = [
  ['couple', 2],
  ['few', 3],
  ['several', 7],
];
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL_NUMBERS.map((word, number): [string, number] => [word, number]),
  ...TENS.flatMap((ten, index) =>
    SMALL_NUMBERS.slice(0, 10).map((one, ones): [string, number] => [
      ones === 0 ? ten : `${ten} ${one}`,
      20 + 10 * index + ones,
    ]),
  ),
  ...[...VAGUE_NUMBERS, ['hundred', 100] as const].flatMap(([word, number]): [string, number][] => [
    [word, number],
    [`a ${word}`, number],
  ]),
  ['one hundred', 100],
  ['a', 1],
  ['an', 1],
]);

const ROLLING = /^(?:(?:the|this|these) )?(past|last|previous|next) (.+)$/;
const PART = new RegExp(`^(.*?) ?${UNIT}\\.?`);
const BETWEEN_PARTS = /^,? ?(?:and )?/;
const ENDS_WITH_UNIT = new RegExp(`${UNIT}$`);
/** Matches " hour and a half" at the end of "an hour and a half", which means "one and a half hours". */
const HALF_AFTER_UNIT = new RegExp(` ?${UNIT} and a half$`);
const HALF = /^(?:a )?half(?: an?)?$/;
const AND_A_HALF = /^(?:(.+) )?and a half$/;
/** Matches the hyphen in "twenty-five", "half-hour" and "7-day", but not in the range "2-3". */
const HYPHEN = /(?<=[a-z\d])-(?=[a-z])/g;

/**
 * Reads a span that begins or ends now.
 *
 * @param text in lower case, single-spaced
 * @returns undefined when the text is not such a span
 */
export function readRollingSpan(text: string, { nowMs, zone }: Now): Span | undefined {
  const [, direction, said = ''] = ROLLING.exec(text) ?? [];
  const lengths = readLengths(said);
  if (!lengths) return undefined;
  const sign = direction === 'next' ? 1 : -1;
  const farMs = lengths.reduce((instantMs, { unit, count }) => shift(instantMs, unit, sign * count, zone), nowMs);
  return sign > 0 ? { fromMs: nowMs, toMs: farMs } : { fromMs: farMs, toMs: nowMs };
}

/**
 * Whether a text has the form of a span that begins or ends now, even if the span cannot be read. Such a text must not
 * be interpreted by another reader.
 */
export function isRollingSpanPhrase(text: string): boolean {
  const said = ROLLING.exec(text)?.[2];
  return said !== undefined && ENDS_WITH_UNIT.test(said);
}

/** Reads consecutive lengths, as in "2h", "half a day" and "1 year and 2 months". */
export function readLengths(said: string): Length[] | undefined {
  let rest = said.replace(HYPHEN, ' ').replace(HALF_AFTER_UNIT, ' and a half $1').trimStart();
  const lengths: Length[] = [];
  while (rest !== '') {
    const [whole, amount = '', name = ''] = PART.exec(rest) ?? [];
    const unit = UNITS.get(name);
    // The number one may be omitted in the first length, as in "past week", but not in a later length.
    const count = readAmount(amount === '' && lengths.length === 0 ? 'one' : amount);
    if (whole === undefined || !unit || !count) return undefined;
    lengths.push({ unit: unit.unit, count: count * unit.count });
    rest = rest.slice(whole.length).replace(BETWEEN_PARTS, '');
  }
  return lengths.length > 0 ? lengths : undefined;
}

function readAmount(text: string): number | undefined {
  if (HALF.test(text)) return 0.5;
  const [half, whole = 'one'] = AND_A_HALF.exec(text) ?? [];
  if (half === undefined) return readNumber(text);
  const number = readNumber(whole);
  return number === undefined ? undefined : number + 0.5;
}

function readNumber(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return NUMBER_WORDS.get(text.replace(/ of$/, ''));
}

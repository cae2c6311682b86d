/** Converts between instants and the wall clock of a time zone, in which days and months begin. */
import { type Clock, MS_PER_DAY } from '../domain/time.js';

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

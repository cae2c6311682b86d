/** Single instants as callers say them: in ISO 8601, or in the words that `time_query` reads. */

import { invalidField } from '../domain/errors.js';
import { parseIso } from '../domain/time.js';
import { yieldToEventLoop } from '../event-loop.js';
import { prepareDateParser } from './date-parser.js';
import { hasDateOfTwoReadings, saysZoneAlone } from './doubtful-date.js';
import { type Meant, parseTime, type TimeWindow } from './time-window.js';

/** How words are taken. */
export interface TimeReading {
  /** Name of the field, for the error. */
  field: string;
  /** The instant at which they are said. */
  nowMs: number;
  /** Which end of a span is meant, such as of "last week"; the beginning unless said otherwise. */
  side?: 'start' | 'end';
  /** Which "1 May" is meant; the last unless said otherwise. */
  meant?: Meant;
  /** Whether the time is kept, so that a wrong guess would never be noticed. */
  isStored?: boolean;
}

/** Before the end of something: "until tomorrow" ends when tomorrow begins. */
const UNTIL = /^(?:until|till|before|up to)\s+/i;

/** How much of an unreadable expression its error repeats. */
const SHOWN_LENGTH = 100;

/**
 * Reads an instant, in milliseconds since 1970. Words are read in a turn of the event loop of their own: they take up to a
 * few milliseconds.
 *
 * @throws MemoryError `invalid` naming the field and how a time can be written
 */
export async function readTime(said: string, reading: TimeReading): Promise<number> {
  const exactMs = parseIso(said);
  if (exactMs !== undefined) return exactMs;
  await prepareDateParser();
  await yieldToEventLoop();
  return readWords(said, reading);
}

/** @throws MemoryError `invalid` as `readTime` */
function readWords(said: string, { field, nowMs, side = 'start', meant = 'last', isStored }: TimeReading): number {
  if (isStored && hasDateOfTwoReadings(said))
    throw unreadableTime(field, said, 'Day and month cannot be told apart. Write 2024-05-03, or "3 May 2024"');
  const words = meant === 'next' ? said.trim().replace(UNTIL, '') : said;
  const window = parseTime(words, { nowMs, meant });
  const instantMs = parseIso(words) ?? (window && instantOf(window, side));
  if (instantMs !== undefined) return instantMs;
  const advice = saysZoneAlone(said)
    ? 'A day has no time zone: it is the one in UTC. Name an hour too, such as 2026-01-31T00:00+02:00'
    : 'Write ISO 8601, such as 2026-01-31T12:00:00Z, or "yesterday", "last week", "3 May"';
  throw unreadableTime(field, said, advice);
}

/** @param advice how a time can be written in this field */
export function unreadableTime(field: string, said: string, advice: string): Error {
  return invalidField(field, `cannot be read: '${said.slice(0, SHOWN_LENGTH)}'. ${advice}`);
}

function instantOf({ instantMs, fromMs, toMs }: TimeWindow, side: 'start' | 'end'): number | undefined {
  return instantMs ?? (side === 'start' ? fromMs : toMs);
}

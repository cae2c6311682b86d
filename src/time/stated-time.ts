/** Reads a single instant from a caller: in ISO 8601, or in the words that `time_query` reads. */

import { invalidField } from '../domain/errors.js';
import { parseIso } from '../domain/time.js';
import { yieldToEventLoop } from '../event-loop.js';
import type { Now } from './calendar.js';
import { hasAmbiguousDate, hasDayWithZone, prepareDateParser } from './date-parser.js';
import { type DatePreference, readTimeWords, type TimeWindow } from './time-window.js';

/** How the words are interpreted. */
export interface TimeReading {
  /** Name of the field, for the error. */
  field: string;
  /** The present, to which the words are relative. */
  now: Now;
  /** Whether a span such as "last week" means its start or its end; by default its start. */
  side?: 'start' | 'end';
  /** Whether "1 May" means the last, the nearest or the next such date; by default the last. */
  meant?: DatePreference;
  /** Whether the time is stored. An ambiguous time is then refused, because a wrong guess would never be noticed. */
  isStored?: boolean;
}

/** Words that mean the time before a span: "until tomorrow" ends when tomorrow starts. */
const UNTIL = /^(?:until|till|before|up to)\s+/i;

/** An error repeats at most this number of characters of an unreadable expression. */
const SHOWN_LENGTH = 100;

/**
 * Reads an instant, in milliseconds since 1970. Words are read in a separate turn of the event loop, because reading
 * words takes up to a few milliseconds.
 *
 * @throws MemoryError `invalid` naming the field and the accepted forms of a time
 */
export async function readTime(said: string, reading: TimeReading): Promise<number> {
  const exactMs = parseIso(said);
  if (exactMs !== undefined) return exactMs;
  await prepareDateParser();
  await yieldToEventLoop();
  return readWords(said, reading);
}

/** @throws MemoryError `invalid`, like `readTime` */
async function readWords(said: string, reading: TimeReading): Promise<number> {
  const { field, now, side = 'start', meant = 'last', isStored } = reading;
  if (isStored && hasAmbiguousDate(said))
    throw unreadableTime(field, said, 'Day and month are ambiguous. Write 2024-05-03, or "3 May 2024"');
  const words = meant === 'next' ? said.trim().replace(UNTIL, '') : said;
  const exactMs = parseIso(words);
  if (exactMs !== undefined) return exactMs;
  const window = await readTimeWords(words, { ...now, meant });
  const instantMs = window && instantOf(window, side);
  if (instantMs !== undefined) return instantMs;
  const advice = hasDayWithZone(said)
    ? 'A day has no time zone of its own. To use a time zone, add an hour, such as 2026-01-31T00:00+02:00'
    : 'Write ISO 8601, such as 2026-01-31T12:00:00Z, or "yesterday", "last week", "3 May"';
  throw unreadableTime(field, said, advice);
}

/** @param advice a sentence about the forms of a time that the field accepts */
export function unreadableTime(field: string, said: string, advice: string): Error {
  return invalidField(field, `cannot be read: '${said.slice(0, SHOWN_LENGTH)}'. ${advice}`);
}

function instantOf({ instantMs, fromMs, toMs }: TimeWindow, side: 'start' | 'end'): number | undefined {
  return instantMs ?? (side === 'start' ? fromMs : toMs);
}

/** Single instants as callers say them: in ISO 8601, or in the words that `time_query` reads. */
import { invalidField } from '../domain/errors.js';
import { parseIso } from '../domain/time.js';
import { prepareDateParser } from './date-parser.js';
import { parseTimeAhead, parseTimeQuery, type TimeWindow } from './time-window.js';

/** How words are taken. */
export interface TimeReading {
  /** Name of the field, for the error. */
  field: string;
  /** The instant at which they are said. */
  nowMs: number;
  /** Which end of a span is meant, such as of "last week"; the beginning unless said otherwise. */
  side?: 'start' | 'end';
  /** Whether they may speak of what is still to come, so that "1 May" is the nearest one. */
  isAhead?: boolean;
}

/** How much of an unreadable expression its error repeats. */
const SHOWN_LENGTH = 100;

/**
 * Reads an instant, in milliseconds since 1970.
 *
 * @throws MemoryError `invalid` naming the field and how a time can be written
 */
export async function readTime(said: string, { field, nowMs, side = 'start', isAhead }: TimeReading): Promise<number> {
  const exactMs = parseIso(said);
  if (exactMs !== undefined) return exactMs;
  await prepareDateParser();
  const window = (isAhead ? parseTimeAhead : parseTimeQuery)(said, nowMs);
  const instantMs = window && instantOf(window, side);
  if (instantMs !== undefined) return instantMs;
  throw unreadableTime(
    field,
    said,
    'Write ISO 8601, such as 2026-01-31T12:00:00Z, or "yesterday", "last week", "3 May"',
  );
}

/** @param advice how a time can be written in this field */
export function unreadableTime(field: string, said: string, advice: string): Error {
  return invalidField(field, `cannot be read: '${said.slice(0, SHOWN_LENGTH)}'. ${advice}`);
}

function instantOf({ instantMs, fromMs, toMs }: TimeWindow, side: 'start' | 'end'): number | undefined {
  return instantMs ?? (side === 'start' ? fromMs : toMs);
}

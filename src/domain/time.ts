/** Instants as text, and the interface of the clock. */
import { createRecent } from './collections.js';

/** Source of time and of timers. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Milliseconds on a clock that never goes back. Only differences are meaningful. */
  elapsedMs(): number;
  /**
   * Runs `callback` once after `delayMs`. The returned function cancels the timer. The timer keeps the process alive
   * only if `isAwaited` is true. Without `isAwaited`, a process whose last promise waits for the timer exits early.
   */
  schedule(delayMs: number, callback: () => void, isAwaited?: boolean): () => void;
}

export const MS_PER_DAY = 86_400_000;

/**
 * Maximum length of a wait. If the stored end of a wait is further away than this maximum, the clock was set back after
 * the end was written.
 */
export const WAIT_HORIZON_MS = 3_600_000;

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** The range of four-digit years. Beyond this range ISO 8601 has another form, which sorts and parses differently. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The dates of recently formatted days, by the number of the day since the epoch. */
const DATES = createRecent<string, number>(4_000, () => 1);

/**
 * Formats an instant in ISO 8601, in UTC and with milliseconds. Instants are stored and returned only in this form.
 * Every recall formats hundreds of them, and with a known date this takes half the time of `toISOString`.
 *
 * @throws RangeError when the number is not an instant
 */
export function toIso(epochMs: number): string {
  const wholeMs = Math.trunc(epochMs);
  const day = Math.floor(wholeMs / MS_PER_DAY);
  const date = DATES.get(day);
  if (date === undefined) {
    const text = new Date(epochMs).toISOString();
    if (epochMs >= FIRST_MS && epochMs <= LAST_MS) DATES.set(day, text.slice(0, 10));
    return text;
  }
  const ms = wholeMs - day * MS_PER_DAY;
  const second = Math.floor(ms / 1_000);
  const minute = Math.floor(second / 60);
  const text = `${date}T${digits(Math.floor(minute / 60), 2)}:${digits(minute % 60, 2)}:${digits(second % 60, 2)}.${digits(ms % 1_000, 3)}Z`;
  // Reading a character makes V8 join the parts, which would otherwise stay in memory as a tree.
  text.charCodeAt(0);
  return text;
}

function digits(number: number, count: number): string {
  return String(number).padStart(count, '0');
}

/**
 * Parses an ISO 8601 instant. A text without an offset is in UTC, and a date alone means its first instant. Digits
 * below the millisecond are dropped.
 *
 * @returns milliseconds since the epoch, or undefined when the text is not an instant
 */
export function parseIso(text: string): number | undefined {
  const match = ISO_8601.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', offset = 'Z'] = match;
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = [year, month, day, hour, minute, second].map(Number);
  if (h > 23 || mi > 59 || s > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(y, mo - 1, d);
  // Refuse a date such as 31 June, which `Date` turns into 1 July.
  if (date.getUTCMonth() !== mo - 1 || date.getUTCDate() !== d) return undefined;
  date.setUTCHours(h, mi, s, Math.floor(Number(`0.${fraction}`) * 1000));
  const offsetMinutes = parseOffsetMinutes(offset);
  if (offsetMinutes === undefined) return undefined;
  const epochMs = date.getTime() - offsetMinutes * 60_000;
  return epochMs < FIRST_MS || epochMs > LAST_MS ? undefined : epochMs;
}

function parseOffsetMinutes(offset: string): number | undefined {
  if (offset.toUpperCase() === 'Z') return 0;
  const written = offset.slice(1).replace(':', '').padEnd(4, '0');
  const [hours, minutes] = [Number(written.slice(0, 2)), Number(written.slice(2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

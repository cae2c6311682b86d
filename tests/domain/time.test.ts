/** Parsing and formatting instants. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MS_PER_DAY, parseIso, toIso } from '../../src/domain/time.js';

const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const anyInstant = fc.integer({ min: FIRST_MS + MS_PER_DAY, max: LAST_MS - MS_PER_DAY });

describe('parsing an instant', () => {
  test.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T10:20', '2026-01-31T10:20:00.000Z'],
    ['2026-01-31T10:20:30', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31 10:20:30', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31t10:20:30z', '2026-01-31T10:20:30.000Z'],
    ['  2026-01-31T10:20:30Z  ', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31T10:20:30.1Z', '2026-01-31T10:20:30.100Z'],
    ['2026-01-31T10:20:30,25Z', '2026-01-31T10:20:30.250Z'],
    ['2026-01-31T10:20:30.123456+00:00', '2026-01-31T10:20:30.123Z'],
    ['2026-01-31T10:20:30.999999999Z', '2026-01-31T10:20:30.999Z'],
    ['2026-01-31T10:20:30+02:00', '2026-01-31T08:20:30.000Z'],
    ['2026-01-31T10:20:30+0530', '2026-01-31T04:50:30.000Z'],
    ['2026-01-31T10:20:30-08', '2026-01-31T18:20:30.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2026-01-31T10:20:30 -00:00', '2026-01-31T10:20:30.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['0000-01-01', '0000-01-01T00:00:00.000Z'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s yields %s', (text, expected) => {
    const epochMs = parseIso(text);
    expect(epochMs).toBeDefined();
    expect(toIso(epochMs as number)).toBe(expected);
  });

  test.each([
    ['', 'nothing'],
    ['yesterday', 'a word'],
    ['1767225600', 'a number'],
    ['2026', 'a year'],
    ['2026-01', 'a month'],
    ['20260131', 'without dashes'],
    ['31.01.2026', 'the day first'],
    ['2026-1-31', 'a month of one digit'],
    ['2026-13-01', 'no such month'],
    ['2026-00-01', 'month zero'],
    ['2026-01-00', 'day zero'],
    ['2026-01-32', 'no such day'],
    ['2026-06-31', 'June has 30 days'],
    ['2023-02-29', 'no leap year'],
    ['1900-02-29', 'no leap year either'],
    ['2026-01-31T24:00:00Z', 'hour 24'],
    ['2026-01-31T10:60:00Z', 'minute 60'],
    ['2026-01-31T10:20:60Z', 'second 60'],
    ['2026-01-31T10', 'an hour without minutes'],
    ['2026-01-31T10:20:30.Z', 'a decimal point without digits'],
    ['2026-01-31T10:20:30+24:00', 'offset of a day'],
    ['2026-01-31T10:20:30+02:60', 'offset minute 60'],
    ['2026-01-31Z', 'a date with an offset'],
    ['2026-01-31T10:20:30Z; DROP', 'text after the instant'],
    ['2026-01-31T10:20:30Z\n2026', 'a second line'],
    ['+010000-01-01T00:00:00Z', 'a year of five digits'],
    ['9999-12-31T23:59:59-05:00', 'after the last year in UTC'],
    ['0000-01-01T00:00:00+05:00', 'before the first year in UTC'],
  ])('%j yields undefined: %s', text => {
    expect(parseIso(text)).toBeUndefined();
  });

  test('reverses formatting', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_MS, max: LAST_MS }), epochMs => {
        expect(parseIso(toIso(epochMs))).toBe(epochMs);
      }),
    );
  });

  test('yields the same instant with every offset', () => {
    const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    fc.assert(
      fc.property(anyInstant, offset, (epochMs, minutes) => {
        const sign = minutes < 0 ? '-' : '+';
        const hh = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0');
        const mm = String(Math.abs(minutes) % 60).padStart(2, '0');
        const local = toIso(epochMs + minutes * 60_000).slice(0, -1);
        expect(parseIso(`${local}${sign}${hh}:${mm}`)).toBe(epochMs);
        expect(parseIso(`${local}${sign}${hh}${mm}`)).toBe(epochMs);
      }),
    );
  });

  test('gives instants in the same order as their formatted texts', () => {
    fc.assert(
      fc.property(anyInstant, anyInstant, (one, other) => {
        expect(Math.sign(one - other)).toBe(toIso(one) < toIso(other) ? -1 : toIso(one) > toIso(other) ? 1 : 0);
      }),
    );
  });

  test('accepts exactly the days of the calendar', () => {
    const date = fc.record({ year: fc.integer({ min: 0, max: 9999 }), month: fc.nat(14), day: fc.nat(33) });
    fc.assert(
      fc.property(date, ({ year, month, day }) => {
        const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
        const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
        const pad = (value: number, length: number) => String(value).padStart(length, '0');
        const epochMs = parseIso(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`);
        expect(epochMs !== undefined).toBe(day >= 1 && day <= days);
      }),
    );
  });

  test('never throws for any text', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const epochMs = parseIso(text);
        if (epochMs !== undefined) expect(() => toIso(epochMs)).not.toThrow();
      }),
    );
  });
});

describe('formatting an instant', () => {
  const edges = [
    0,
    -1,
    -MS_PER_DAY,
    -MS_PER_DAY - 1,
    951_782_400_000,
    1.5,
    -1.5,
    FIRST_MS,
    FIRST_MS - 1,
    LAST_MS,
    LAST_MS + 1,
    8.64e15,
  ];

  test.each(edges)('has the form of Date.toISOString: %d', epochMs => {
    expect(toIso(epochMs)).toBe(new Date(epochMs).toISOString());
  });

  test('has the form of Date.toISOString for any instant, even if more days are formatted than are kept', () => {
    for (let day = -6_000; day < 6_000; day++) {
      const epochMs = day * MS_PER_DAY + ((day * 7_919_177) % MS_PER_DAY);
      expect(toIso(epochMs)).toBe(new Date(epochMs).toISOString());
    }
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), date => {
        expect(toIso(date.getTime())).toBe(date.toISOString());
      }),
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])(
    'throws for a number that is not an instant: %d',
    epochMs => {
      expect(() => toIso(epochMs)).toThrow(RangeError);
    },
  );
});

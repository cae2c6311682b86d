/** Tests time expressions with fixed clocks (docs/decisions.md, "Times in words"). */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { UTC } from '../../src/time/calendar.js';
import { prepareDateParser } from '../../src/time/date-parser.js';
import { parseTimeQuery } from '../../src/time/time-window.js';

/** A Sunday, the last day of its week and the first of its month. */
const SUNDAY = '2026-03-01T12:00:00.000Z';
const OPEN = '-';

beforeAll(() => prepareDateParser());

/** Reads `2026-03-01` or `2026-03-01T10:30` as a lower or an upper bound. `now` means the time of the clock. */
function bound(text: string, side: 'from' | 'to', now: string): number | undefined {
  if (text === OPEN) return undefined;
  if (text === 'now') return Date.parse(now);
  if (text.includes('T')) return Date.parse(`${text}Z`);
  return Date.parse(side === 'from' ? `${text}T00:00:00.000Z` : `${text}T23:59:59.999Z`);
}

function expectWindow(phrase: string, from: string, to: string, now: string) {
  const [fromMs, toMs] = [bound(from, 'from', now), bound(to, 'to', now)];
  const { instantMs: _, ...window } = parseTimeQuery(phrase, { nowMs: Date.parse(now), zone: UTC }) ?? {};
  expect(window).toEqual({
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
  });
}

describe('on Sunday, 1 March 2026, at noon', () => {
  describe('calendar spans', () => {
    test.each([
      ['today', '2026-03-01', '2026-03-01'],
      [' Today ', '2026-03-01', '2026-03-01'],
      ['this day', '2026-03-01', '2026-03-01'],
      ['yesterday', '2026-02-28', '2026-02-28'],
      ['this week', '2026-02-23', '2026-03-01'],
      ['LAST   WEEK', '2026-02-16', '2026-02-22'],
      ['previous week', '2026-02-16', '2026-02-22'],
      ['during last week', '2026-02-16', '2026-02-22'],
      ['next week', '2026-03-02', '2026-03-08'],
      ['this month', '2026-03-01', '2026-03-31'],
      ['last month', '2026-02-01', '2026-02-28'],
      ['in last month', '2026-02-01', '2026-02-28'],
      ['this quarter', '2026-01-01', '2026-03-31'],
      ['last quarter', '2025-10-01', '2025-12-31'],
      ['this year', '2026-01-01', '2026-12-31'],
      ['last year', '2025-01-01', '2025-12-31'],
      ['this weekend', '2026-02-28', '2026-03-01'],
      ['last weekend', '2026-02-21', '2026-02-22'],
      ['last wk', '2026-02-16', '2026-02-22'],
      ['last yr', '2025-01-01', '2025-12-31'],
      ['sometime last week', '2026-02-16', '2026-02-22'],
      ['over the past weekend', '2026-02-21', '2026-02-22'],
      ['over the weekend', '2026-02-28', '2026-03-01'],
    ])('"%s" means %s to %s', (phrase, from, to) => expectWindow(phrase, from, to, SUNDAY));
  });

  describe('rolling spans', () => {
    test.each([
      ['past week', '2026-02-22T12:00'],
      ['past month', '2026-02-01T12:00'],
      ['past quarter', '2025-12-01T12:00'],
      ['past year', '2025-03-01T12:00'],
      ['last hour', '2026-03-01T11:00'],
      ['last day', '2026-02-28T12:00'],
      ['past 30 minutes', '2026-03-01T11:30'],
      ['last 90 minutes', '2026-03-01T10:30'],
      ['last 24 hours', '2026-02-28T12:00'],
      ['past 48 hours', '2026-02-27T12:00'],
      ['last 1 day', '2026-02-28T12:00'],
      ['last 7 days', '2026-02-22T12:00'],
      ['last seven days', '2026-02-22T12:00'],
      ['last couple of days', '2026-02-27T12:00'],
      ['in the last few days', '2026-02-26T12:00'],
      ['past 2 weeks', '2026-02-15T12:00'],
      ['last 3 months', '2025-12-01T12:00'],
      ['within the past 2 years', '2024-03-01T12:00'],
      ['in the last month', '2026-02-01T12:00'],
      ['last 99999 days', '1752-05-17T12:00'],
      ['last 9999 years', '0001-01-01'],
      ['last 3 hrs', '2026-03-01T09:00'],
      ['last 2h', '2026-03-01T10:00'],
      ['Last 2 H', '2026-03-01T10:00'],
      ['last 5 mins', '2026-03-01T11:55'],
      ['last 5m', '2026-03-01T11:55'],
      ['past 30 min', '2026-03-01T11:30'],
      ['last 30 seconds', '2026-03-01T11:59:30'],
      ['last 45 secs', '2026-03-01T11:59:15'],
      ['last 10s', '2026-03-01T11:59:50'],
      ['last 2 d', '2026-02-27T12:00'],
      ['last 7-days', '2026-02-22T12:00'],
      ['past 2 wks', '2026-02-15T12:00'],
      ['last 1 wk', '2026-02-22T12:00'],
      ['last 1w', '2026-02-22T12:00'],
      ['last 3 mos', '2025-12-01T12:00'],
      ['last 3mo', '2025-12-01T12:00'],
      ['last 2 yrs', '2024-03-01T12:00'],
      ['past 1y', '2025-03-01T12:00'],
      ['past 2 qtrs', '2025-09-01T12:00'],
      ['last fortnight', '2026-02-15T12:00'],
      ['past decade', '2016-03-01T12:00'],
      ['past 3 hrs.', '2026-03-01T09:00'],
      // Fractions of a unit.
      ['last 1.5 hours', '2026-03-01T10:30'],
      ['last 1.5 days', '2026-02-28T00:00'],
      ['past 2.5 days', '2026-02-27T00:00'],
      ['last half an hour', '2026-03-01T11:30'],
      ['last half hour', '2026-03-01T11:30'],
      ['past half-hour', '2026-03-01T11:30'],
      ['past half a day', '2026-03-01T00:00'],
      ['last one and a half hours', '2026-03-01T10:30'],
      ['past 2 and a half hours', '2026-03-01T09:30'],
      ['last hour and a half', '2026-03-01T10:30'],
      ['past year and a half', '2024-09-01T12:00'],
      ['past 1.5 years', '2024-09-01T12:00'],
      ['past half year', '2025-09-01T12:00'],
      ['past half a month', '2026-02-14T12:00'],
      // Number words. "several" means seven, as in the library that reads dates.
      ['last several days', '2026-02-22T12:00'],
      ['last thirty days', '2026-01-30T12:00'],
      ['last twenty-five minutes', '2026-03-01T11:35'],
      ['last ninety nine seconds', '2026-03-01T11:58:21'],
      ['last nineteen hours', '2026-02-28T17:00'],
      ['the last hundred days', '2025-11-21T12:00'],
      // Sums.
      ['past 1 year and 2 months', '2025-01-01T12:00'],
      ['last 1 hour and 30 minutes', '2026-03-01T10:30'],
      ['last 1h30m', '2026-03-01T10:30'],
      ['last 2 days, 3 hrs, and 5 mins', '2026-02-27T08:55'],
      ['past week and a day', '2026-02-21T12:00'],
      // Words that may precede the expression.
      ['about the last 3 hrs', '2026-03-01T09:00'],
      ['sometime in the last 3 hrs', '2026-03-01T09:00'],
      ['for the past 3 hrs', '2026-03-01T09:00'],
      ['around the past 2h', '2026-03-01T10:00'],
      ['these past 3 days', '2026-02-26T12:00'],
    ])('"%s" means %s to now', (phrase, from) => expectWindow(phrase, from, 'now', SUNDAY));
  });

  describe('spans that start now', () => {
    test.each([
      ['next 3 days', '2026-03-04T12:00'],
      ['the next 2 hrs', '2026-03-01T14:00'],
    ])('"%s" means now to %s', (phrase, to) => expectWindow(phrase, 'now', to, SUNDAY));
  });

  describe('"ago" means the hour around that time, or the whole day, week, month or year of that time', () => {
    test.each([
      ['3 hours ago', '2026-03-01T08:30', '2026-03-01T09:30'],
      ['an hour ago', '2026-03-01T10:30', '2026-03-01T11:30'],
      ['3 hrs ago', '2026-03-01T08:30', '2026-03-01T09:30'],
      ['20 minutes ago', '2026-03-01T11:10', '2026-03-01T12:10'],
      ['thirty days ago', '2026-01-30', '2026-01-30'],
      ['2 wks ago', '2026-02-09', '2026-02-15'],
      ['several weeks ago', '2026-01-05', '2026-01-11'],
      ['3 days ago', '2026-02-26', '2026-02-26'],
      ['a few days ago', '2026-02-26', '2026-02-26'],
      ['a week ago', '2026-02-16', '2026-02-22'],
      ['about two weeks ago', '2026-02-09', '2026-02-15'],
      ['a month ago', '2026-02-01', '2026-02-28'],
      ['2 months ago', '2026-01-01', '2026-01-31'],
      ['a year ago', '2025-01-01', '2025-12-31'],
      ['the day before yesterday', '2026-02-27', '2026-02-27'],
    ])('"%s" means %s to %s', (phrase, from, to) => expectWindow(phrase, from, to, SUNDAY));
  });

  describe('dates', () => {
    test.each([
      ['2025', '2025-01-01', '2025-12-31'],
      ['during 2024', '2024-01-01', '2024-12-31'],
      ['2025-06', '2025-06-01', '2025-06-30'],
      ['in May 2024', '2024-05-01', '2024-05-31'],
      ['February 2024', '2024-02-01', '2024-02-29'],
      ['15 March 2025', '2025-03-15', '2025-03-15'],
      ['2025-03-15', '2025-03-15', '2025-03-15'],
      ['2024-02-29', '2024-02-29', '2024-02-29'],
    ])('"%s" means %s to %s', (phrase, from, to) => expectWindow(phrase, from, to, SUNDAY));
  });

  describe('a month, day or hour without its year or date means the latest one that has started', () => {
    test.each([
      ['in May', '2025-05-01', '2025-05-31'],
      ['March', '2026-03-01', '2026-03-31'],
      ['December', '2025-12-01', '2025-12-31'],
      ['March 15', '2025-03-15', '2025-03-15'],
      ['Monday', '2026-02-23', '2026-02-23'],
      ['Sunday', '2026-03-01', '2026-03-01'],
      ['on Friday', '2026-02-27', '2026-02-27'],
      ['last Friday', '2026-02-27', '2026-02-27'],
      ['at 9am', '2026-03-01T09:00', '2026-03-01T09:59:59.999'],
      ['at 5pm', '2026-02-28T17:00', '2026-02-28T17:59:59.999'],
    ])('"%s" means %s to %s', (phrase, from, to) => expectWindow(phrase, from, to, SUNDAY));

    test('or, after "next", the coming one', () => expectWindow('next Friday', '2026-03-06', '2026-03-06', SUNDAY));
  });

  describe('from one expression to another', () => {
    test.each([
      ['from May to June', '2025-05-01', '2025-06-30'],
      ['between May and June', '2025-05-01', '2025-06-30'],
      ['May 2025 - June 2025', '2025-05-01', '2025-06-30'],
      ['December to January', '2025-12-01', '2026-01-31'],
      ['between January and March 2025', '2025-01-01', '2025-03-31'],
      ['between October and March 2025', '2024-10-01', '2025-03-31'],
      ['2025-03-15 to 2025-03-20', '2025-03-15', '2025-03-20'],
      ['from 5 to 10 May', '2025-05-05', '2025-05-10'],
      ['from Friday to Monday', '2026-02-20', '2026-02-23'],
      ['from yesterday until today', '2026-02-28', '2026-03-01'],
    ])('"%s" means %s to %s', (phrase, from, to) => expectWindow(phrase, from, to, SUNDAY));
  });

  describe('with one open end', () => {
    test.each([
      ['since yesterday', '2026-02-28', 'now'],
      ['since last week', '2026-02-16', 'now'],
      ['since Monday', '2026-02-23', 'now'],
      ['from Monday', '2026-02-23', 'now'],
      ['since 3 days ago', '2026-02-26', 'now'],
      ['from 2024', '2024-01-01', 'now'],
      ['after 2024', '2025-01-01', 'now'],
      ['after Monday', '2026-02-24', 'now'],
      ['before 2025', OPEN, '2024-12-31'],
      ['before yesterday', OPEN, '2026-02-27'],
      ['until last month', OPEN, '2026-01-31'],
      ['up to May', OPEN, '2025-04-30'],
    ])('"%s" means %s to %s', (phrase, from, to) => expectWindow(phrase, from, to, SUNDAY));
  });

  test.each([
    '',
    '   ',
    'banana',
    '5',
    'last',
    'week',
    'days',
    'since',
    'before',
    'the whole week',
    'meeting yesterday',
    'last 0 days',
    'last -3 days',
    'last 2-3 days',
    'last 1.2.3 days',
    'last 3',
    'last 5M',
    'last 3 moons',
    'last 3 working days',
    'last 3 hrs or so',
    'last 3 days before yesterday',
    'roughly the last 3 hrs',
    'last quarter of an hour',
    'last 2 days and 3',
    'past week day',
    'next 0 days',
    'last many days',
    'last 7 days and yesterday',
    'last 99999999999 years',
    '9999 years ago',
    '2024-13-45',
    '2025-02-29',
    '30 February',
    'since next week',
    'until forever',
  ])('the expression "%s" cannot be read', phrase => {
    expect(parseTimeQuery(phrase, { nowMs: Date.parse(SUNDAY), zone: UTC })).toBeUndefined();
  });
});

describe('at the borders of weeks, months and years', () => {
  test.each([
    // The first and the last instant of a week.
    ['this week', '2026-03-02T00:00:00.000Z', '2026-03-02', '2026-03-08'],
    ['this week', '2026-03-01T23:59:59.999Z', '2026-02-23', '2026-03-01'],
    ['last week', '2026-03-02T00:00:00.000Z', '2026-02-23', '2026-03-01'],
    ['this week', '2026-01-01T08:00:00.000Z', '2025-12-29', '2026-01-04'],
    ['yesterday', '2026-01-01T08:00:00.000Z', '2025-12-31', '2025-12-31'],
    ['last month', '2026-01-31T08:00:00.000Z', '2025-12-01', '2025-12-31'],
    ['last month', '2024-03-31T08:00:00.000Z', '2024-02-01', '2024-02-29'],
    ['last quarter', '2026-02-10T08:00:00.000Z', '2025-10-01', '2025-12-31'],
    ['last year', '2024-02-29T08:00:00.000Z', '2023-01-01', '2023-12-31'],
    // If the month does not have the day, its last day is used, and not a day of the next month.
    ['past month', '2026-03-31T08:00:00.000Z', '2026-02-28T08:00', 'now'],
    ['past month', '2024-03-30T08:00:00.000Z', '2024-02-29T08:00', 'now'],
    ['past year', '2024-02-29T08:00:00.000Z', '2023-02-28T08:00', 'now'],
    ['last 12 months', '2024-02-29T08:00:00.000Z', '2023-02-28T08:00', 'now'],
    ['a month ago', '2026-03-31T08:00:00.000Z', '2026-02-01', '2026-02-28'],
    // Early in the day, the latest day that has started is today and not yesterday.
    ['Sunday', '2026-03-01T05:00:00.000Z', '2026-03-01', '2026-03-01'],
    ['March', '2026-03-01T05:00:00.000Z', '2026-03-01', '2026-03-31'],
    ['1 March', '2026-03-01T05:00:00.000Z', '2026-03-01', '2026-03-01'],
    ['this morning', '2026-03-01T05:00:00.000Z', '2026-03-01', '2026-03-01'],
  ])('"%s" at %s means %s to %s', (phrase, now, from, to) => expectWindow(phrase, from, to, now));
});

describe('any sequence of words', () => {
  const word = fc.constantFrom(
    ...'last past this next since before between and from to 3 12 99999 a days weeks 2h half 1.5 yrs may monday 2025 ago now -'.split(
      ' ',
    ),
  );
  const phrase = fc.oneof(
    fc.string(),
    fc.array(word, { minLength: 1, maxLength: 6 }).map(parts => parts.join(' ')),
  );
  const instant = fc.integer({ min: Date.parse('1971-01-01'), max: Date.parse('2200-01-01') });

  test('gives a window that starts no later than it ends, or cannot be read', () => {
    fc.assert(
      fc.property(phrase, instant, (text, nowMs) => {
        const { fromMs = -Infinity, toMs = Infinity } = parseTimeQuery(text, { nowMs, zone: UTC }) ?? {};
        expect(fromMs).toBeLessThanOrEqual(toMs);
      }),
      { numRuns: 1_000 },
    );
  });

  test('spans such as "today" or "past week" contain the current time, whatever the clock shows', () => {
    const spans = [
      'today',
      'this week',
      'this month',
      'this year',
      'past week',
      'last 5 months',
      'since yesterday',
      'now',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...spans), instant, (text, nowMs) => {
        const { fromMs = -Infinity, toMs = Infinity } = parseTimeQuery(text, { nowMs, zone: UTC }) ?? {
          fromMs: Infinity,
        };
        expect(fromMs).toBeLessThanOrEqual(nowMs);
        expect(toMs).toBeGreaterThanOrEqual(nowMs);
      }),
    );
  });
});

describe('any amount of any unit in the past', () => {
  const amount = fc.constantFrom('2', '3.5', 'two', 'several', 'a few', 'half a', 'forty-two', 'umpteen', '2-3', '1e3');
  const unit = fc.constantFrom(...'s secs mins m hrs h d wks mos yrs fortnights moons'.split(' '));
  const lead = fc.constantFrom('', 'the ', 'in the ', 'about the ', 'of the ', 'roughly the ', 'since the ');
  const tail = fc.constantFrom('', ' ', '.', ' or so', ' and a day', ' and 3', ', 2 hrs');

  test('gives a window that ends now, or cannot be read', () => {
    fc.assert(
      fc.property(lead, fc.constantFrom('last', 'past'), amount, unit, tail, (before, past, count, name, after) => {
        const nowMs = Date.parse('2026-03-01T17:36:00.000Z');
        const window = parseTimeQuery(`${before}${past} ${count} ${name}${after}`, { nowMs, zone: UTC });
        if (window) expect(window.toMs).toBe(nowMs);
      }),
      { numRuns: 2_000 },
    );
  });
});

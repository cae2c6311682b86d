/**
 * Checks which queries are parsed for dates. Parsing costs time, but a query that is not parsed finds no memory by its
 * date.
 */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { datesNamed, mayNameDates } from '../../src/recall/language/names-and-dates.js';
import { timeZoneNamed, UTC } from '../../src/time/calendar.js';
import { dateParser, prepareDateParser } from '../../src/time/date-parser.js';
import { parseDates } from '../../src/time/time-window.js';
import { PHRASE_BOOKS, phrasesOf, plainText } from '../../src/time/translation.js';
import { readText } from '../support/source-code.js';

const WORDS =
  `january february march april may june july august september october november december jan feb mar apr jun jul
  aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
  one two three four five six seven eight nine ten eleven twelve first second third fifth tenth twentieth a an half few couple several the
  s sec second seconds m min mins minute minutes h hr hrs hour hours d day days w week weeks mo mos month months qtr quarter
  quarters y yr year years now today tonight tomorrow overmorrow tmr tmrw yesterday morning noon afternoon evening night
  midnight midday this last next past previous coming ago later earlier hence before after from in on at of by until since
  during within for and to what did we decide`.split(/\s+/);

test('every query that names a day or a month is parsed for dates', async () => {
  await prepareDateParser();
  let named = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }), words => {
      const question = words.join(' ');
      const said = dateParser().parse(question, { instant: new Date('2026-03-01T12:00:00Z'), timezone: 0 });
      if (!said.some(({ start }) => start.isCertain('month'))) return;
      named += 1;
      expect(mayNameDates(question), question).toBe(true);
    }),
    { numRuns: 3_000 },
  );
  expect(named).toBeGreaterThan(100);
});

test.each(['What did we decide on 3/5/2024?', 'Notes of 2024-05-03', 'am 3.5.2024'])(
  'the query %s is parsed for dates',
  question => {
    expect(mayNameDates(question)).toBe(true);
  },
);

test('a query in English loads no other language', async () => {
  vi.resetModules();
  const fresh = await import('../../src/time/date-parser.js');
  const { datesNamed: find } = await import('../../src/recall/language/names-and-dates.js');
  await find('What did we decide on 3 May 2024, and what last week?', {
    nowMs: 0,
    zone: timeZoneNamed('Asia/Kolkata'),
  });
  expect(() => fresh.dateParser('en')).not.toThrow();
  for (const language of Object.keys(PHRASE_BOOKS)) expect(() => fresh.dateParser(language), language).toThrow();
});

const asked = readText('tests/recall/dates-in-questions.jsonl')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as { question: string; dates: string[] });

/** Writes a day in Kolkata as `2026-05-03`, a day in UTC as `2026-05-03Z`, and several days as `first/last`. */
function shown({ fromMs, toMs }: { fromMs: number; toMs: number }): string {
  if (fromMs % 86_400_000 === 0) return `${new Date(fromMs).toISOString().slice(0, 10)}Z`;
  const [first, last] = [fromMs, toMs].map(ms => new Date(ms + 5.5 * 3_600_000).toISOString().slice(0, 10));
  return first === last ? `${first}` : `${first}/${last}`;
}

test.each(asked)('the query "$question" names the dates $dates', async ({ question, dates }) => {
  const now = { nowMs: Date.parse('2026-06-17T12:00:00Z'), zone: timeZoneNamed('Asia/Kolkata') };
  expect((await datesNamed(question, now)).map(shown)).toEqual(dates);
});

test.each(['en', ...Object.keys(PHRASE_BOOKS)])(
  'hostile queries are read in time in the language %s',
  async language => {
    await prepareDateParser(language);
    const now = { nowMs: Date.parse('2026-06-17T12:00:00Z'), zone: UTC, language };
    for (const part of ['1', '1 ', '1.', '1-2-', '12:3', '1/2/', ' ', 'a', 'mai мая 5月 ', '2024年', 'vor 3 três три '])
      expect(
        bestMs(() => readAll(part.repeat(500).slice(0, 500), now)),
        part,
      ).toBeLessThan(20);
  },
);

function readAll(question: string, now: Parameters<typeof parseDates>[1] & { language: string }): void {
  const isEnglish = now.language === 'en';
  parseDates(isEnglish ? question : plainText(question), now);
  if (!isEnglish) phrasesOf(now.language).find(plainText(question));
}

/** The processor time of the fastest of several runs, so that other load on the machine does not change the result. */
function bestMs(work: () => void): number {
  const runs = Array.from({ length: 5 }, () => {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}

test('a query with neither digits nor words of time is not parsed for dates', () => {
  expect(mayNameDates('Which database does the billing service use, and who chose it?')).toBe(false);
});

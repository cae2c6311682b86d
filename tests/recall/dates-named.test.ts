/**
 * Checks which queries are parsed for dates. Parsing costs time, but a query that is not parsed finds no memory by its
 * date.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayNameDates } from '../../src/recall/language/dates-named.js';
import { dateParser, prepareDateParser } from '../../src/time/date-parser.js';

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

test('a query with neither digits nor words of time is not parsed for dates', () => {
  expect(mayNameDates('Which database does the billing service use, and who chose it?')).toBe(false);
});

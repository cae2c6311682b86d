/** Limits on the input of a recall. Handling any part of the input takes at most linear time. */
import { beforeAll, describe, expect, test } from 'vitest';
import { datesNamed, withoutNames } from '../../src/recall/language/names-and-dates.js';
import { UTC } from '../../src/time/calendar.js';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store } = await openRecallApp();

beforeAll(() =>
  store({
    beginning: { content: 'The zebra sleeps in the stable' },
    end: { content: 'The walrus swims in the harbour' },
  }),
);

const FILLER = 'blank '.repeat(400);

describe('a query', () => {
  test('is read up to 2,000 characters, in each parameter that accepts queries', async () => {
    const question = `zebra ${FILLER} walrus`;
    expect(await recall({ query: question, limit: '1' })).toEqual(['beginning']);
    const ways: Record<string, string | string[]>[] = [{ query: question }, { queries: [question, 'unheard'] }];
    for (const parameters of ways) {
      const { results } = await ask({ ...parameters, explain: 'true' });
      const ids = results.map((result: { memory: { content: string } }) => result.memory.content);
      expect(ids).not.toContain('The walrus swims in the harbour');
    }
  });

  test('is echoed without the text beyond its limit', async () => {
    const { query } = await ask({ query: `  zebra ${FILLER} walrus` });
    expect(query).toHaveLength(2_000);
    expect(query).toMatch(/^zebra /);
  });

  test('is never cut within a character', async () => {
    const { query } = await ask({ query: `a${'😀'.repeat(3_000)}` });
    expect([...query]).toHaveLength(2_000);
    expect(query.isWellFormed()).toBe(true);
  });

  test('is searched only once when it equals another query after both were cut', async () => {
    const { queries } = await ask({ queries: [`zebra ${FILLER}1`, `zebra ${FILLER}2`] });
    expect(queries).toHaveLength(1);
  });

  test('with 19,000 spaces between two words is cut before the second word', async () => {
    expect(await recall({ query: `zebra${' '.repeat(19_000)}Walrus`, limit: '1' })).toEqual(['beginning']);
  });
});

describe('input over its limit is rejected with the name of the field', () => {
  test.each([
    ['time_query', 'last 1 day '.repeat(20), 200, 'time_query'],
    ['time', '1 day '.repeat(20_000), 200, 'time_query'],
    ['language', 'a'.repeat(101), 100, 'language'],
    ['lang', 'a'.repeat(100_000), 100, 'lang'],
    ['active_path', `src/${'a'.repeat(5_000)}.ts`, 4_096, 'active_path'],
  ])('%s', async (name, value, limit, field) => {
    const answer = await ask({ query: 'zebra', [name]: value }, 400);
    expect(answer.field).toBe(field);
    expect(answer.error).toContain(`at most ${limit} characters`);
  });

  test('but input exactly at its limit is accepted', async () => {
    await ask({ query: 'zebra', language: 'a'.repeat(100), active_path: 'a'.repeat(4_096) });
    const { time_window } = await ask({ query: 'zebra', time_query: `last${' '.repeat(190)}2 days` });
    expect(time_window).toBeDefined();
  });
});

test('recall with many dates in the query looks up only the first five dates', async () => {
  const dates = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1} January 2026`).join(', ');
  const now = { nowMs: Date.parse('2026-03-01T12:00:00Z'), zone: UTC };
  expect(await datesNamed(`What was on ${dates(4)}?`, now)).toHaveLength(4);
  expect(await datesNamed(`What was on ${dates(20)}?`, now)).toEqual(await datesNamed(`What was on ${dates(5)}?`, now));
});

/** Reading 80,000 characters takes less, and comparing each with each takes seconds. */
const LINEAR_MS = 100;

/** The processor time of the fastest of several runs. Other programs on the machine do not add to it. */
function bestMs(work: () => void): number {
  const runs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user / 1_000;
  });
  return Math.min(...runs);
}

test.each([
  ['blanks', (length: number) => `a${' '.repeat(length)}B`],
  ['names', (length: number) => 'Anna '.repeat(length / 5)],
  ['capitals', (length: number) => 'A'.repeat(length)],
])('names are removed from %s in linear time', (_, textOf) => {
  const shortMs = bestMs(() => withoutNames(textOf(10_000)));
  const longMs = bestMs(() => withoutNames(textOf(80_000)));
  expect(longMs).toBeLessThan(Math.max(LINEAR_MS, shortMs * 8 * 4));
});

test.each([
  ['How does Anna cook red fish?', 'How does cook red fish?'],
  ['What did we tell\n\tAnna’s brother Tom of the plan?', 'What did we tell brother of the plan?'],
  ['Anna cooks fish well', undefined],
  ['We know it. Anna cooks fish well', undefined],
  ['We know McDonald well enough', undefined],
])('removing names from the query %j leaves %j', (question, rest) => expect(withoutNames(question)).toBe(rest));

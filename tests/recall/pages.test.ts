/** Which memories come onto the page: of several questions, in an order of time, and while vectors are missing. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startLaterVectors } from '../support/later-vectors.js';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, idOf } = await openRecallApp();

interface Result {
  id: string;
}

beforeAll(async () => {
  const gherkins = Array.from({ length: 8 }, (_, index) => [
    `gherkin${index}`,
    { content: `Gherkin jar ${index} stands in the gherkin cellar`, tags: ['cellar'], importance: 1 },
  ]);
  await store({
    ...Object.fromEntries(gherkins),
    rocket: { content: 'Rocket is sown in spring', importance: 0.1 },
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `ferry${index}`,
        {
          content:
            index % 2 === 0 ? 'The ferry ferry ferry timetable is on the wall' : `A ferry was seen, number ${index}`,
          tags: [`day:${index}`],
          timestamp: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
        },
      ]),
    ),
  });
});

describe('several questions', () => {
  test('each bring as many as the limit allows, and none is pushed out by another', async () => {
    const { results, count } = await ask({ queries: ['gherkin jar in the cellar', 'rocket sown'], limit: '5' });
    const names = results.map(({ id }: Result) => id);
    expect(names).toContain(idOf('rocket'));
    expect(count).toBeGreaterThan(5);
    expect(count).toBeLessThanOrEqual(10);
  });
  test('bring less with per_query_limit', async () => {
    expect(await recall({ queries: ['gherkin jar', 'rocket sown'], limit: '5', per_query_limit: '1' })).toHaveLength(2);
  });
});

describe('an order of time', () => {
  const newest = (count: number) => Array.from({ length: count }, (_, index) => `ferry${39 - index}`);
  test('shows the newest that match, however weakly', async () => {
    expect(await recall({ query: 'ferry timetable wall', sort: 'time_desc', limit: '6' })).toEqual(newest(6));
    expect(await recall({ query: 'ferry timetable wall', sort: 'time_asc', limit: '3' })).toEqual([
      'ferry0',
      'ferry1',
      'ferry2',
    ]);
  });
  test('leaves out what has no bearing on the question, also within tags', async () => {
    const found = await recall({ query: 'ferry', tags: ['cellar', 'day'], sort: 'time_desc', limit: '50' });
    expect(found).toEqual(newest(40));
  });
});

test('a memory that waits for its vector is found within its tags, although its words do not match', async () => {
  const { settings } = await startLaterVectors();
  const later = await openRecallApp(settings);
  const stored = async (content: string) =>
    (await later.request('POST /memory', { content, tags: ['shed'] }, 201)).memory_id;
  const known = [await stored('Paint the fence'), await stored('Oil the hinges')];
  await later.engine.idle();
  const waiting = await stored('Bring the ladder');
  const asked = { query: 'What is needed for the roof?', tags: 'shed', explain: 'true', limit: '3' };
  const { results } = await later.ask(asked);
  expect(results.map(({ id }: Result) => id).sort()).toEqual([...known, waiting].sort());
  const found = results.find(({ id }: Result) => id === waiting);
  expect(found.explanation.found_by).toEqual(['waiting']);
  await later.engine.idle();
  const after = (await later.ask(asked)).results.find(({ id }: Result) => id === waiting);
  expect(after.explanation.found_by).toEqual(['vector']);
});

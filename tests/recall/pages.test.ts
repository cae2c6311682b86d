/** The memories on the page: with several queries, sorted by time, and while vectors are missing. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startLaterVectors } from '../support/later-vectors.js';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, associate, idOf } = await openRecallApp();

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

describe('recall with several queries', () => {
  test('returns up to `limit` results for each query, so that no query displaces another query', async () => {
    const { results, count } = await ask({ queries: ['gherkin jar in the cellar', 'rocket sown'], limit: '5' });
    const names = results.map(({ id }: Result) => id);
    expect(names).toContain(idOf('rocket'));
    expect(count).toBeGreaterThan(5);
    expect(count).toBeLessThanOrEqual(10);
  });
  test('returns fewer results for each query with per_query_limit', async () => {
    expect(await recall({ queries: ['gherkin jar', 'rocket sown'], limit: '5', per_query_limit: '1' })).toHaveLength(2);
  });
});

describe('recall sorted by time', () => {
  const newest = (count: number) => Array.from({ length: count }, (_, index) => `ferry${39 - index}`);
  test('shows the newest matches, even if their scores are low', async () => {
    expect(await recall({ query: 'ferry timetable wall', sort: 'time_desc', limit: '6' })).toEqual(newest(6));
    expect(await recall({ query: 'ferry timetable wall', sort: 'time_asc', limit: '3' })).toEqual([
      'ferry0',
      'ferry1',
      'ferry2',
    ]);
  });
  test('leaves out memories that have the tags but do not match the query', async () => {
    const found = await recall({ query: 'ferry', tags: ['cellar', 'day'], sort: 'time_desc', limit: '50' });
    expect(found).toEqual(newest(40));
  });
});

test('recall within tags: a memory that waits for its vector is found even if its words do not match', async () => {
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

describe('interaction of recall steps', () => {
  test('a current copy of a superseded memory is kept', async () => {
    await store({
      gone: { content: 'The kiosk opens at nine', tags: ['kiosk'], importance: 0.9 },
      copy: { content: 'The kiosk opens at nine', tags: ['kiosk'], importance: 0.1 },
      later: { content: 'It opens at ten', tags: ['kiosk'] },
    });
    await associate('gone', 'INVALIDATED_BY', 'later');
    const found = await recall({ query: 'When does the kiosk open?', tags: 'kiosk' });
    expect(found).toContain('copy');
    expect(found).not.toContain('gone');
  });
  test('of two copies the copy with the higher score is shown, even if it is older', async () => {
    await store({
      weighty: { content: 'The sluice is shut at noon', importance: 1, timestamp: '2025-01-01T00:00:00Z' },
      light: { content: 'The sluice is shut at noon', importance: 0, timestamp: '2025-06-01T00:00:00Z' },
    });
    const { results } = await ask({ query: 'When is the sluice shut?', limit: '1' });
    expect(results).toMatchObject([{ id: idOf('weighty'), deduped_from: [idOf('light')] }]);
  });
  test('memories that expansion adds come before memories that scope_fallback adds', async () => {
    await store({
      hut: { content: 'The heron hut stands in the reeds', tags: ['marsh'] },
      boat: { content: 'A flat boat lies there', tags: ['marsh'] },
      outside: { content: 'The heron hut was painted green', tags: ['paint'] },
    });
    await associate('hut', 'RELATES_TO', 'boat', { strength: 0.9 });
    const asked = { query: 'heron hut reeds', tags: 'marsh', limit: '4' };
    const found = await recall({ ...asked, expand_relations: 'true', scope_fallback: 'true' });
    expect(found.indexOf('boat')).toBeGreaterThan(0);
    expect(found.indexOf('outside')).toBeGreaterThan(found.indexOf('boat'));
  });
});

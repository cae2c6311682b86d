/** The numbers of memories that filters hide, in an answer with few or no results. */
import { beforeAll, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, store, associate } = await openRecallApp();

beforeAll(async () => {
  await store({
    one: { content: 'The lantern in the porch is broken', tags: ['house'], timestamp: '2026-01-10T00:00:00Z' },
    two: { content: 'A lantern needs oil', tags: ['house'], timestamp: '2026-01-11T00:00:00Z' },
    three: { content: 'The lantern was lent to Ann', tags: ['people:ann'], timestamp: '2025-06-01T00:00:00Z' },
    style: { content: 'Write short sentences', tags: ['style'], timestamp: '2026-02-01T00:00:00Z' },
    lapsed: { content: 'The lantern is at the smith', t_invalid: '2026-02-01T00:00:00Z' },
    unborn: { content: 'The lantern will be sold', tags: ['house'], t_valid: '2026-09-01T00:00:00Z' },
    old: { content: 'The telescope stands in the attic', timestamp: '2026-02-20T00:00:00Z' },
    new: { content: 'The telescope stands in the barn', timestamp: '2026-02-21T00:00:00Z' },
  });
  await associate('old', 'INVALIDATED_BY', 'new');
});

const hidden = async (parameters: Record<string, string>) => (await ask(parameters)).hidden;

test('hidden: if no memory has the requested tags, the matches without these tags are counted', async () => {
  expect(await hidden({ query: 'lantern', tags: 'nowhere' })).toEqual({ counted_to: 5, tags: 3 });
});

test('hidden: counts the matches outside a time window that contains no match', async () => {
  expect(await hidden({ query: 'lantern', start: '2020-01-01', end: '2020-12-31' })).toEqual({
    counted_to: 5,
    time: 3,
  });
});

test('hidden: counts the matches that lack the tags when the matches with the tags do not fill the page', async () => {
  const answer = await ask({ query: 'lantern', tags: 'people' });
  expect(answer.count).toBe(1);
  expect(answer.hidden).toEqual({ counted_to: 5, tags: 2 });
});

test('hidden: if the answer has results, memories that are not valid now are not counted', async () => {
  expect(await hidden({ query: 'lantern', tags: 'house' })).toEqual({ counted_to: 5, tags: 1 });
});

test('hidden: counts the matches that exclude_tags removes', async () => {
  expect(await hidden({ query: 'lantern', exclude_tags: 'house,people,ann' })).toMatchObject({ exclude_tags: 3 });
});

test('hidden: counts matches that one filter alone hides, or if none exist, those that all filters hide', async () => {
  expect(await hidden({ query: 'lantern', tags: 'people', start: '2026-01-01' })).toMatchObject({ tags: 2, time: 1 });
  expect(await hidden({ query: 'lantern', tags: 'nowhere', start: '2026-06-01' })).toMatchObject({
    tags: 0,
    time: 0,
    together: 3,
  });
});

test('hidden: if the answer has no results, memories that are not valid now are counted', async () => {
  expect(await hidden({ query: 'smith sold' })).toEqual({ counted_to: 5, state: 2 });
  expect(await ask({ query: 'smith sold', state_mode: 'history' })).not.toHaveProperty('hidden');
});

test('hidden: counts hidden memories also in a recall without a query', async () => {
  expect(await hidden({ tags: 'nowhere' })).toMatchObject({ tags: 5, counted_to: 5 });
  expect(await hidden({ tags: 'style', limit: '2' })).toMatchObject({ tags: 2, counted_to: 2 });
});

test('hidden: does not count memories unrelated to the query', async () => {
  expect(await hidden({ query: 'zeppelin', tags: 'nowhere' })).toEqual({ counted_to: 5, tags: 0 });
});

test.each([
  ['a full page', { query: 'lantern', tags: 'house', limit: '2' }],
  ['a short page of three within a filter', { query: 'lantern', exclude_tags: 'style', limit: '20' }],
  ['a short page without a filter', { query: 'lantern' }],
  ['a query without a filter that matches no memory', { query: 'zeppelin' }],
])('hidden: is absent for %s', async (_case, parameters: Record<string, string>) => {
  expect(await ask(parameters)).not.toHaveProperty('hidden');
});

test('history: a successor comes before its predecessor, and results say why they are not current', async () => {
  const { results } = await ask({ query: 'telescope attic', state_mode: 'history' });
  const [first, second] = results;
  expect(first.memory.content).toContain('barn');
  expect(second).toMatchObject({ superseded_by: first.id, memory: { content: expect.stringContaining('attic') } });
  expect(second.final_score).toBe(first.final_score);
  expect(first).not.toHaveProperty('superseded_by');
  const lanterns = await ask({ query: 'lantern', state_mode: 'history', limit: '10' });
  const reasons = lanterns.results.map((result: { not_current?: string }) => result.not_current);
  expect(reasons.filter(Boolean).sort()).toEqual(['expired', 'not_yet_valid']);
  const scores = lanterns.results.map((result: { final_score: number }) => result.final_score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});

test('history: results sorted by time keep that order, so a superseded memory can come first', async () => {
  const { results } = await ask({ query: 'telescope', state_mode: 'history', sort: 'time_asc' });
  expect(results.map((result: { superseded_by?: string }) => result.superseded_by !== undefined)).toEqual([
    true,
    false,
  ]);
});

test('state_mode current (default): no result is marked as superseded', async () => {
  const { results } = await ask({ query: 'telescope' });
  expect(results).toHaveLength(1);
  expect(results[0]).not.toHaveProperty('superseded_by');
});

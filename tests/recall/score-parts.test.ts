/** The values of score parts: recency, phrases and context hints. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, idOf } = await openRecallApp();

beforeAll(() =>
  store({
    accessed: { content: 'A marble statue', timestamp: '2024-01-01', last_accessed: '2026-02-26T12:00:00Z' },
    forgotten: { content: 'A marble stair', timestamp: '2026-02-27', last_accessed: '2025-11-01T12:00:00Z' },
    long: { content: 'A marble floor', timestamp: '2026-02-27', last_accessed: '2024-01-01T12:00:00Z' },
    apart: { content: 'Velvet rots where a green curtain hangs' },
    together: { content: 'Where a green velvet hangs, the curtain rots' },
    tagged: { content: 'Something hangs in the hall', tags: ['amber', 'lamp'] },
    named: { content: 'Something lies in the hall', tags: ['room:amber lamp'] },
    half: { content: 'Something stands in the hall', tags: ['amber'] },
    decision: { content: 'The pottery oven is fired on Fridays', type: 'Decision', tags: ['craft:clay:oven'] },
    habit: { content: 'The pottery wheel is cleaned on Fridays', type: 'Habit', tags: ['craft'] },
    style: { content: 'The pottery notes go in a Python file', type: 'Style', tags: ['python'] },
    context: { content: 'The pottery room is cold on Fridays', type: 'Context' },
    stranger: { content: 'Owls hoot', type: 'Context' },
  }),
);

async function partsOf(name: string, parameters: Record<string, string>): Promise<Record<string, number>> {
  const { results } = await ask({ limit: '20', ...parameters });
  return results.find(({ id }: { id: string }) => id === idOf(name)).score_components;
}

test('score: recency counts from the last access, whatever the creation time', async () => {
  const { results } = await ask({ query: 'marble', limit: '3' });
  const recency = (name: string) =>
    results.find(({ id }: { id: string }) => id === idOf(name)).score_components.recency;
  expect(recency('accessed')).toBeCloseTo(1 - 3 / 180, 5);
  expect(recency('forgotten')).toBeCloseTo(1 - 120 / 180, 5);
  expect(recency('long')).toBe(0);
});

describe('score: a phrase', () => {
  test('in the content ranks above the same words apart', async () => {
    expect((await recall({ query: 'green velvet' }))[0]).toBe('together');
    const [together, apart] = [
      await partsOf('together', { query: 'green velvet' }),
      await partsOf('apart', { query: 'green velvet' }),
    ];
    expect(together.exact).toBe(1);
    expect(apart.exact).toBe(0.5);
    // The maximum is 9 points: each of the two terms and the phrase gives 2 in the content and 1 in a tag.
    expect(together.keyword).toBeCloseTo(6 / 9);
    expect(apart.keyword).toBeCloseTo(4 / 9);
  });
  test('in one tag adds a point, but across two tags adds no point', async () => {
    expect((await partsOf('named', { query: 'amber lamp' })).keyword).toBeCloseTo(3 / 9);
    expect((await partsOf('tagged', { query: 'amber lamp' })).keyword).toBeCloseTo(2 / 9);
    expect((await partsOf('half', { query: 'amber lamp' })).keyword).toBeCloseTo(1 / 9);
    expect((await partsOf('half', { query: 'amber' })).keyword).toBeCloseTo(2 / 6);
  });
});

describe('score: hints', () => {
  const bonus = async (name: string, hints: Record<string, string>) =>
    (await partsOf(name, { query: 'pottery', ...hints })).context;

  test('in context_tags boost by prefix', async () => {
    expect(await bonus('decision', { context_tags: 'Craft/clay' })).toBeCloseTo(0.45);
    expect(await bonus('habit', { context_tags: 'craft:clay' })).toBe(0);
    expect(await bonus('habit', { context_tags: 'nothing,craft' })).toBeCloseTo(0.45);
  });
  test('in context_types boost each type', async () => {
    expect(await bonus('decision', { context_types: 'decision,Habit' })).toBeCloseTo(0.25);
    expect(await bonus('habit', { context_types: 'decision,Habit' })).toBeCloseTo(0.25);
    expect(await bonus('context', { context_types: 'decision,Habit' })).toBe(0);
  });
  test.each(['active_path', 'file_path', 'focus_path'])('in %s boost styles of the language of a file', async name => {
    expect(await bonus('style', { [name]: 'src/oven.py' })).toBeCloseTo(0.6);
    expect(await bonus('context', { [name]: 'src/oven.py' })).toBe(0);
  });
  test('in priority_ids add memories that the query does not find, and move them to the top', async () => {
    expect(await recall({ query: 'pottery', limit: '20' })).not.toContain('stranger');
    const ids = { query: 'pottery', limit: '20', priority_ids: idOf('stranger') };
    expect((await recall(ids))[0]).toBe('stranger');
    expect((await partsOf('stranger', ids)).context).toBe(5);
  });
  test('add up', async () => {
    const hints = { context_tags: 'python', context_types: 'Style', language: 'python', priority_ids: idOf('style') };
    expect(await bonus('style', hints)).toBeCloseTo(6.3);
  });
});

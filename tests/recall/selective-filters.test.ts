/** If only ten of thousands of memories pass the filter, all ten are found, even if the query has common words. */
import { beforeAll, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, request } = await openRecallApp();
const TOTAL = 3_500;
/** One of every `STRIDE` memories passes each filter. */
const STRIDE = TOTAL / 10;
const WINDOW_START = Date.parse('2024-05-01T00:00:00Z');

/** The memories differ only in a number and in the fields that filters use. Only ten are still valid. */
function memoryAt(index: number) {
  const isLeft = index % STRIDE === 3;
  return {
    content: `The common report about the weekly meeting, number ${index}`,
    tags: isLeft ? ['rare:one'] : ['often'],
    timestamp: new Date(
      isLeft ? WINDOW_START + index * 1000 : Date.parse('2025-01-01T00:00:00Z') + index * 60_000,
    ).toISOString(),
    ...(!isLeft && { t_invalid: '2025-12-31' }),
  };
}

beforeAll(async () => {
  const memories = Array.from({ length: TOTAL }, (_, index) => memoryAt(index));
  for (let start = 0; start < TOTAL; start += 500) {
    await request('POST /memory/batch', memories.slice(start, start + 500), 201);
  }
  // Only words and filters find these memories, so no test waits for their vectors.
}, 60_000);

test.each([
  ['a tag', { tags: 'rare', state_mode: 'history' }],
  ['an exact tag', { tags: 'rare:one', tag_match: 'exact', state_mode: 'history' }],
  ['the exclusion of a tag', { exclude_tags: 'often', state_mode: 'history' }],
  ['a time window', { start: '2024-05-01', end: '2024-06-01', state_mode: 'history' }],
  ['an open time window', { end: '2024-06-01', state_mode: 'history' }],
  ['validity now', {}],
] as [string, Record<string, string>][])(
  'recall returns all ten memories that pass the filter %s',
  async (_, filter) => {
    for (const query of ['common weekly report', 'meeting', 'the', '*']) {
      const { count, results } = await ask({ query, limit: '10', ...filter });
      expect(count, query).toBe(10);
      for (const { memory } of results) expect(memory.tags).toEqual(['rare:one']);
    }
  },
);

test('recall within a tag finds the memories with this tag even if no word of the query matches', async () => {
  const embedded = await openRecallApp();
  const memories = Array.from({ length: 200 }, (_, index) => memoryAt(index * (STRIDE / 20)));
  await embedded.request('POST /memory/batch', memories, 201);
  await embedded.engine.idle();
  const inScope = memories.filter(({ tags }) => tags[0] === 'often').length;
  const { count } = await embedded.ask({
    query: 'unheard-of zeppelin',
    limit: '100',
    tags: 'often',
    state_mode: 'history',
  });
  expect(count).toBe(Math.min(100, inScope));
});

/** The order of the recall steps. Each tested answer would differ if two steps were swapped. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, associate, idOf, request } = await openRecallApp();
const DIMENSIONS = 64;

/** A vector of length 1 with the given cosine to the first axis. `axis` chooses the axis of its other component. */
function vectorOf(cosine: number, axis: number): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  vector[0] = cosine;
  vector[1 + (axis % (DIMENSIONS - 1))] = Math.sqrt(1 - cosine ** 2);
  return vector;
}

describe('recall steps: when more memories are near than a vector search returns', () => {
  const asked = { tags: 'herd', embedding: vectorOf(1, 0).join(','), limit: '1' };
  const LONG_AGO = { tags: ['herd'], timestamp: '2025-01-01T00:00:00Z' };

  const storeHerd = async (count: number, memory: (index: number) => object) => {
    for (let start = 0; start < count; start += 100) {
      const part = Array.from({ length: Math.min(100, count - start) }, (_, index) => memory(start + index));
      await request('POST /memory/batch', part, 201);
    }
  };

  beforeAll(async () => {
    await storeHerd(230, index => ({ content: `Herd ${index}`, ...LONG_AGO, embedding: vectorOf(0.8, index) }));
    await store({
      beyond: { content: 'The okapi grazes', ...LONG_AGO, embedding: vectorOf(0.79, 7) },
    });
  });

  test('a minimum score applies to measured similarities, not to estimates', async () => {
    const query = 'okapi grazes';
    const { results } = await ask({ ...asked, query });
    expect(results).toMatchObject([{ id: idOf('beyond'), score_components: { vector: expect.closeTo(0.79, 5) } }]);
    const least = String(results[0].final_score - 0.001);
    expect(await recall({ ...asked, query, min_score: least })).toEqual(['beyond']);
  });
});

test('recall steps: a superseded memory below the minimum score does not count as suppressed', async () => {
  await store({
    weak: { content: 'The ferry to the island leaves at eight from the old pier', importance: 0 },
    successor: { content: 'Nine from now on' },
    strong: { content: 'The ferry timetable', importance: 1 },
  });
  await associate('weak', 'INVALIDATED_BY', 'successor');
  const { results, state_filter } = await ask({ query: 'ferry timetable', min_score: '1.5', limit: '5' });
  expect(results).toMatchObject([{ id: idOf('strong') }]);
  expect(state_filter.suppressed_count).toBe(0);
  const why = await request(`GET /recall/why-not?id=${idOf('weak')}&query=ferry+timetable&min_score=1.5`);
  expect(why.reason).toBe('superseded');
});

test('recall steps: a token budget in a listing of history keeps the most important memories', async () => {
  await store({
    past: {
      content: 'The kiln is fired with coal',
      tags: ['kiln'],
      importance: 0.9,
      t_invalid: '2025-01-01T00:00:00Z',
    },
    present: { content: 'The kiln is fired with gas', tags: ['kiln'], importance: 0.2 },
  });
  const asked = { tags: 'kiln', state_mode: 'history', limit: '5' };
  expect(await recall(asked)).toEqual(['past', 'present']);
  expect(await recall({ ...asked, max_tokens: '60' })).toEqual(['past']);
});

test('recall steps: memories that scope_fallback adds replace those below the adaptive floor', async () => {
  await store({
    sleeps: { content: 'The lighthouse keeper sleeps at noon', tags: ['skerry'] },
    reads: { content: 'The lighthouse keeper reads at dusk', tags: ['skerry'] },
    fishes: { content: 'The lighthouse keeper fishes at dawn', tags: ['skerry'] },
    weak: { content: 'Seals were counted', tags: ['skerry'], importance: 0 },
    outside: { content: 'The lighthouse keeper paints', tags: ['mainland'], importance: 1 },
  });
  const asked = { query: 'lighthouse keeper', tags: 'skerry', limit: '4', scope_fallback: 'true' };
  expect(await recall(asked)).toContain('weak');
  const names = await recall({ ...asked, adaptive_floor: 'true' });
  expect(names.sort()).toEqual(['fishes', 'outside', 'reads', 'sleeps']);
});

test('recall steps: outdated memories that scope_fallback adds in history mode are marked', async () => {
  await store({
    tool: { content: 'The lathe stands in the workshop', tags: ['workshop'] },
    ended: { content: 'The lathe was hired out', tags: ['rental'], t_invalid: '2025-01-01T00:00:00Z' },
  });
  const asked = { query: 'lathe', tags: 'workshop', limit: '2', scope_fallback: 'true', state_mode: 'history' };
  const { results } = await ask(asked);
  expect(results).toMatchObject([
    { id: idOf('tool') },
    { id: idOf('ended'), outside_tag_scope: true, not_current: 'expired' },
  ]);
});

/**
 * Recalls with many copies, estimated similarities or thresholds. A page shows each memory once, and never shows a
 * superseded memory. A candidate with an estimated similarity never displaces one with a measured similarity.
 */
import { beforeAll, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, store, associate, idOf, nameOf, request, engine } = await openRecallApp();
const DIMENSIONS = 64;

interface Result {
  id: string;
  final_score: number;
  score_components: { vector: number };
}

const namesOf = ({ results }: { results: Result[] }) => results.map(({ id }) => nameOf(id));

function vectorOf(cosine: number, axis: number): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  vector[0] = cosine;
  vector[1 + (axis % (DIMENSIONS - 1))] = Math.sqrt(1 - cosine ** 2);
  return vector;
}

/** Stores `count` memories in batches of 100, and waits until they have vectors. */
async function storeMany(count: number, memory: (index: number) => object): Promise<void> {
  for (let start = 0; start < count; start += 100) {
    const part = Array.from({ length: Math.min(100, count - start) }, (_, index) => memory(start + index));
    await request('POST /memory/batch', part, 201);
  }
  await engine.idle();
}

beforeAll(async () => {
  await storeMany(16, () => ({ content: 'The moat is drained in June', importance: 1 }));
  await store({
    drained: { content: 'The moat is drained in July, and the bridge with it', importance: 0.1 },
    refilled: { content: 'Carp were sold' },
  });
  await associate('drained', 'INVALIDATED_BY', 'refilled');
});

test('recall: a superseded memory that ranks after many copies is not shown', async () => {
  const { results, state_filter } = await ask({ query: 'When is the moat drained?', limit: '5' });
  expect(namesOf({ results })).not.toContain('drained');
  expect(state_filter.suppressed_count).toBe(1);
});

test('recall sorted by time with a minimum score: superseded memories are hidden, and copies are shown once', async () => {
  await storeMany(40, index => ({
    content: `A quarry note, number ${index}`,
    tags: [`n${index}`],
    timestamp: '2026-02-02T00:00:00Z',
  }));
  await store({
    exact: { content: 'The quarry blasts on Friday', timestamp: '2025-01-01T00:00:00Z' },
    again: { content: 'The quarry blasts on Friday', timestamp: '2025-01-02T00:00:00Z' },
    before: { content: 'The quarry blasts on Monday', timestamp: '2025-01-03T00:00:00Z' },
    after: { content: 'Nobody blasts any more' },
  });
  await associate('before', 'INVALIDATED_BY', 'after');
  const query = 'The quarry blasts on Friday';
  const best = (await ask({ query, limit: '1' })).results[0].final_score;
  const answer = await ask({ query, sort: 'time_desc', limit: '5', min_score: String(best * 0.6) });
  const names = namesOf(answer as { results: Result[] });
  expect(names).not.toContain('before');
  expect(names.filter(name => name === 'exact' || name === 'again')).toHaveLength(1);
  expect(answer.dedup_removed).toBe(1);
});

test('recall: a candidate with an estimated similarity never takes the place of a measured candidate', async () => {
  await storeMany(230, index => ({ content: `Herd ${index}`, tags: ['herd'], embedding: vectorOf(0.8, index) }));
  await storeMany(60, index => ({
    content: `zebra box${index}`,
    tags: ['herd'],
    embedding: vectorOf(0, 1 + index),
    importance: 0,
  }));
  const asked = { query: 'zebra herds', tags: 'herd', embedding: vectorOf(1, 0).join(',') };
  const best = async (limit: string) => (await ask({ ...asked, limit })).results[0].final_score;
  const most = await best('100');
  expect(await best('5')).toBeCloseTo(most, 6);
  expect(await best('20')).toBeCloseTo(most, 6);
  const inTime = await ask({ tags: 'herd', embedding: asked.embedding, sort: 'time_desc', limit: '5' });
  for (const { score_components } of inTime.results as Result[]) expect(score_components.vector).toBeGreaterThan(0.7);
});

test('recall with history shows both a superseded memory and a current memory with the same text', async () => {
  await store({
    was: { content: 'Bins are emptied on Friday', importance: 0.9 },
    instead: { content: 'They come on Tuesday' },
    is: { content: 'Bins are emptied on Friday', importance: 0.3 },
  });
  await associate('was', 'INVALIDATED_BY', 'instead');
  const { results } = await ask({ query: 'bins emptied Friday', state_mode: 'history', limit: '5' });
  const current = results.find(({ id }: Result) => id === idOf('is'));
  expect(current).not.toHaveProperty('superseded_by');
  expect(results.find(({ id }: Result) => id === idOf('was'))).toMatchObject({ superseded_by: idOf('instead') });
});

test('recall: copies that the fallback adds are counted as duplicates', async () => {
  await store({
    inside: { content: 'The ledger is blue', tags: ['inside'] },
    copy1: { content: 'The ledger is kept in the safe', tags: ['office'] },
    copy2: { content: 'The ledger is kept in the safe', tags: ['office'] },
  });
  const answer = await ask({ query: 'Where is the ledger kept?', tags: 'inside', scope_fallback: 'true', limit: '5' });
  const stands = answer.results.find(({ deduped_from }: { deduped_from?: string[] }) => deduped_from);
  expect(stands.deduped_from).toHaveLength(1);
  expect(answer.dedup_removed).toBe(1);
});

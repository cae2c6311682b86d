/** `auto_decompose`: what the names and subjects of a question find beside the question itself. */
import { beforeAll, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { request, recall, store, engine } = await openRecallApp();

/** More than a channel returns for the question, and all nearer to it than what only the name finds. */
const DECOYS = Array.from({ length: 90 }, (_, index) => ({
  content: `Lanterns of folded paper, lot ${index}: ask Alice, who will think about paper lanterns of lot ${index}`,
  tags: [`lot-${index}`],
  timestamp: '2025-01-01T00:00:00Z',
  updated_at: '2025-01-01T00:00:00Z',
}));
/** Enough to come first, were it only considered: hints raise what is found and find nothing. */
const NEWER = {
  type: 'Habit',
  tags: ['raised'],
  importance: 1,
  timestamp: '2026-02-01T00:00:00Z',
  updated_at: '2026-02-01T00:00:00Z',
};
const QUESTION = {
  query: 'What does Alice think about paper lanterns?',
  sort: 'time_desc',
  limit: '5',
  context_tags: 'raised',
  context_types: 'Habit',
};
const UNNAMED = { ...QUESTION, query: 'which lanterns are of folded paper?' };

beforeAll(async () => {
  await request('POST /memory/batch', DECOYS, 201);
  await store({
    alice: { content: 'Alice sings', ...NEWER },
    paper: { content: 'Paper burns', ...NEWER },
  });
  await engine.idle();
});

test('off by default, the question alone is asked', async () => {
  for (const parameters of [QUESTION, UNNAMED, { ...QUESTION, auto_decompose: 'false' }]) {
    const found = await recall(parameters);
    expect(found).not.toContain('alice');
    expect(found).not.toContain('paper');
  }
});

test('on, the name is searched for by itself', async () => {
  expect((await recall({ ...QUESTION, auto_decompose: 'true' }))[0]).toBe('alice');
});

test('on, each subject is searched for where the question holds no name', async () => {
  expect((await recall({ ...UNNAMED, auto_decompose: 'true' }))[0]).toBe('paper');
});

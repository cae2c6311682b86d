/** `auto_decompose`: the names and subjects of a question find additional memories. */
import { beforeAll, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { request, store, engine, idOf } = await openRecallApp();

/**
 * More memories than a search channel returns for the question. Each of them matches the question better than
 * `alice` and `paper`, which only the searches for a name or a subject find.
 */
const DECOYS = Array.from({ length: 150 }, (_, index) => ({
  content: `Lanterns of folded paper, lot ${index}: ask Alice, who will think about paper lanterns of lot ${index}`,
  tags: [`lot-${index}`],
  timestamp: '2025-01-01T00:00:00Z',
  updated_at: '2025-01-01T00:00:00Z',
}));
/** Fields that raise the score of a memory once a search has found it. They match no query of these tests. */
const NEWER = {
  type: 'Habit',
  tags: ['raised'],
  importance: 1,
  timestamp: '2026-02-01T00:00:00Z',
  updated_at: '2026-02-01T00:00:00Z',
};
const QUESTION = {
  query: 'What does Alice think about paper lanterns?',
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

/** The rank of a memory among the candidates, or undefined if no channel found the memory. */
async function rankOf(name: string, parameters: Record<string, string>): Promise<number | undefined> {
  return (await request(`GET /recall/why-not?${new URLSearchParams({ id: idOf(name), ...parameters })}`)).rank;
}

test('recall without auto_decompose searches only for the question', async () => {
  for (const parameters of [QUESTION, { ...QUESTION, auto_decompose: 'false' }]) {
    expect(await rankOf('alice', parameters)).toBeUndefined();
  }
  expect(await rankOf('paper', UNNAMED)).toBeUndefined();
});

test('recall with auto_decompose also searches for each name', async () => {
  expect(await rankOf('alice', { ...QUESTION, auto_decompose: 'true' })).toBeGreaterThan(0);
});

test('recall with auto_decompose searches for each subject of a question without names', async () => {
  expect(await rankOf('paper', { ...UNNAMED, auto_decompose: 'true' })).toBeGreaterThan(0);
});

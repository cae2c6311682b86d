/**
 * How sure recall says it is, on the golden set. A question without an answer in the store that gets `medium` or `high` is a
 * false surface: an assistant would take something for an answer. Questions by level:
 */
import { afterAll, expect, test } from 'vitest';
import type { Confidence } from '../../src/domain/answers.js';
import { openGoldenEngine } from './golden-engine.js';
import { parametersOf } from './golden-query.js';
import { ANSWERABLE_QUERIES, UNANSWERABLE_QUERIES } from './queries.js';

const golden = await openGoldenEngine();
afterAll(golden.close);

type Counts = Record<Confidence, number>;

async function countLevels(queries: readonly { ask: Parameters<typeof parametersOf>[0] }[]): Promise<Counts> {
  const counts: Counts = { none: 0, low: 0, medium: 0, high: 0 };
  for (const { ask } of queries) counts[(await golden.ask(parametersOf(ask))).confidence] += 1;
  return counts;
}

test('answerable questions', async () => {
  expect(await countLevels(ANSWERABLE_QUERIES)).toEqual({});
});

test('questions without an answer that share words with memories', async () => {
  expect(await countLevels(UNANSWERABLE_QUERIES.filter(({ isHard }) => isHard))).toEqual({});
});

test('questions about something else', async () => {
  expect(await countLevels(UNANSWERABLE_QUERIES.filter(({ isHard }) => !isHard))).toEqual({});
});

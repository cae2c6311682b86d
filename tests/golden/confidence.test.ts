/**
 * The confidence that recall reports on the golden set. An unanswerable question with `medium` or `high` is a false
 * positive: an assistant would take a memory for an answer. Share of the questions by level:
 *
 *                                        none   low  medium  high   medium or high
 *   answerable (149)                       6%   17%     24%   52%   77%
 *   unanswerable (57)                     46%   46%      7%    2%    9%
 *     of them sharing words (45)          33%   56%      9%    2%   11%
 *     of them about something else (12)   92%    8%      0%    0%    0%
 *
 * The remaining false positives name a stored subject and ask for a fact that is not stored. Words alone cannot show
 * that the fact is missing.
 */
import { afterAll, expect, test } from 'vitest';
import type { Confidence } from '../../src/domain/recall.js';
import { openGoldenEngine } from './golden-engine.js';
import { ANSWERABLE_QUERIES, parametersOf, UNANSWERABLE_QUERIES } from './queries.js';

const golden = await openGoldenEngine();
afterAll(golden.close);

type Counts = Record<Confidence, number>;

async function countLevels(queries: readonly { ask: Parameters<typeof parametersOf>[0] }[]): Promise<Counts> {
  const counts: Counts = { none: 0, low: 0, medium: 0, high: 0 };
  for (const { ask } of queries) counts[(await golden.ask(parametersOf(ask))).confidence] += 1;
  return counts;
}

test('enough answerable questions get medium or high confidence', { timeout: 30_000 }, async () => {
  expect(await countLevels(ANSWERABLE_QUERIES)).toEqual({ none: 9, low: 26, medium: 35, high: 79 });
});

test('few unanswerable questions that share words with memories get medium or high confidence', async () => {
  expect(await countLevels(UNANSWERABLE_QUERIES.filter(({ isHard }) => isHard))).toEqual({
    none: 15,
    low: 25,
    medium: 4,
    high: 1,
  });
});

test('unanswerable questions about other subjects get at most low confidence', async () => {
  expect(await countLevels(UNANSWERABLE_QUERIES.filter(({ isHard }) => !isHard))).toEqual({
    none: 11,
    low: 1,
    medium: 0,
    high: 0,
  });
});

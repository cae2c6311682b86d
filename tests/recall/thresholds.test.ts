/** Recency bias and adaptive floor. */
import { describe, expect, test } from 'vitest';
import type { ScoreComponents } from '../../src/domain/recall-results.js';
import { asksForTheLatest } from '../../src/recall/language/latest.js';
import { withRecencyBias } from '../../src/recall/score/rank.js';
import { adaptiveFloor } from '../../src/recall/select/threshold.js';
import { memory } from '../support/records.js';

describe('the adaptive floor', () => {
  test.each<[string, number[], number | undefined]>([
    ['nothing', [], undefined],
    ['three results show no gap', [1, 0.9, 0.1], undefined],
    ['four with a gap after the third', [1, 0.9, 0.8, 0.1], 0.8],
    ['a gap of a quarter is not enough', [1, 0.9, 0.75, 0.5], undefined],
    ['a little more is', [1, 0.9, 0.76, 0.5], 0.76],
    ['the first gap never counts: one result is no group', [1, 0.5, 0.45, 0.4], undefined],
    ['a gap after the second keeps half of four', [1, 0.9, 0.4, 0.3], 0.9],
    ['but not half of five', [1, 0.9, 0.4, 0.3, 0.2], undefined],
    ['after the third it keeps half of six', [1, 0.95, 0.9, 0.3, 0.2, 0.1], 0.9],
    ['a gap in the lower half is not looked at', [1, 0.98, 0.96, 0.94, 0.92, 0.9, 0.3, 0.2], undefined],
    ['even ones have none', [0.5, 0.5, 0.5, 0.5], undefined],
    ['nothing scores', [0, 0, 0, 0], undefined],
  ])('%s', (_name, totals, floor) => {
    expect(adaptiveFloor(totals)).toBe(floor);
  });
});

describe('whether newer ones are preferred', () => {
  test.each([
    'What is the latest version?',
    'most recent decision',
    'What did we change recently?',
    'the current database',
    'Where does she currently work?',
    'Where does Yuki work now?',
    'What do we use nowadays?',
    'meetings today',
    'What changed about stand-ups?',
    'the UPDATED address',
    'last time we met',
    'newest release',
    'what do we do these days',
    'do we not use it anymore',
  ])('yes for "%s"', text => {
    expect(asksForTheLatest(text)).toBe(true);
  });

  test.each(['Why PostgreSQL?', 'I know the rule', 'snowfall', 'currency rates', 'exchange of views', 'the last page'])(
    'no for "%s"',
    text => {
      expect(asksForTheLatest(text)).toBe(false);
    },
  );
});

describe('the recency bias', () => {
  test('adds from nothing for the oldest to its weight for the newest, by creation', () => {
    const before = [scoredAt(1, '2025-01-01'), scoredAt(2, '2025-01-11'), scoredAt(3, '2025-01-05')];
    const after = withRecencyBias(before, 0.1);
    const bonuses = after.map(({ score }, index) => score.total - (before[index]?.score.total ?? 0));
    expect(bonuses[0]).toBe(0);
    expect(bonuses[1]).toBeCloseTo(0.1);
    expect(bonuses[2]).toBeCloseTo(0.04);
    expect(after.map(({ score }) => score.components.context)).toEqual([0, 0.1, expect.closeTo(0.04)]);
    expect(after.map(({ memory: { id } }) => id)).toEqual(before.map(({ memory: { id } }) => id));
  });

  test.each<[string, ReturnType<typeof scoredAt>[]]>([
    ['none', []],
    ['one', [scoredAt(1, '2025-01-01')]],
    ['several of one instant', [scoredAt(1, '2025-01-01'), scoredAt(2, '2025-01-01')]],
  ])('adds nothing to %s', (_name, candidates) => {
    expect(withRecencyBias(candidates, 0.1)).toEqual(candidates);
  });
});

function scoredAt(number: number, timestamp: string) {
  const components: Pick<ScoreComponents, 'context'> = { context: 0 };
  return { memory: memory(number, { timestamp: `${timestamp}T00:00:00.000Z` }), score: { total: 1, components } };
}

/** Recency bias and adaptive floor. */
import { describe, expect, test } from 'vitest';
import { asksForTheLatest } from '../../src/recall/plan.js';
import { recencyBonuses } from '../../src/recall/score/score.js';
import { adaptiveFloor } from '../../src/recall/select/page.js';

describe('adaptive floor', () => {
  test.each<[string, number[], number | undefined]>([
    ['is undefined without results', [], undefined],
    ['is undefined for three results', [1, 0.9, 0.1], undefined],
    ['is the third of four scores if a gap follows it', [1, 0.9, 0.8, 0.1], 0.8],
    ['is undefined if the gap is exactly a quarter of the best score', [1, 0.9, 0.75, 0.5], undefined],
    ['is defined if the gap exceeds a quarter of the best score', [1, 0.9, 0.76, 0.5], 0.76],
    ['is undefined if the gap follows the first score', [1, 0.5, 0.45, 0.4], undefined],
    ['is undefined if the only gap follows the second score', [1, 0.9, 0.4, 0.3], undefined],
    ['is undefined if fewer than half of five results would stay', [1, 0.9, 0.4, 0.3, 0.2], undefined],
    ['is the third of six scores if a gap follows it', [1, 0.95, 0.9, 0.3, 0.2, 0.1], 0.9],
    ['is the score before the first gap, wherever it is', [1, 0.98, 0.96, 0.94, 0.92, 0.9, 0.3, 0.2], 0.9],
    ['is undefined for equal scores', [0.5, 0.5, 0.5, 0.5], undefined],
    ['is undefined if all scores are 0', [0, 0, 0, 0], undefined],
  ])('%s', (_name, totals, floor) => {
    expect(adaptiveFloor(totals)).toBe(floor);
  });
});

describe('recency bias auto', () => {
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
  ])('is on for "%s"', text => {
    expect(asksForTheLatest(text)).toBe(true);
  });

  test.each(['Why PostgreSQL?', 'I know the rule', 'snowfall', 'currency rates', 'exchange of views', 'the last page'])(
    'is off for "%s"',
    text => {
      expect(asksForTheLatest(text)).toBe(false);
    },
  );
});

describe('recency bonuses', () => {
  test('rise from 0 for the oldest memory to the given weight for the newest memory', () => {
    const bonuses = recencyBonuses(
      [0, 10, 4].map(days => days * 86_400_000),
      0.1,
    );
    expect(bonuses).toEqual([0, expect.closeTo(0.1), expect.closeTo(0.04)]);
  });

  test.each([
    ['no memory', []],
    ['one memory', [1_000]],
    ['memories of the same time', [1_000, 1_000]],
  ])('are 0 for %s', (_name, times) => {
    expect(recencyBonuses(times, 0.1)).toEqual(times.map(() => 0));
  });
});

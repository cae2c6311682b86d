/**
 * Checks recall of two notes about the same subject. If the notes contradict each other, the newer note should be
 * ranked first. If both notes are valid, neither should be marked as outdated.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { BURST_QUERIES } from './burst-queries.js';
import { CROWD } from './crowd.js';
import { DIFFERING_PAIRS } from './differing-pairs.js';
import { marksElsewhere, measurePairs } from './measure-pairs.js';
import { type MemoryPair, memoriesOf } from './memory-pair.js';
import { RELATED_PAIRS } from './related-pairs.js';
import { openStored } from './stored-engine.js';
import { DIFFERING_MARKED_MIN, NEWER_FIRST_MIN, RELATED_MARKED_MAX } from './thresholds.js';

const SETS = ['development', 'heldOut'] as const;
const PAIRS = [...DIFFERING_PAIRS, ...RELATED_PAIRS];
const ofSet = (pairs: readonly MemoryPair[], wanted: MemoryPair['set']) => pairs.filter(({ set }) => set === wanted);

const stored = await openStored({ ...CROWD, ...memoriesOf(PAIRS) });
afterAll(stored.close);

describe('the data of the pairs', () => {
  test('contain enough pairs in each set', () => {
    const sizes = [DIFFERING_PAIRS, RELATED_PAIRS].map(pairs => SETS.map(set => ofSet(pairs, set).length));
    expect(sizes).toEqual([
      [20, 16],
      [45, 29],
    ]);
  });

  test('use each name and question once', () => {
    for (const texts of [PAIRS.map(({ name }) => name), PAIRS.map(({ ask }) => ask)]) {
      expect(new Set(texts).size).toBe(texts.length);
    }
  });

  test.each(PAIRS)('$name: the newer note was stored later and makes another statement', ({ older, newer }) => {
    expect(Date.parse(newer.at)).toBeGreaterThan(Date.parse(older.at));
    expect(newer.content).not.toBe(older.content);
  });

  test('have different projects and people in the development and the held-out set', () => {
    const [development, heldOut] = SETS.map(
      set => new Set(ofSet(PAIRS, set).flatMap(({ tags }) => tags.filter(tag => /^(project|entity):/.test(tag)))),
    );
    expect([...(development ?? [])].filter(tag => heldOut?.has(tag))).toEqual([]);
  });
});

describe.each(SETS)('in the %s set', set => {
  test('the newer of two contradicting notes is usually ranked first and never marked as outdated', async () => {
    const figures = await measurePairs(stored, ofSet(DIFFERING_PAIRS, set));
    const { bothShown, newerFirst, pairs, marked, markedBackwards } = figures;
    expect(bothShown).toBe(pairs);
    expect(newerFirst).toBeGreaterThanOrEqual(NEWER_FIRST_MIN[set]);
    expect(marked).toBeGreaterThanOrEqual(DIFFERING_MARKED_MIN[set]);
    expect(markedBackwards).toBe(0);
  });

  test('among the pairs whose notes are both valid, at most one pair has a note marked as outdated', async () => {
    const { bothShown, pairs, namesMarked } = await measurePairs(stored, ofSet(RELATED_PAIRS, set));
    expect(bothShown).toBe(pairs);
    expect(namesMarked.length, namesMarked.join(', ')).toBeLessThanOrEqual(RELATED_MARKED_MAX[set]);
  });
});

test('no result is marked as outdated for questions about subjects that have not changed', async () => {
  expect(
    await marksElsewhere(
      stored,
      BURST_QUERIES.map(({ ask }) => String(ask)),
    ),
  ).toEqual([]);
});

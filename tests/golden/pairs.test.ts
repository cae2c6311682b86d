/**
 * Checks recall of two notes about the same subject. If the notes contradict each other, the newer one should be shown
 * beside the older one. Notes on other subjects should have no note beside them.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { marksIn, measurePairs } from './measure-pairs.js';
import { CROWD } from './memories.js';
import { DIFFERING_PAIRS, type MemoryPair, memoriesOf, RELATED_PAIRS } from './memory-pair.js';
import { BURST_QUERIES } from './queries.js';
import { openStored } from './stored-engine.js';
import { DIFFERING_MARKED_MIN, OTHERS_MARKED_MAX, RELATED_MARKED_MAX } from './thresholds.js';

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
  test('the newer of two contradicting notes is usually shown beside the older one, and never the reverse', async () => {
    const figures = await measurePairs(stored, ofSet(DIFFERING_PAIRS, set));
    const { bothShown, pairs, marked, markedBackwards } = figures;
    expect(bothShown).toBe(pairs);
    expect(marked).toBeGreaterThanOrEqual(DIFFERING_MARKED_MIN[set]);
    expect(markedBackwards).toBe(0);
  });

  test('of the pairs whose notes are both valid, some have no suggestion', async () => {
    const { bothShown, pairs, namesMarked } = await measurePairs(stored, ofSet(RELATED_PAIRS, set));
    expect(bothShown).toBe(pairs);
    expect(namesMarked.length, namesMarked.join(', ')).toBeLessThanOrEqual(RELATED_MARKED_MAX[set]);
  });
});

test('few of the other notes have a newer note beside them', async () => {
  const others = new Set(Object.keys(CROWD));
  const [shown, marked] = [new Set<string>(), new Set<string>()];
  for (const { ask } of BURST_QUERIES) {
    const { results } = await stored.ask({ query: String(ask), limit: 20 });
    for (const { memory } of results) shown.add(stored.nameOf(memory.id));
    for (const name of marksIn(results, stored.nameOf).keys()) marked.add(name);
  }
  const count = (names: ReadonlySet<string>) => [...names].filter(name => others.has(name)).length;
  expect(count(shown)).toBeGreaterThan(100);
  expect(count(marked) / count(shown)).toBeLessThanOrEqual(OTHERS_MARKED_MAX);
});

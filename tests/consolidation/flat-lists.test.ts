/** Tests the lists and tables of numbers that consolidation uses instead of lists and maps of objects. */
import { expect, test } from 'vitest';
import { createRarity } from '../../src/consolidation/evidence/traits.js';
import { findGroups, type GroupingData } from '../../src/consolidation/groups/communities.js';
import { createRows, placesByNumber, rowAt, rowCount } from '../../src/consolidation/rows.js';
import { seededRandom } from './planted-stores.js';

const random = seededRandom(5);
const below = (end: number) => Math.floor(random() * end);

test('each of thousands of traits gets one position and the right count', () => {
  const rarity = createRarity();
  const expected = new Map<number, { place: number; count: number }>();
  for (let turn = 0; turn < 20_000; turn++) {
    const trait = below(6_000) * 715_827;
    const known = expected.get(trait) ?? { place: expected.size, count: 0 };
    expected.set(trait, { ...known, count: known.count + 1 });
    expect([...rarity.note(Uint32Array.of(trait))]).toEqual([known.place]);
  }
  const { frequencies, weights } = rarity.table();
  expect([...frequencies]).toEqual([...expected.values()].map(({ count }) => count));
  for (const [trait, { place, count }] of expected) {
    expect([rarity.frequencyOf(trait), rarity.weightOf(trait)]).toEqual([count, weights[place]]);
  }
  expect(rarity.frequencyOf(17)).toBe(0);
});

test('thousands of rows, some of them empty, are returned as they were added', () => {
  const lists = Array.from({ length: 3_000 }, () => Array.from({ length: below(4) }, () => below(1_000)));
  const rows = createRows();
  for (const list of lists) rows.add(list);
  const finished = rows.finish();
  expect(rowCount(finished)).toBe(lists.length);
  expect(lists.map((_, place) => [...rowAt(finished, place)])).toEqual(lists);
});

test('the positions of each number are listed in ascending order, and positions without a number are left out', () => {
  const places = placesByNumber([2, -1, 0, 2, 2], 4);
  expect([0, 1, 2, 3].map(number => [...rowAt(places, number)])).toEqual([[2], [], [0, 3, 4], []]);
});

const found = (data: GroupingData) => {
  const search = findGroups(data);
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
};

test('two rings connected by one weak edge are two groups, and a memory between them belongs to none', () => {
  const nearest = createRows();
  const closeness: number[] = [];
  for (let node = 0; node < 13; node++) {
    const first = node < 6 ? 0 : 6;
    const others = node === 12 ? [0, 6] : [1, 2, 4, 5].map(step => first + ((node - first + step) % 6));
    const bridge = node === 0 ? [6] : [];
    nearest.add([...others, ...bridge]);
    closeness.push(...others.map(() => 1), ...bridge.map(() => 0.1));
  }
  const none = createRows();
  for (let node = 0; node < 13; node++) none.add([]);
  const traits = { traits: none.finish(), weights: new Float64Array(), frequencies: new Int32Array() };
  const groups = found({ ...traits, nearest: nearest.finish(), closeness: Float32Array.from(closeness) });
  expect(new Set(groups.slice(0, 6)).size).toBe(1);
  expect(new Set(groups.slice(6, 12)).size).toBe(1);
  expect(groups[0]).not.toBe(groups[6]);
  expect(groups[12]).toBe(-1);
});

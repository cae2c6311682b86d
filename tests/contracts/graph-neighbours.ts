/** GraphStore contract: memories created just before and after another one, with a shared tag. */
import { beforeEach, expect, test } from 'vitest';
import { idOf, memory, NOON } from '../support/records.js';
import { type GraphHarness, numbersOf } from './graph-harness.js';

const MINUTE_MS = 60_000;

export function describeNeighbours(graph: GraphHarness): void {
  const at = (number: number, minute: number, ...tags: string[]) =>
    memory(number, { tags, timestamp: new Date(NOON + minute * MINUTE_MS).toISOString() });
  const around = async (number: number, span: number, maxGapMs = 1_000 * MINUTE_MS) =>
    (await graph.store.neighbours({ ids: [idOf(number)], span, maxGapMs })).map(
      ({ id, distance }) => [...numbersOf([id]), distance] as const,
    );

  beforeEach(() =>
    graph.save([
      at(1, 0, 'talk'),
      at(2, 1, 'Talk', 'tea'),
      at(3, 2, 'other'),
      at(4, 3, 'talk', 'tea'),
      at(5, 4, 'talk'),
      at(6, 60, 'talk'),
      at(7, 3, 'tea'),
    ]),
  );

  test('share a tag but not the timestamp, and are numbered from the nearest on each side', async () => {
    expect((await around(4, 2)).sort()).toEqual([
      [1, -2],
      [2, -1],
      [5, 1],
      [6, 2],
    ]);
    expect(await around(7, 5)).toEqual([[2, -1]]);
  });

  test('neighbours share the exact tag, not a parent or child of the tag', async () => {
    await graph.save([at(11, 500, 'deep'), at(12, 501, 'deep:er'), at(13, 502, 'deep:er:still'), at(14, 503, 'deep')]);
    expect(await around(11, 5, 9 * MINUTE_MS)).toEqual([[14, 1]]);
    expect(await around(12, 5, 9 * MINUTE_MS)).toEqual([]);
  });

  test('share one of the requested tags, and do not exist if the list of requested tags is empty', async () => {
    const by = async (keys: readonly string[]) =>
      (await graph.store.neighbours({ ids: [idOf(4)], span: 2, maxGapMs: 9 * MINUTE_MS, keys })).map(
        ({ id, distance }) => [...numbersOf([id]), distance],
      );
    expect(await by(['tea'])).toEqual([[2, -1]]);
    expect((await by(['talk', 'other'])).sort()).toEqual([
      [1, -2],
      [2, -1],
      [5, 1],
    ]);
    expect(await by([])).toEqual([]);
  });

  test('a memory that was stored after another was deleted is a neighbour instead of the deleted one', async () => {
    await graph.save([at(8, 5, 'talk')]);
    await graph.store.getMemories([5, 8].map(idOf));
    expect(await around(5, 1)).toEqual([
      [4, -1],
      [8, 1],
    ]);
    await graph.store.deleteMemories([idOf(8)]);
    await graph.save([at(9, 5, 'talk')]);
    for (const _time of ['before it is read', 'after it was read']) {
      expect(await around(5, 1)).toEqual([
        [4, -1],
        [9, 1],
      ]);
      await graph.store.getMemories([idOf(9)]);
    }
  });

  test('are limited to the requested number on each side and to the requested time gap', async () => {
    expect((await around(4, 1)).sort()).toEqual([
      [2, -1],
      [5, 1],
    ]);
    expect((await around(5, 9, 2 * MINUTE_MS)).sort()).toEqual([[4, -1]]);
  });

  test('do not exist for memories without tags, for unknown ids and for an empty list', async () => {
    await graph.save([memory(8)]);
    expect(await around(8, 2)).toEqual([]);
    expect(await around(99, 2)).toEqual([]);
    expect(await graph.store.neighbours({ ids: [], span: 2, maxGapMs: 1 })).toEqual([]);
  });
}

/** GraphStore contract: a change that makes a vector stale also records that the vector is stale. */
import { beforeEach, expect, test } from 'vitest';
import type { Memory } from '../../src/domain/memory.js';
import { idOf, memory } from '../support/records.js';
import { type GraphHarness, numbersOf } from './graph-harness.js';

const SOME_TIME = '2026-05-01T00:00:00.000Z';

export function describeStaleVectors(graph: GraphHarness): void {
  const stale = async (limit = 10) => numbersOf((await graph.store.staleVectors(limit)).map(({ id }) => id));
  const settle = async () =>
    graph.store.settleStaleVectors((await graph.store.staleVectors(10)).map(({ token }) => token));
  const change = (number: number, changes: Partial<Memory>) =>
    graph.store.updateMemory(idOf(number), current => ({ memory: { ...current, ...changes }, work: [] }));

  beforeEach(() =>
    graph.save([{ ...memory(1, { tags: ['t'] }), embedded_by: 'm' }, { ...memory(2), embedded_by: 'm' }, memory(3)]),
  );

  test('stale vectors are noted for deleted memories, with or without a vector, and listed oldest first', async () => {
    expect(await stale()).toEqual([]);
    await graph.store.deleteMemories([idOf(3), idOf(9)]);
    await graph.store.deleteMemories([idOf(1)]);
    expect(await stale()).toEqual([3, 1]);
    expect(await stale(1)).toEqual([3]);
    await graph.reopen();
    expect(await stale()).toEqual([3, 1]);
    await settle();
    expect(await stale()).toEqual([]);
  });

  test('are recorded when a change affects a field that filters use, and for no other change', async () => {
    await change(1, {
      importance: 1,
      relevance_score: 0.5,
      metadata: { a: 1 },
      updated_at: '2026-04-01T00:00:00.000Z',
    });
    await change(3, { tags: ['new'] });
    expect(await stale()).toEqual([]);
    await change(1, { tags: ['new'] });
    await change(2, { timestamp: '2020-01-01T00:00:00.000Z' });
    expect(await stale()).toEqual([1, 2]);
    for (const changes of [{ t_valid: SOME_TIME }, { t_invalid: SOME_TIME }, { archived: true }]) {
      await settle();
      await change(1, changes);
      expect(await stale(), JSON.stringify(changes)).toEqual([1]);
    }
  });

  test('that are recorded again during processing stay recorded after the earlier record is settled', async () => {
    await change(1, { tags: ['one'] });
    const [before] = await graph.store.staleVectors(10);
    await change(1, { tags: ['two'] });
    await graph.store.settleStaleVectors([before?.token ?? '', 'forged', '']);
    expect(await stale()).toEqual([1]);
    await settle();
    expect(await stale()).toEqual([]);
  });

  test('are not recorded when the change fails', async () => {
    const fail = () => {
      throw new Error('no');
    };
    await expect(graph.store.updateMemory(idOf(1), fail)).rejects.toThrow('no');
    expect(await stale()).toEqual([]);
  });
}

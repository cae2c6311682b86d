/** GraphStore contract: a lease belongs to only one process at a time. */
import { expect, test } from 'vitest';
import { NOON } from '../support/records.js';
import type { GraphHarness } from './graph-harness.js';

export function describeLeases(graph: GraphHarness): void {
  const take = (holder: string, nowMs = NOON, name = 'sync') =>
    graph.store.takeLease({ name, holder, nowMs, untilMs: nowMs + 1000 });

  test('have one holder until they expire, and this holder can renew them', async () => {
    expect(await take('a')).toBe(true);
    expect(await take('b')).toBe(false);
    expect(await take('a', NOON + 500)).toBe(true);
    expect(await take('b', NOON + 1499)).toBe(false);
    expect(await take('b', NOON + 1500)).toBe(true);
    expect(await take('a', NOON + 1501)).toBe(false);
  });

  test('leases expire when the clock is set back by more than the duration of any lease', async () => {
    expect(await take('a')).toBe(true);
    expect(await take('b', NOON - 86_400_000)).toBe(true);
  });

  test('with different names are independent', async () => {
    expect(await take('a', NOON, 'sync')).toBe(true);
    expect(await take('b', NOON, 'consolidation')).toBe(true);
  });

  test('are released only by their holder', async () => {
    await take('a');
    await graph.store.takeLease({ name: 'sync', holder: 'b', nowMs: NOON, untilMs: 0 });
    expect(await take('b')).toBe(false);
    await graph.store.takeLease({ name: 'sync', holder: 'a', nowMs: NOON, untilMs: 0 });
    expect(await take('b')).toBe(true);
    await graph.store.takeLease({ name: 'never taken', holder: 'a', nowMs: NOON, untilMs: 0 });
  });

  test('are granted to only one of many holders that request them at the same time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, index) => take(`holder ${index}`)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });
}

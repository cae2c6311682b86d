/** GraphStore contract: leases, by which one process at a time does what several could. */
import { expect, test } from 'vitest';
import { NOON } from '../support/records.js';
import type { GraphHarness } from './graph-harness.js';

export function describeLeases(graph: GraphHarness): void {
  const take = (holder: string, nowMs = NOON, name = 'sync') =>
    graph.store.takeLease({ name, holder, nowMs, untilMs: nowMs + 1000 });

  test('have one holder, who may prolong them, until they end', async () => {
    expect(await take('a')).toBe(true);
    expect(await take('b')).toBe(false);
    expect(await take('a', NOON + 500)).toBe(true);
    expect(await take('b', NOON + 1499)).toBe(false);
    expect(await take('b', NOON + 1500)).toBe(true);
    expect(await take('a', NOON + 1501)).toBe(false);
  });

  test('end when the clock is set back by more than any lease lasts', async () => {
    expect(await take('a')).toBe(true);
    expect(await take('b', NOON - 86_400_000)).toBe(true);
  });

  test('of other names have nothing to do with each other', async () => {
    expect(await take('a', NOON, 'sync')).toBe(true);
    expect(await take('b', NOON, 'consolidation')).toBe(true);
  });

  test('are given back by their holder only', async () => {
    await take('a');
    await graph.store.releaseLease('sync', 'b');
    expect(await take('b')).toBe(false);
    await graph.store.releaseLease('sync', 'a');
    expect(await take('b')).toBe(true);
    await graph.store.releaseLease('never taken', 'a');
  });

  test('are taken by one of many who try at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, index) => take(`holder ${index}`)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });
}

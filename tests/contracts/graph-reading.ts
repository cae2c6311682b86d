/** GraphStore contract: a read returns the result of the last write, also for a memory that was read before. */
import { beforeEach, expect, test } from 'vitest';
import type { Memory } from '../../src/domain/memory.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import type { WorkKind } from '../../src/stores/ports/work-queue.js';
import { idOf, memory, NOON, relation } from '../support/records.js';
import { expectFrozen } from './frozen.js';
import type { GraphHarness } from './graph-harness.js';

const ID = idOf(1);
const renamed = (current: Memory): Memory => ({ ...current, content: 'changed', tags: ['new'] });

async function tokenOf(store: GraphStore, kind: WorkKind): Promise<string> {
  const [claim] = await store.claimWork({ kind, limit: 1, nowMs: NOON, leaseMs: 1000 });
  return claim?.token ?? '';
}

const WRITES: Record<string, (store: GraphStore) => Promise<unknown>> = {
  'a change': store => store.updateMemory(ID, current => ({ memory: renamed(current), work: [] })),
  'an access': store => store.annotate([{ id: ID, lastAccessed: '2026-04-01T00:00:00.000Z' }]),
  'a new suggestion': store => store.annotate([{ id: ID, maybeOutdatedBy: 'x' }]),
  'a new relevance': store => store.annotate([{ id: ID, relevance: 0.25 }]),
  'a new vector': async store => store.settleWork([await tokenOf(store, 'embed')], { embeddedBy: 'm' }),
  enrichment: async store => {
    await store.settleWork([await tokenOf(store, 'embed')], { embeddedBy: 'm' });
    await store.getMemories([ID]);
    expect(await store.completeWork(await tokenOf(store, 'enrich'), { change: renamed })).toBe(true);
  },
  'a successor': store =>
    store.supersede({
      record: { memory: memory(2), work: [] },
      supersededId: ID,
      change: current => ({ memory: renamed(current), work: [] }),
      relation: relation(1, 'EVOLVED_INTO', 2),
    }),
  deletion: store => store.deleteMemories([ID]),
};

export function describeReading(graph: GraphHarness): void {
  beforeEach(() => graph.save([memory(1)], ['embed', 'enrich']));

  test.each(Object.entries(WRITES))('returns the new state after %s', async (_name, write) => {
    const before = await graph.read(ID);
    await write(graph.store);
    const after = await graph.read(ID);
    expect(after).not.toEqual(before);
    await graph.reopen();
    expect(await graph.read(ID)).toEqual(after);
  });

  test('returns the new memory after a memory was deleted and another was stored under its id', async () => {
    await graph.read(ID);
    await graph.store.deleteMemories([ID]);
    expect(await graph.read(ID)).toBeUndefined();
    await graph.saveAll({ content: 'second life' });
    expect((await graph.read(ID))?.content).toBe('second life');
  });

  test('returns records that a reader cannot change', async () => {
    await graph.save([memory(2, { tags: ['a:b'], metadata: { list: [1] } })]);
    for (const _time of [1, 2]) expectFrozen((await graph.read(idOf(2))) as Memory);
    expect(await graph.read(idOf(2))).toEqual(memory(2, { tags: ['a:b'], metadata: { list: [1] } }));
  });
}

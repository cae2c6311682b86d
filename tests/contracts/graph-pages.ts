/** GraphStore contract: reading all records in pages. */
import { expect, test } from 'vitest';
import type { VectorState } from '../../src/stores/graph-store.js';
import type { PageRequest } from '../../src/stores/ports/memory-store.js';
import { idOf, memory, NOON } from '../support/records.js';
import type { GraphHarness } from './graph-harness.js';

/** Reads all elements, in pages of two. */
async function walk<Element>(
  read: (page: PageRequest) => Promise<Element[]>,
  idOfElement: (element: Element) => string,
) {
  const all: Element[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await read({ ...(last && { afterId: idOfElement(last) }), limit: 2 });
    expect(page.length).toBeLessThanOrEqual(2);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

export function describePages(graph: GraphHarness): void {
  test('return each record once, with all data that is needed to save it in another store', async () => {
    const records = [
      {
        memory: memory(3, { tags: ['a:b'], metadata: { deep: { list: [1, null] } } }),
        work: ['embed', 'enrich'] as const,
      },
      { memory: { ...memory(1), embedded_by: 'model' }, embedding: Float32Array.of(1, 2, 3), work: [] },
      { memory: { ...memory(2), archived: true, relevance_score: 0.25, summary: 'short' }, work: ['enrich'] as const },
      { memory: memory(5), work: ['embed'] as const },
      { memory: memory(4), work: [] },
    ];
    await graph.store.saveMemories(records);
    const [failing] = await graph.store.claimWork({ kind: 'embed', limit: 1, nowMs: NOON, leaseMs: 1, ids: [idOf(5)] });
    await graph.store.releaseWork([failing?.token ?? ''], { error: 'for good', dueMs: null });
    const found = await walk(
      page => graph.store.readRecords(page),
      record => record.memory.id,
    );
    const expected = records.toSorted((a, b) => a.memory.id.localeCompare(b.memory.id));
    expect(found.map(record => ({ ...record, work: [...record.work].sort() }))).toEqual(expected);
  });

  test('report for each memory the model of its vector, and whether embedding is pending or has failed', async () => {
    await graph.store.saveMemories([
      { memory: memory(1), work: ['embed'] },
      { memory: { ...memory(2), embedded_by: 'm' }, work: ['enrich'] },
      { memory: { ...memory(3), embedded_by: 'm' }, work: ['embed'] },
      { memory: memory(4), work: ['embed'] },
    ]);
    const [failing] = await graph.store.claimWork({ kind: 'embed', limit: 1, nowMs: NOON, leaseMs: 1, ids: [idOf(4)] });
    await graph.store.releaseWork([failing?.token ?? ''], { error: 'for good', dueMs: null });
    expect(
      await walk(
        page => graph.store.vectorStates(page),
        ({ id }) => id,
      ),
    ).toEqual<VectorState[]>([
      { id: idOf(1), isPending: true, hasFailed: false },
      { id: idOf(2), embeddedBy: 'm', isPending: false, hasFailed: false },
      { id: idOf(3), embeddedBy: 'm', isPending: true, hasFailed: false },
      { id: idOf(4), isPending: false, hasFailed: true },
    ]);
  });

  test('return each node of a kind once', async () => {
    const updated_at = '2026-01-01T00:00:00.000Z';
    for (const id of ['c', 'a', 'b']) {
      await graph.store.saveNode({ kind: 'Pattern', id, properties: { id }, updated_at });
    }
    await graph.store.saveNode({ kind: 'MetaMemory', id: 'd', properties: {}, updated_at });
    const found = await walk(
      page => graph.store.readNodes('Pattern', page),
      ({ id }) => id,
    );
    expect(found).toEqual(['a', 'b', 'c'].map(id => ({ kind: 'Pattern', id, properties: { id }, updated_at })));
  });
}

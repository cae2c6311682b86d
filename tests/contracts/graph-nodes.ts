/** GraphStore contract: nodes beside memories. */
import { expect, test } from 'vitest';
import type { AuxiliaryNode, NodeLink } from '../../src/stores/ports/node-store.js';
import { idOf } from '../support/records.js';
import type { GraphHarness } from './graph-harness.js';

export function describeNodes(graph: GraphHarness): void {
  test('are kept by kind, newest first, and are no memories', async () => {
    const node = (id: string, updated_at: string): AuxiliaryNode => ({
      kind: 'Pattern',
      id,
      properties: { observations: 3, "k'ey": [1] },
      updated_at,
    });
    await graph.store.saveNode(node('a', '2026-01-01T00:00:00.000Z'));
    await graph.store.saveNode(node('b', '2026-01-02T00:00:00.000Z'));
    await graph.store.saveNode({ ...node('a', '2026-01-03T00:00:00.000Z'), properties: { observations: 4 } });
    await graph.store.saveNode({ ...node('a', '2026-01-01T00:00:00.000Z'), kind: 'MetaMemory' });
    expect((await graph.store.listNodes('Pattern', 10)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(await graph.store.listNodes('Pattern', 1)).toHaveLength(1);
    expect(await graph.store.getNode('Pattern', 'a')).toMatchObject({ properties: { observations: 4 } });
    expect(await graph.store.countMemories()).toBe(0);
    await graph.store.deleteNodes('Pattern', ['a', 'nope']);
    expect(await graph.store.getNode('Pattern', 'a')).toBeUndefined();
    expect(await graph.store.getNode('MetaMemory', 'a')).toBeDefined();
  });

  test('are linked with memories, once each, until either is gone', async () => {
    await graph.saveAll({}, {}, {});
    const updated_at = '2026-01-01T00:00:00.000Z';
    for (const id of ['a', 'b']) await graph.store.saveNode({ kind: 'Pattern', id, properties: {}, updated_at });
    const link = (memory: number, nodeId: string, day: number, confidence = 0.5): NodeLink => ({
      memoryId: idOf(memory),
      kind: 'Pattern',
      nodeId,
      confidence,
      updated_at: `2026-01-0${day}T00:00:00.000Z`,
    });
    for (const each of [link(1, 'a', 1), link(2, 'a', 2), link(3, 'a', 3), link(1, 'b', 1)]) {
      await graph.store.linkNode(each);
    }
    await graph.store.linkNode(link(1, 'a', 4, 0.9));
    await graph.store.linkNode(link(9, 'a', 5));
    await graph.store.linkNode(link(1, 'no such node', 5));
    await graph.store.saveNode({ kind: 'Pattern', id: 'a', properties: { observations: 3 }, updated_at });
    const linked = async (...numbers: number[]) =>
      (await graph.store.linksOf(numbers.map(idOf))).sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1));
    expect(await linked(1, 2, 3, 9)).toEqual([link(1, 'b', 1), link(2, 'a', 2), link(3, 'a', 3), link(1, 'a', 4, 0.9)]);
    expect(await linked(3)).toEqual([link(3, 'a', 3)]);
    expect(await linked()).toEqual([]);
    expect((await graph.store.relationsOf({ ids: [idOf(1)], limit: 10 })).get(idOf(1))).toEqual([]);
    await graph.store.deleteMemories([idOf(1)]);
    expect(await linked(1, 2, 3)).toEqual([link(2, 'a', 2), link(3, 'a', 3)]);
    await graph.store.deleteNodes('Pattern', ['a']);
    await graph.store.saveNode({ kind: 'Pattern', id: 'a', properties: {}, updated_at });
    expect(await linked(1, 2, 3)).toEqual([]);
  });
}

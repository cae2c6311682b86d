/** GraphStore contract: nodes that are no memories (decisions D34). */
import { expect, test } from 'vitest';
import type { AuxiliaryNode } from '../../src/stores/graph-store.js';
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
}

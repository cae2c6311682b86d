/** GraphStore contract: nodes other than memories. */
import { expect, test } from 'vitest';
import { type AuxiliaryNode, NODE_KINDS, type NodeLink } from '../../src/stores/ports/node-store.js';
import { idOf } from '../support/records.js';
import type { GraphHarness } from './graph-harness.js';

export function describeNodes(graph: GraphHarness): void {
  test('are listed by kind, newest first, and do not count as memories', async () => {
    const node = (id: string, updated_at: string): AuxiliaryNode => ({
      kind: 'Pattern',
      id,
      properties: { observations: 3, type: 'Habit', "k'ey": [1] },
      updated_at,
    });
    await graph.store.saveNode(node('a', '2026-01-01T00:00:00.000Z'));
    await graph.store.saveNode(node('b', '2026-01-02T00:00:00.000Z'));
    await graph.store.saveNode({ ...node('a', '2026-01-03T00:00:00.000Z'), properties: { observations: 4 } });
    await graph.store.saveNode({ ...node('a', '2026-01-01T00:00:00.000Z'), kind: 'MetaMemory' });
    expect((await graph.store.listNodes('Pattern', 10)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(await graph.store.listNodes('Pattern', 1)).toHaveLength(1);
    expect(await graph.store.getNode('Pattern', 'a')).toEqual({
      ...node('a', '2026-01-03T00:00:00.000Z'),
      properties: { observations: 4 },
    });
    expect(await graph.store.countMemories()).toBe(0);
    expect(await graph.store.countNodes('Pattern')).toBe(2);
    expect(await graph.store.countNodes('ConsolidationRun')).toBe(0);
    await graph.store.deleteNodes('Pattern', ['a', 'nope']);
    expect(await graph.store.getNode('Pattern', 'a')).toBeUndefined();
    expect(await graph.store.getNode('MetaMemory', 'a')).toBeDefined();
  });

  test('are counted by kind, or by kind and state', async () => {
    const states = ['open', 'open', 'dismissed', undefined];
    for (const [index, state] of states.entries()) {
      const properties = { kind: 'duplicate', ...(state !== undefined && { state }) };
      const updated_at = '2026-01-01T00:00:00.000Z';
      await graph.store.saveNode({ kind: 'ConsolidationProposal', id: `p${index}`, properties, updated_at });
    }
    expect(await graph.store.countNodes('ConsolidationProposal')).toBe(4);
    expect(await graph.store.countNodes('ConsolidationProposal', 'open')).toBe(2);
    expect(await graph.store.countNodes('ConsolidationProposal', 'accepted')).toBe(0);
    await graph.store.deleteNodes('ConsolidationProposal', ['p0']);
    expect(await graph.store.countNodes('ConsolidationProposal', 'open')).toBe(1);
  });

  test('are linked with a memory at most once, and the link ends when the node or the memory is deleted', async () => {
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

  test('of every kind are stored with any properties', async () => {
    const properties = { text: 'kept', list: [{ id: 'x', numbers: { share: 0.1 + 0.2 } }], nothing: null };
    const updated_at = '2026-01-01T00:00:00.000Z';
    for (const kind of NODE_KINDS) await graph.store.saveNode({ kind, id: 'n', properties, updated_at });
    await graph.reopen();
    for (const kind of NODE_KINDS) {
      const node = { kind, id: 'n', properties, updated_at };
      expect(await graph.store.getNode(kind, 'n')).toEqual(node);
      expect(await graph.store.readNodes(kind, { limit: 5 })).toEqual([node]);
      expect(await graph.store.listNodes(kind, 5)).toEqual([node]);
    }
  });

  test('that summarise memories are linked with exactly the memories of the last save that names them', async () => {
    await graph.saveAll({}, {}, {});
    const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
    const relink = (nodeId: string, day: number, ...numbers: number[]) =>
      graph.store.saveNode({ kind: 'MetaMemory', id: nodeId, properties: {}, updated_at: at(day) }, numbers.map(idOf));
    const linked = async () =>
      (await graph.store.linksOf([1, 2, 3].map(idOf)))
        .map(
          link =>
            `${link.kind} ${link.nodeId} ${Number(link.memoryId.slice(-2))} ${link.confidence} ${link.updated_at}`,
        )
        .sort();
    const link = (nodeId: string, memory: number, day: number) => `MetaMemory ${nodeId} ${memory} 1 ${at(day)}`;
    await relink('a', 1, 1, 2, 2, 9);
    await relink('b', 1, 1);
    expect(await linked()).toEqual([link('a', 1, 1), link('a', 2, 1), link('b', 1, 1)]);
    await relink('a', 2, 2, 3);
    expect(await linked()).toEqual([link('a', 2, 2), link('a', 3, 2), link('b', 1, 1)]);
    const others = { exceptId: idOf(3), max: 9 };
    expect(await graph.store.countNodeLinks('MetaMemory', 'a', others)).toBe(1);
    const relations = await graph.store.relationsOf({ ids: [1, 2, 3].map(idOf), limit: 9 });
    expect([...relations.values()].flat()).toEqual([]);
    await graph.store.deleteMemories([idOf(2)]);
    await graph.store.deleteNodes('MetaMemory', ['b']);
    expect(await linked()).toEqual([link('a', 3, 2)]);
    await relink('a', 3);
    expect(await linked()).toEqual([]);
    expect(await graph.store.getNode('MetaMemory', 'a')).toBeDefined();
  });

  test('summaries keep their links to memories when work on these memories ends', async () => {
    await graph.saveAll({});
    const updated_at = '2026-01-01T00:00:00.000Z';
    await graph.store.saveNode({ kind: 'MetaMemory', id: 'a', properties: {}, updated_at });
    const link: NodeLink = { memoryId: idOf(1), kind: 'MetaMemory', nodeId: 'a', confidence: 0.25, updated_at };
    await graph.store.linkNode(link);
    const [claim] = await graph.store.claimWork({ kind: 'enrich', limit: 1, nowMs: 1, leaseMs: 9, ids: [idOf(1)] });
    const outcome = { change: <Value>(current: Value) => current, patterns: { nodes: [], links: [] } };
    expect(await graph.store.completeWork(claim?.token ?? '', outcome)).toBe(true);
    expect(await graph.store.linksOf([idOf(1)])).toEqual([link]);
  });
}

/** GraphStore contract: edges between memories. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { Metadata } from '../../src/domain/json.js';
import type { Memory } from '../../src/domain/memory.js';
import type { Relation } from '../../src/domain/relation.js';

import type { RelationRequest } from '../../src/stores/ports/edge-store.js';
import { idOf, memory, relation } from '../support/records.js';
import { type GraphHarness, numbersOf } from './graph-harness.js';

export function describeRelations(graph: GraphHarness): void {
  beforeEach(() => graph.saveAll({}, {}, {}, {}));

  test('are listed at both ends: authored edges before system edges, then the strongest, then the newest', async () => {
    await graph.store.saveRelations([
      relation(1, 'SIMILAR_TO', 2, { strength: 1 }),
      relation(3, 'LEADS_TO', 1, { strength: 0.4 }),
      relation(1, 'PREFERS_OVER', 4, { strength: 0.8, properties: { context: 'work' } }),
      relation(1, 'RELATES_TO', 3, { strength: 0.4, updated_at: '2026-06-01T00:00:00.000Z' }),
    ]);
    const types = async (limit: number) =>
      (await graph.store.relationsOf({ ids: [idOf(1)], limit: limit })).get(idOf(1))?.map(({ type }) => type);
    expect(await types(10)).toEqual(['PREFERS_OVER', 'RELATES_TO', 'LEADS_TO', 'SIMILAR_TO']);
    expect(await types(2)).toEqual(['PREFERS_OVER', 'RELATES_TO']);
    const both = await graph.store.relationsOf({ ids: [idOf(3), idOf(4)], limit: 10 });
    expect(both.get(idOf(4))).toEqual([
      relation(1, 'PREFERS_OVER', 4, { strength: 0.8, properties: { context: 'work' } }),
    ]);
    expect(both.get(idOf(3))).toHaveLength(2);
  });

  test('edges exist once for each source, target and type, and are ignored if an end does not exist', async () => {
    await graph.store.saveRelations([
      relation(1, 'LEADS_TO', 2),
      relation(1, 'LEADS_TO', 9),
      relation(9, 'LEADS_TO', 1),
    ]);
    await graph.store.saveRelations([relation(1, 'LEADS_TO', 2, { strength: 0.9 }), relation(2, 'LEADS_TO', 1)]);
    const relations = (await graph.store.relationsOf({ ids: [idOf(1)], limit: 10 })).get(idOf(1));
    expect(relations?.map(({ from, strength }) => [Number(from.slice(-1)), strength])).toEqual([
      [1, 0.9],
      [2, 0.5],
    ]);
  });

  test('keep their properties, whatever the keys and values', async () => {
    const properties = JSON.parse(`{
      "__proto__": "p", "constructor": null, "a b": [1, {"c": []}], "}) DETACH DELETE n //": "' OR 1=1", "": 1e308,
      "type": "not the type", "strength": 9007199254740993, "nul": "\\u0000", "empty": [], "none": {}
    }`) as Metadata;
    const edge = relation(1, 'PREFERS_OVER', 2, { properties, strength: 0.1 + 0.2 });
    await graph.store.saveRelations([edge]);
    await graph.reopen();
    const [kept] = (await graph.store.relationsOf({ ids: [idOf(1)], limit: 10 })).get(idOf(1)) ?? [];
    expect(kept).toEqual(edge);
    expect(JSON.stringify(kept?.properties)).toBe(JSON.stringify(properties));
  });

  test('are written if both ends exist, and the result tells for each edge whether it was written', async () => {
    const edges = [relation(1, 'LEADS_TO', 2), relation(1, 'LEADS_TO', 9), relation(3, 'LEADS_TO', 1)];
    expect(await graph.store.saveRelations(edges)).toEqual([true, false, true]);
    expect(await graph.store.saveRelations(edges.slice(0, 1))).toEqual([true]);
    expect(await graph.store.saveRelations([])).toEqual([]);
  });

  test('are selected by strength, type and direction before the limit is applied', async () => {
    await graph.store.saveRelations([
      relation(1, 'PREFERS_OVER', 2, { strength: 0.9 }),
      relation(1, 'LEADS_TO', 3, { strength: 0.5 }),
      relation(1, 'SIMILAR_TO', 4, { strength: 0.49 }),
      relation(4, 'LEADS_TO', 1, { strength: 0.7 }),
    ]);
    const types = async (request: Omit<RelationRequest, 'ids'>) =>
      (await graph.store.relationsOf({ ids: [idOf(1)], ...request }))
        .get(idOf(1))
        ?.map(({ type, from }) => [type, ...numbersOf([from])]);
    expect(await types({ limit: 9, minStrength: 0.5 })).toEqual([
      ['PREFERS_OVER', 1],
      ['LEADS_TO', 4],
      ['LEADS_TO', 1],
    ]);
    expect(await types({ limit: 1, types: ['LEADS_TO', 'SIMILAR_TO'] })).toEqual([['LEADS_TO', 4]]);
    expect(await types({ limit: 2, isOutgoingOnly: true, types: ['LEADS_TO', 'SIMILAR_TO'] })).toEqual([
      ['LEADS_TO', 1],
      ['SIMILAR_TO', 1],
    ]);
    expect(await types({ limit: 9, types: [] })).toEqual([]);
  });

  test('may connect a memory with itself, and are then returned once', async () => {
    await graph.store.saveRelations([relation(1, 'RELATES_TO', 1)]);
    expect((await graph.store.relationsOf({ ids: [idOf(1)], limit: 10 })).get(idOf(1))).toHaveLength(1);
  });

  test('one call returns relations of many memories with a limit per memory, and none for unknown ids', async () => {
    const spokes = Array.from({ length: 1_200 }, (_, index) => memory(index + 10));
    await graph.save(spokes);
    await graph.store.saveRelations(spokes.map((_, index) => relation(1, 'LEADS_TO', index + 10)));
    const ids = [idOf(1), ...spokes.map(({ id }) => id), idOf(99_999)];
    const relations = await graph.store.relationsOf({ ids, limit: 3 });
    expect([...relations.keys()]).toEqual(ids);
    expect(relations.get(idOf(1))).toHaveLength(3);
    expect(relations.get(idOf(99_999))).toEqual([]);
    expect(ids.slice(1, -1).every(id => relations.get(id)?.length === 1)).toBe(true);
    expect((await graph.store.relationsOf({ ids: [], limit: 3 })).size).toBe(0);
  });

  test('one call returns the relations of memories with and without authored edges, also again and by type', async () => {
    const [system, authored] = [relation(1, 'SIMILAR_TO', 2), relation(3, 'LEADS_TO', 4)];
    await graph.store.saveRelations([system, authored]);
    const ids = [idOf(3), idOf(1), idOf(2)];
    for (let time = 0; time < 3; time++) {
      // The embedded store caches the rows of these memories, and notes meanwhile which memories have authored edges.
      await graph.store.getMemories(ids);
      const edges = async (types?: Relation['type'][]) =>
        [...(await graph.store.relationsOf({ ids, limit: 10, ...(types && { types }) })).values()].flat();
      expect(await edges()).toEqual([authored, system, system]);
      expect(await edges(['LEADS_TO'])).toEqual([authored]);
      expect(await edges(['SIMILAR_TO', 'RELATES_TO'])).toEqual([system, system]);
      await yieldToEventLoop();
    }
  });

  test('are returned with the memories at their other ends', async () => {
    await graph.store.saveRelations([
      relation(1, 'LEADS_TO', 2),
      relation(3, 'EVOLVED_INTO', 1, { strength: 0.9 }),
      relation(4, 'EVOLVED_INTO', 2),
      relation(4, 'RELATES_TO', 4),
    ]);
    const request = { ids: [idOf(1), idOf(4), idOf(9)], limit: 1 };
    const { relations, ends } = await graph.store.relationsWithEnds(request);
    expect(relations).toEqual(await graph.store.relationsOf(request));
    expect(ends).toEqual(await graph.store.getMemories([idOf(2), idOf(3)]));
    const outgoing = await graph.store.relationsWithEnds({ ...request, limit: 9, isOutgoingOnly: true });
    expect(outgoing.relations.get(idOf(4))).toHaveLength(2);
    expect(numbersOf([...outgoing.ends.keys()]).sort()).toEqual([2, 4]);
    expect(await graph.store.relationsWithEnds({ ids: [], limit: 1 })).toEqual({
      relations: new Map(),
      ends: new Map(),
      memories: new Map(),
    });
  });

  test('are returned with their memories, if they are outgoing and have a requested type', async () => {
    await graph.store.saveRelations([
      relation(1, 'EVOLVED_INTO', 2),
      relation(1, 'LEADS_TO', 3),
      relation(4, 'INVALIDATED_BY', 3),
      relation(4, 'EVOLVED_INTO', 3, { strength: 0.2 }),
    ]);
    const request = { ids: [idOf(4), idOf(2), idOf(1), idOf(9)], limit: 1 };
    const types = ['EVOLVED_INTO', 'INVALIDATED_BY'] as const;
    const { memories, relations, ends } = await graph.store.relationsWithEnds({
      isOutgoingOnly: true,
      isWithMemories: true,
      ...request,
      types,
    });
    expect(memories).toEqual(await graph.store.getMemories(request.ids));
    expect(relations).toEqual(await graph.store.relationsOf({ ...request, types, isOutgoingOnly: true }));
    expect([...relations.values()].map(edges => edges.length)).toEqual([1, 0, 1, 0]);
    expect(ends).toEqual(await graph.store.getMemories([idOf(2), idOf(3)]));
  });

  test('are returned with the shown fields of the other ends, and on request with the queried memories', async () => {
    const shown = { content: 'shown', tags: ['A/b', 'c'], importance: 0.9, summary: 'short' };
    const own = { t_valid: '2026-01-01T00:00:00.000Z', archived: true, metadata: { a: 1 }, confidence: 0.8 };
    await graph.store.updateMemory(idOf(2), current => ({ memory: { ...current, ...shown, ...own }, work: [] }));
    await graph.store.saveRelations([relation(1, 'LEADS_TO', 2), relation(3, 'SIMILAR_TO', 1)]);
    const request = { ids: [idOf(1), idOf(2), idOf(4), idOf(9)], limit: 1 };
    const { relations, ends, memories } = await graph.store.relationsWithEnds(request);
    expect(relations).toEqual(await graph.store.relationsOf(request));
    const { timestamp } = (await graph.read(idOf(2))) as Memory;
    expect(numbersOf([...ends.keys()]).sort()).toEqual([1, 2]);
    expect(ends.get(idOf(2))).toMatchObject({ id: idOf(2), ...shown, timestamp });
    expect(memories.size).toBe(0);
    // Memory 4 has no edge, and memory 9 does not exist.
    const together = await graph.store.relationsWithEnds({ ...request, isWithMemories: true });
    expect(together.memories).toEqual(await graph.store.getMemories(request.ids));
    expect(together.relations).toEqual(relations);
    expect(together.ends).toEqual(ends);
  });

  test('survive changes of the memories they connect', async () => {
    await graph.store.saveRelations([relation(1, 'LEADS_TO', 2)]);
    await graph.store.updateMemory(idOf(1), () => ({ memory: memory(1, { content: 'new', tags: ['x'] }), work: [] }));
    expect((await graph.store.relationsOf({ ids: [idOf(2)], limit: 10 })).get(idOf(2))).toEqual([
      relation(1, 'LEADS_TO', 2),
    ]);
  });

  test('relations are removed by their ends and type, without affecting other relations', async () => {
    const kept = [relation(2, 'LEADS_TO', 1), relation(1, 'RELATES_TO', 2), relation(1, 'DISCOVERED', 3)];
    const removed = [relation(1, 'LEADS_TO', 2), relation(1, 'DISCOVERED', 2), relation(3, 'LEADS_TO', 3)];
    await graph.store.saveRelations([...kept, ...removed]);
    const [first] = removed;
    await graph.store.removeRelations([...removed, relation(1, 'LEADS_TO', 9), relation(4, 'LEADS_TO', 1)]);
    const request = { ids: [1, 2, 3, 4].map(idOf), limit: 10, isOutgoingOnly: true };
    const left = [...(await graph.store.relationsOf(request)).values()].flat();
    expect(left.map(({ from, type, to }) => [...numbersOf([from, to]), type]).sort()).toEqual([
      [1, 2, 'RELATES_TO'],
      [1, 3, 'DISCOVERED'],
      [2, 1, 'LEADS_TO'],
    ]);
    await graph.store.removeRelations([]);
    await graph.store.removeRelations(first ? [first] : []);
  });

  test('with other memories are counted for all types and in both directions', async () => {
    await graph.store.saveRelations([
      relation(1, 'LEADS_TO', 2),
      relation(1, 'SIMILAR_TO', 2),
      relation(2, 'LEADS_TO', 1),
      relation(3, 'DISCOVERED', 1, { strength: 0 }),
      relation(1, 'RELATES_TO', 1),
    ]);
    const updated_at = '2026-01-01T00:00:00.000Z';
    for (const kind of ['Pattern', 'MetaMemory'] as const) {
      await graph.store.saveNode({ kind, id: 'n', properties: {}, updated_at });
      await graph.store.linkNode({ memoryId: idOf(1), kind, nodeId: 'n', confidence: 1, updated_at });
    }
    const ids = [1, 2, 3, 4, 9].map(idOf);
    expect([...(await graph.store.countRelations(ids))]).toEqual(ids.map((id, index) => [id, [4, 3, 1, 0, 0][index]]));
    expect(await graph.store.countRelations([])).toEqual(new Map());
  });
}

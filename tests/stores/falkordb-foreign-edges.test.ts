/** Edges and nodes of other programs do not hide the edges of Engraph's memories. */
import { expect, test } from 'vitest';
import { RELATION_TYPES } from '../../src/domain/relation.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { idOf, memory, relation } from '../support/records.js';

describeFalkor('edges that other programs write to the graph', { isForgetful: true }, suite => {
  const opened = async (count: number) => {
    const { graph } = suite.settings();
    const store = suite.open({ graph });
    await store.saveMemories(Array.from({ length: count }, (_, index) => ({ memory: memory(index + 1), work: [] })));
    return { store, cypher: (statement: string) => suite.server.query(graph, statement) };
  };

  test('the edges of a memory are read although a second node has its id and an edge', async () => {
    const { store, cypher } = await opened(3);
    const edges = [relation(1, 'RELATES_TO', 2), relation(1, 'LEADS_TO', 3)];
    await store.saveRelations(edges);
    const request = { ids: [idOf(1)], limit: 5 };
    const read = async () => [
      await store.relationsOf(request),
      (await store.relationsWithEnds(request)).relations,
      (await store.relationsWithEnds({ isOutgoingOnly: true, isWithMemories: true, ...request, types: RELATION_TYPES }))
        .relations,
      (await store.relationsWithEnds({ ...request, isWithMemories: true })).relations,
      await store.countRelations([idOf(1)]),
    ];
    const before = await read();
    await cypher(`CREATE (:Memory {id: '${idOf(1)}', content: 'a second node'})
        -[:RELATES_TO]->(:Memory {id: '${idOf(9)}', content: 'other'})`);
    expect(await read()).toEqual(before);
    expect(before.at(-1)).toEqual(new Map([[idOf(1), 2]]));
    for (const relations of before.slice(0, -1)) expect(relations.get(idOf(1))).toHaveLength(2);
  });

  test('edges with an unusable strength are counted and read', async () => {
    const { store, cypher } = await opened(6);
    const strengths = ["{strength: 'high'}", '{strength: 0.9}', '{}', '{strength: -1}', '{strength: true}'];
    for (const [index, properties] of strengths.entries()) {
      await cypher(`MATCH (a:Memory {id: '${idOf(1)}'}) MATCH (b:Memory {id: '${idOf(index + 2)}'})
        CREATE (a)-[:RELATES_TO ${properties}]->(b)`);
    }
    const read = (await store.relationsOf({ ids: [idOf(1)], limit: 50 })).get(idOf(1)) ?? [];
    const strengthTo = Object.fromEntries(read.map(({ to, strength }) => [to, strength]));
    expect(strengthTo).toEqual({ [idOf(2)]: 0.5, [idOf(3)]: 0.9, [idOf(4)]: 0.5, [idOf(5)]: 0, [idOf(6)]: 0.5 });
    expect(await store.countRelations([idOf(1)])).toEqual(new Map([[idOf(1), read.length]]));
  });

  test('an edge without a time comes after equally strong edges with a time', async () => {
    const { store, cypher } = await opened(3);
    await store.saveRelations([relation(1, 'PREFERS_OVER', 3)]);
    await cypher(`MATCH (a:Memory {id: '${idOf(1)}'}) MATCH (b:Memory {id: '${idOf(2)}'})
      CREATE (a)-[:PREFERS_OVER {strength: 0.5}]->(b)`);
    const first = relation(1, 'PREFERS_OVER', 3);
    expect((await store.relationsOf({ ids: [idOf(1)], limit: 1 })).get(idOf(1))).toEqual([first]);
    expect(await store.strongestPreferences(1)).toEqual([first]);
  });
});

/**
 * Other programs may write to the graph. Engraph leaves their nodes alone, and reads what they change in its own nodes,
 * as far as it can be read.
 */

import { describe, expect, test } from 'vitest';
import type { Memory } from '../../src/domain/memory.js';
import { readByTag } from '../../src/engine/read.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { AUTOMEM_MEMORIES, contentsOfGraph, lossesOf, writeAutomemGraph } from '../support/automem-graph.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, memory, NOON, relation } from '../support/records.js';

/** Another value for each property of a record, as Cypher. */
const CHANGED: Record<string, string> = {
  content: "'changed'",
  type: "'Habit'",
  importance: '0.9',
  tags: "['changed']",
  summary: "'changed'",
  _exact: "''",
  timestamp: "'2025-01-01T00:00:00.000Z'",
  confidence: '0.4',
  relevance_score: '0.4',
  metadata: `'{"changed":true}'`,
  updated_at: "'2025-01-01T00:00:00+01:00'",
  last_accessed: "'2025-01-01T00:00:00.000Z'",
  t_valid: "'2025-01-01T00:00:00.000Z'",
  t_invalid: "'2025-01-01T00:00:00.000Z'",
  enriched: 'true',
  archived: 'false',
  archived_at: "'2025-01-01T00:00:00.000Z'",
  archived_reason: "'changed'",
  _embedded_by: "'changed'",
  _maybe_outdated_by: "'changed'",
};

const partsOf = (graph: GraphStore) => ({ graph, clock: createManualClock(), relationLimit: 1 });
const SOME_TIME = '2026-03-01T12:00:00.000Z';

describeFalkor('data that other programs write to the graph', { isForgetful: true }, suite => {
  const opened = async () => {
    const { graph } = suite.settings();
    const store = suite.open({ graph });
    await store.ping();
    return { graph, store, cypher: (statement: string) => suite.server.query(graph, statement) };
  };
  const found = async (store: GraphStore, term: string) =>
    (await store.searchText({ terms: [term], filter: {}, limit: 50 })).hits.map(({ id }) => id);
  const tagged = async (store: GraphStore, tag: string) =>
    (await readByTag(partsOf(store), { tags: [tag], limit: 50, offset: 0 })).memories.map(({ memory: { id } }) => id);

  /** Fills a graph as AutoMem does, and stores a memory with each of its ids. */
  const shared = async () => {
    const given = await opened();
    await writeAutomemGraph(suite.server, given.graph);
    const before = await contentsOfGraph(suite.server, given.graph);
    const ids = AUTOMEM_MEMORIES.map(({ id }) => String(id));
    const ours = ids.map((id, index) => ({ ...memory(index + 1, { content: `ours ${index}`, tags: ['mine'] }), id }));
    return { ...given, before, ids, ours };
  };

  test('memories of other programs are counted, and are neither read nor found nor claimed', async () => {
    const { store, ids } = await shared();
    expect(await store.countForeign?.()).toBe(AUTOMEM_MEMORIES.length + 1);
    expect(await store.countMemories()).toBe(0);
    expect(await store.getMemories(ids)).toEqual(new Map());
    expect(await store.readRecords({ limit: 50 })).toEqual([]);
    expect(await store.list({ filter: {}, order: 'newest', limit: 50 })).toEqual([]);
    expect(await found(store, 'lighthous')).toEqual([]);
    expect(await tagged(store, 'db')).toEqual([]);
    expect(await store.claimWork({ kind: 'embed', limit: 50, nowMs: NOON, leaseMs: 1, ids })).toEqual([]);
    expect(await store.countTypes()).toEqual([]);
    expect(await store.strongestPreferences(5)).toEqual([]);
    expect(await store.saveRelations([relation(1, 'LEADS_TO', 2)])).toEqual([false]);
    expect(await store.updateMemory(idOf(1), current => ({ memory: current, work: [] }))).toBeUndefined();
    expect(await store.deleteMemories(ids)).toEqual([]);
  });

  test('memories of Engraph with the ids of others are stored, changed and deleted without changing the others', async () => {
    const { graph, store, before, ids, ours } = await shared();
    await store.saveMemories(ours.map(each => ({ memory: each, work: ['embed', 'enrich'] })));
    expect([...(await store.getMemories(ids)).values()].map(({ content }) => content)).toEqual(
      ours.map(({ content }) => content),
    );
    expect(await store.countMemories()).toBe(ours.length);
    expect(await store.countForeign?.()).toBe(AUTOMEM_MEMORIES.length + 1);
    await store.updateMemory(idOf(1), current => ({ memory: { ...current, importance: 0.1 }, work: [] }));
    await store.annotate(
      ids.map((id, index) => ({
        id,
        lastAccessed: '2030-01-01T00:00:00.000Z',
        relevance: index === 0 ? null : 0.5,
        maybeOutdatedBy: 'x',
      })),
    );
    await store.saveRelations([relation(1, 'LEADS_TO', 3), relation(1, 'RELATES_TO', 4)]);
    expect((await store.relationsOf({ ids: [idOf(1)], limit: 9 })).get(idOf(1))).toHaveLength(2);
    expect(await store.countRelations([idOf(1), idOf(2)])).toEqual(
      new Map([
        [idOf(1), 2],
        [idOf(2), 0],
      ]),
    );
    await store.removeRelations([relation(1, 'LEADS_TO', 3), relation(3, 'REINFORCES', 1)]);
    const claims = await store.claimWork({ kind: 'embed', limit: 9, nowMs: NOON, leaseMs: 1_000 });
    expect(claims).toHaveLength(ours.length);
    await store.settleWork(
      claims.map(({ token }) => token),
      { embeddedBy: 'm' },
    );
    const change = (current: Memory) => ({ memory: { ...current, archived: true }, work: [] });
    const record = { memory: memory(90), work: [] };
    await store.supersede({ record, supersededId: idOf(3), change, relation: relation(3, 'EVOLVED_INTO', 90) });
    expect((await store.deleteMemories(ids)).sort()).toEqual(ids.toSorted());
    expect(lossesOf(before, await contentsOfGraph(suite.server, graph))).toEqual([]);
    expect(await store.countForeign?.()).toBe(AUTOMEM_MEMORIES.length + 1);
  });

  test('other nodes of other programs are not listed, and those of Engraph stand beside them', async () => {
    const { graph, store, before } = await shared();
    const kinds = [
      ['Pattern', 'pattern-Insight-0a1b2c3d'],
      ['MetaMemory', idOf(50)],
      ['ConsolidationControl', 'global'],
      ['ConsolidationRun', 'run-1'],
    ] as const;
    await store.saveMemories([{ memory: memory(2), work: [] }]);
    for (const [kind, id] of kinds) {
      expect(await store.getNode(kind, id)).toBeUndefined();
      expect([await store.countNodes(kind), await store.listNodes(kind, 5)]).toEqual([0, []]);
      const node = { kind, id, properties: { content: 'ours' }, updated_at: SOME_TIME };
      for (let time = 0; time < 2; time++) await store.saveNode(node);
      expect(await store.getNode(kind, id)).toEqual(node);
      expect([await store.countNodes(kind), await store.readNodes(kind, { limit: 5 })]).toEqual([1, [node]]);
    }
    expect(await store.linksOf([idOf(2)])).toEqual([]);
    const link = {
      memoryId: idOf(2),
      kind: 'Pattern',
      nodeId: kinds[0][1],
      confidence: 1,
      updated_at: SOME_TIME,
    } as const;
    await store.linkNode(link);
    expect(await store.linksOf([idOf(2)])).toEqual([link]);
    expect(await store.countNodeLinks('Pattern', link.nodeId, { exceptId: idOf(9), max: 9 })).toBe(1);
    for (const [kind, id] of kinds) await store.deleteNodes(kind, [id]);
    expect(lossesOf(before, await contentsOfGraph(suite.server, graph))).toEqual([]);
  });

  test.each([
    ['one quoted list', 'a", "b'],
    ['a list in a list', 'a", 0.1, 0, 0.9, 0, 0, 0, 0, 0, false, false, ["'],
    ['line breaks', 'two\nlines'],
  ])('a memory whose type contains %s is read as a memory of unknown type', async (_, type) => {
    const { store, cypher } = await opened();
    await store.saveMemories([1, 2].map(number => ({ memory: memory(number, { type: 'Decision' }), work: [] })));
    await cypher(`MATCH (m:Memory {id: '${idOf(1)}'}) SET m.type = '${type}'`);
    const read = await store.getMemories([1, 2].map(idOf));
    expect(read.get(idOf(1))).toEqual({ ...memory(1, { type: 'Decision' }), type: 'Context' });
    expect(read.get(idOf(2))).toEqual(memory(2, { type: 'Decision' }));
  });

  test.each([
    ['updated_at', "localdatetime('2026-01-01T00:00:00')"],
    ['type', "duration('P1D')"],
    ['t_valid', 'vecf32([1.0, 2.0])'],
    ['content', '7'],
    ['tags', "'text'"],
    ['tags', '[7]'],
    ['importance', "'high'"],
    ['confidence', '7'],
    ['metadata', "'[1'"],
    ['timestamp', "'yesterday'"],
  ])('a memory whose %s is %s cannot be read, and does not keep others from being read', async (field, value) => {
    const { store, cypher } = await opened();
    const records = [1, 2, 3].map(number => memory(number));
    await store.saveMemories(records.map(each => ({ memory: each, work: ['embed'] })));
    await cypher(`MATCH (m:Memory {id: '${idOf(2)}'}) SET m.${field} = ${value}`);
    const ids = [1, 2, 3].map(idOf);
    expect([...(await store.getMemories(ids)).keys()]).toEqual([idOf(1), idOf(3)]);
    expect(
      [...(await store.relationsWithEnds({ ids, limit: 5, isWithMemories: true })).memories.keys()].sort(),
    ).toEqual([idOf(1), idOf(3)].sort());
    const claims = await store.claimWork({ kind: 'embed', limit: 5, nowMs: NOON, leaseMs: 1_000 });
    expect(claims.map(claim => claim.memory.id)).toEqual([idOf(1), idOf(3)]);
    expect(await store.updateMemory(idOf(2), current => ({ memory: current, work: [] }))).toBeUndefined();
    const again = { memory: memory(2, { content: 'again' }), work: [] };
    await expect(store.saveMemories([again])).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.deleteMemories([idOf(2)])).toEqual([idOf(2)]);
  });

  test.each(Object.keys(CHANGED))(
    'a read shows a change to the property %s of a memory that was read before',
    async field => {
      const { store, cypher } = await opened();
      const archived = { archived: true, archived_at: '2026-03-01T00:00:00.000Z', archived_reason: 'old' };
      // The server returns fewer digits of this importance, so the property `_exact` is written.
      const record = { ...memory(1, { importance: 0.1 + 0.2 }), summary: 'short', ...archived };
      await store.saveMemories([{ memory: record, work: [] }]);
      const before = (await store.getMemories([idOf(1)])).get(idOf(1));
      await cypher(`MATCH (m:Memory {id: '${idOf(1)}'}) SET m.${field} = ${CHANGED[field]}`);
      const after = (await store.getMemories([idOf(1)])).get(idOf(1));
      expect(after).toBeDefined();
      expect(after).not.toEqual(before);
    },
  );

  describe('when they change a memory of Engraph', () => {
    const stored = async () => {
      const given = await opened();
      const one = { ...memory(1, { content: 'apples', tags: ['fruit'] }), embedded_by: 'm' };
      await given.store.saveMemories([{ memory: one, work: [] }]);
      return given;
    };

    test('an update by Engraph keeps their change and their own properties', async () => {
      const { store, cypher } = await stored();
      await cypher(`MATCH (m:Memory) SET m.t_valid = '2026-01-01T00:00:00+01:00', m.my_note = 'kept'`);
      await store.updateMemory(idOf(1), current => ({ memory: { ...current, importance: 0.2 }, work: [] }));
      const changed = { t_valid: '2025-12-31T23:00:00.000Z', importance: 0.2 };
      expect((await store.getMemories([idOf(1)])).get(idOf(1))).toMatchObject(changed);
      expect(await cypher('MATCH (m:Memory) RETURN m.my_note AS note')).toEqual([{ note: 'kept' }]);
    });

    test('a memory whose tag they removed is not listed by this tag', async () => {
      const { store, cypher } = await stored();
      await cypher(`MATCH (m:Memory) SET m.tags = ['wood']`);
      expect(await tagged(store, 'fruit')).toEqual([]);
    });

    test('the pages of a tag that they removed from a memory show every other memory once', async () => {
      const { store, cypher } = await opened();
      const inOrder = [1, 2, 3, 4].map(number => memory(number, { tags: ['fruit'], importance: 1 - number / 10 }));
      await store.saveMemories(inOrder.map(each => ({ memory: each, work: [] })));
      await cypher(`MATCH (m:Memory {id: '${idOf(2)}'}) SET m.tags = ['wood']`);
      const pages = [0, 2].map(offset => readByTag(partsOf(store), { tags: ['fruit'], limit: 2, offset }));
      expect(
        (await Promise.all(pages)).map(({ memories, hasMore }) => [memories.map(({ memory: { id } }) => id), hasMore]),
      ).toEqual([
        [[idOf(1)], true],
        [[idOf(3), idOf(4)], false],
      ]);
    });

    test('an edge to an unreadable memory is still shown, and an edge to a node of another program is not', async () => {
      const { store, cypher } = await opened();
      await store.saveMemories([1, 2, 3].map(number => ({ memory: memory(number), work: [] })));
      await store.saveRelations([relation(1, 'LEADS_TO', 2), relation(1, 'RELATES_TO', 3, { strength: 1 })]);
      await cypher(`MATCH (m:Memory {id: '${idOf(1)}'})
        CREATE (m)-[:RELATES_TO {strength: 1.0}]->(:Memory {content: 'no id'}), (m)<-[:RELATES_TO]-(:Memory {id: 7}),
          (m)-[:RELATES_TO {strength: 0.9}]->(:Memory {id: '${idOf(4)}', content: 'theirs'})`);
      await cypher(`MATCH (m:Memory {id: '${idOf(3)}'}) SET m.content = date('2026-01-01'), m.tags = vecf32([1])`);
      const { relations, ends } = await store.relationsWithEnds({ ids: [idOf(1)], limit: 9 });
      expect(relations.get(idOf(1))?.map(({ to }) => to)).toEqual([idOf(3), idOf(2)]);
      expect([...ends.keys()]).toEqual([idOf(2)]);
      const shown = await store.relationsWithEnds({ ids: [idOf(1)], limit: 2, isWithMemories: true });
      expect(shown.relations).toEqual(relations);
      expect([...shown.ends.keys()]).toEqual([idOf(2)]);
    });

    test('a memory is deleted only if its time of change is the one that was read, in whatever form it is', async () => {
      const { store, cypher } = await stored();
      await cypher(`MATCH (m:Memory {id: '${idOf(1)}'}) SET m.updated_at = '2025-01-01T00:00:00+01:00'`);
      const read = (await store.getMemories([idOf(1)])).get(idOf(1))?.updated_at ?? '';
      expect(read).toBe('2024-12-31T23:00:00.000Z');
      const deleted = (updatedAt: string) => store.deleteMemories([idOf(1)], new Map([[idOf(1), updatedAt]]));
      expect(await deleted('2024-12-31T23:00:00.001Z')).toEqual([]);
      expect(await deleted(read)).toEqual([idOf(1)]);
    });

    test('a memory that was deleted and stored again is found only by its new content', async () => {
      const { store, cypher } = await stored();
      await store.saveMemories([{ memory: memory(3), work: [] }]);
      for (const again of ['save', 'supersede']) {
        await cypher(`MATCH (m:Memory {id: '${idOf(1)}'}) DETACH DELETE m`);
        const record = { memory: memory(1, { content: 'pears', tags: [again] }), work: [] };
        const change = (current: Memory) => ({ memory: current, work: [] });
        const supersession = { record, supersededId: idOf(3), change, relation: relation(3, 'EVOLVED_INTO', 1) };
        await (again === 'save' ? store.saveMemories([record]) : store.supersede(supersession));
        expect(await store.countMemories()).toBe(2);
        expect(await found(store, 'appl')).toEqual([]);
        expect(await tagged(store, 'fruit')).toEqual([]);
        expect(await store.countMemories({ tagKeys: [again] })).toBe(1);
      }
    });

    test('a memory whose index was deleted can be changed and deleted', async () => {
      const { store, cypher } = await stored();
      await cypher('MATCH (i:_MemoryIndex) DELETE i');
      const pears = (current: Memory) => ({ memory: { ...current, content: 'pears' }, work: [] });
      expect(await store.updateMemory(idOf(1), pears)).toMatchObject({ content: 'pears' });
      expect(await found(store, 'pear')).toEqual([idOf(1)]);
      await cypher('MATCH (i:_MemoryIndex) DELETE i');
      expect(await store.deleteMemories([idOf(1)])).toEqual([idOf(1)]);
      expect((await store.getMemories([idOf(1)])).size).toBe(0);
      expect((await store.staleVectors(5)).map(({ id }) => id)).toEqual([idOf(1)]);
    });

    test('a memory with a second node of the same id is read unchanged', async () => {
      const { store, cypher } = await stored();
      await cypher(`CREATE (:Memory {id: '${idOf(1)}', content: 'pears'})`);
      expect((await store.getMemories([idOf(1)])).get(idOf(1))).toMatchObject({ content: 'apples' });
      expect(await store.countForeign?.()).toBe(1);
    });
  });

  test('a value that a property cannot store is read back exactly until another program changes it', async () => {
    const { store, cypher } = await opened();
    const odd = {
      ...memory(1, { content: 'a nul \0 here', tags: ['odd\0tag'] }),
      importance: 0.1 + 0.2,
      confidence: 1,
    };
    await store.saveMemories([{ memory: odd, work: [] }]);
    const read = async () => (await store.getMemories([idOf(1)])).get(idOf(1));
    expect(await read()).toEqual(odd);
    await cypher(`MATCH (m:Memory) SET m.content = 'plain'`);
    expect(await read()).toEqual({ ...odd, content: 'plain' });
    await cypher(`MATCH (m:Memory) SET m.importance = 0.25`);
    expect(await read()).toEqual({ ...odd, content: 'plain', importance: 0.25 });
  });
});

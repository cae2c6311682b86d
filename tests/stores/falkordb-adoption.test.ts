/**
 * Data that other programs write to a graph becomes part of the memory, and stays as they wrote it. Their changes and
 * deletions of Engraph's memories also take effect.
 */
import { describe, expect, test } from 'vitest';
import type { Memory } from '../../src/domain/memory.js';
import { memoriesByTag } from '../../src/engine/write.js';
import { RECORD_FIELDS } from '../../src/stores/falkordb/read-record.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { expectFrozen } from '../contracts/frozen.js';
import { AUTOMEM_MEMORIES, contentsOfGraph, lossesOf, writeAutomemGraph } from '../support/automem-graph.js';
import { describeFalkor } from '../support/falkordb-server.js';
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
  updated_at: "'2025-01-01T00:00:00.000Z'",
  last_accessed: "'2025-01-01T00:00:00.000Z'",
  t_valid: "'2025-01-01T00:00:00.000Z'",
  t_invalid: "'2025-01-01T00:00:00.000Z'",
  enriched: 'true',
  archived: 'false',
  archived_at: "'2025-01-01T00:00:00.000Z'",
  archived_reason: "'changed'",
  _embedded_by: "'changed'",
  _maybe_outdated_by: "'changed'",
  protected: 'true',
};

const NOTHING = { adoptedCount: 0, repairedCount: 0, malformedCount: 0, malformedSample: [] };

describeFalkor('data that other programs write to the graph', { isForgetful: true }, suite => {
  const opened = async () => {
    const { graph } = suite.settings();
    const store = suite.open({ graph });
    await store.ping();
    return { graph, store, cypher: (statement: string) => suite.server.query(graph, statement) };
  };
  const adopt = (store: GraphStore) => store.adopt?.({ isDryRun: false });
  const found = async (store: GraphStore, term: string) =>
    (await store.searchText({ terms: [term], filter: {}, limit: 50 })).hits.map(({ id }) => id);
  const tagged = async (store: GraphStore, tag: string) =>
    (await memoriesByTag(store, { keys: [tag], limit: 50, offset: 0 })).map(({ id }) => id);

  test('memories are adopted exactly once, by any number of processes', async () => {
    const { graph, store, cypher } = await opened();
    const many = 1_300;
    await cypher(`UNWIND range(1001, 1000 + ${many}) AS number
      CREATE (:Memory {id: '00000000-0000-4000-8000-00000000' + toString(number), content: 'a harbour ' + toString(number)})`);
    const before = await contentsOfGraph(suite.server, graph);
    expect(await store.adopt?.({ isDryRun: true })).toEqual({ ...NOTHING, adoptedCount: many });
    expect(await store.countMemories()).toBe(0);
    const stores = [store, ...Array.from({ length: 3 }, () => suite.open({ graph }))];
    const reports = await Promise.all(stores.map(adopt));
    expect(reports.reduce((sum, report) => sum + (report?.adoptedCount ?? 0), 0)).toBe(many);
    expect(reports.every(report => report?.malformedCount === 0)).toBe(true);
    expect(lossesOf(before, await contentsOfGraph(suite.server, graph))).toEqual([]);
    expect(await store.countMemories()).toBe(many);
    expect((await store.workCounts('embed')).pending).toBe(many);
    expect((await store.workCounts('enrich')).pending).toBe(many);
    expect(await adopt(store)).toEqual(NOTHING);
    expect((await store.readRecords({ limit: many + 1 })).map(({ memory: { id } }) => id)).toHaveLength(many);
  });

  test('a memory needs only an id and a content: the other fields get the usual defaults', async () => {
    const { store, cypher } = await opened();
    await cypher(`CREATE (:Memory {id: '${idOf(1)}', content: 'a lighthouse', tags: ['Sea:North']})`);
    const startMs = Date.now();
    await adopt(store);
    const [row] = (await cypher(
      `MATCH (m:Memory {id: '${idOf(1)}'}) RETURN m.importance AS importance, m.type AS type, m.confidence AS confidence,
       m.tag_prefixes AS tag_prefixes, m.timestamp AS timestamp, m.enriched AS enriched, m.metadata AS metadata`,
    )) as Record<string, unknown>[];
    expect(row).toMatchObject({
      importance: 0.5,
      type: 'Context',
      confidence: 0.3,
      tag_prefixes: ['sea', 'sea:north'],
    });
    expect(row).toMatchObject({ enriched: false, metadata: '{}' });
    expect(Math.abs(Date.parse(String(row?.timestamp)) - startMs)).toBeLessThan(60_000);
    expect(await found(store, 'lighthous')).toEqual([idOf(1)]);
    expect(await tagged(store, 'sea:north')).toEqual([idOf(1)]);
  });

  test('memories that AutoMem marked as protected are protected, whatever their metadata contains', async () => {
    const { store, cypher } = await opened();
    await cypher(`CREATE (:Memory {id: '${idOf(1)}', content: 'kept', protected: true, metadata: '{"a":1}'}),
      (:Memory {id: '${idOf(2)}', content: 'kept too', protected: true}),
      (:Memory {id: '${idOf(3)}', content: 'not marked', protected: false})`);
    await adopt(store);
    const memories = await store.getMemories([1, 2, 3].map(idOf));
    expect([1, 2, 3].map(number => memories.get(idOf(number))?.metadata)).toEqual([
      { a: 1, protected: true },
      { protected: true },
      {},
    ]);
  });

  test.each([
    ['one quoted list', { type: 'a", "b', model: 'm' }],
    ['a list in a list', { type: 'a", 0.1, 0, 0.9, 0, 0, 0, 0, 0, false, false, ["', model: 'x"], "' }],
    ['line breaks', { type: 'two\nlines', model: 'm' }],
  ])('a memory whose type contains %s is read as a memory of unknown type', async (_, { type, model }) => {
    const { store, cypher } = await opened();
    const fields = `importance: 0.75, timestamp: '2026-01-01T00:00:00.000Z', tags: ['a']`;
    await cypher(`CREATE (:Memory {id: '${idOf(1)}', content: 'odd', type: '${type}', _embedded_by: '${model}', ${fields}}),
      (:Memory {id: '${idOf(2)}', content: 'usual', type: 'Decision', ${fields}})`);
    const read = await store.getMemories([1, 2].map(idOf));
    const rest = { importance: 0.75, timestamp: '2026-01-01T00:00:00.000Z', tags: ['a'], archived: false };
    expect(read.get(idOf(1))).toMatchObject({ type: 'Context', confidence: 0.3, embedded_by: model, ...rest });
    expect(read.get(idOf(2))).toMatchObject({ type: 'Decision', ...rest });
  });

  test.each([
    ['updated_at', "localdatetime('2026-01-01T00:00:00')"],
    ['type', "duration('P1D')"],
    ['t_valid', 'vecf32([1.0, 2.0])'],
    ['content', '7'],
    ['tags', "'text'"],
    ['tags', '[7]'],
  ])('a memory whose %s is %s does not keep others from being read', async (field, value) => {
    const { store, cypher } = await opened();
    const records = [1, 2, 3].map(number => memory(number));
    await store.saveMemories(records.map(each => ({ memory: each, work: [] })));
    await cypher(`MATCH (m:Memory {id: '${idOf(2)}'}) SET m.${field} = ${value}`);
    const ids = [1, 2, 3].map(idOf);
    expect([...(await store.getMemories(ids)).keys()]).toEqual([idOf(1), idOf(3)]);
    expect(
      [...(await store.relationsWithEnds({ ids, limit: 5, isWithMemories: true })).memories.keys()].sort(),
    ).toEqual([idOf(1), idOf(3)].sort());
  });

  test('texts with one quote each do not change the values between them', async () => {
    const { store, cypher } = await opened();
    const type = 'Decision",1,null,1,null,null,null,null,null,true,true,null,';
    for (const [number, odd] of [
      [1, type],
      [2, type.replaceAll(',', ', ')],
    ] as const) {
      await cypher(
        `CREATE (:Memory {id: '${idOf(number)}', content: 'odd', type: '${odd}', importance: 0.5, protected: ',"'})`,
      );
    }
    const read = await store.getMemories([1, 2].map(idOf));
    for (const number of [1, 2]) {
      expectFrozen(read.get(idOf(number)) as Memory);
      expect(read.get(idOf(number))).toMatchObject({
        type: 'Context',
        importance: 0.5,
        archived: false,
        enriched: false,
      });
    }
  });

  test.each(RECORD_FIELDS.filter(field => !['id', '_exact_id'].includes(field)))(
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

  test('a memory can be read, changed, deleted and superseded by its id before the adoption', async () => {
    const { graph, store } = await opened();
    await writeAutomemGraph(suite.server, graph);
    expect((await store.getMemories([idOf(1)])).get(idOf(1))).toMatchObject({ type: 'Decision', importance: 0.9 });
    const changed = await store.updateMemory(idOf(1), current => ({
      memory: { ...current, importance: 0.1 },
      work: [],
    }));
    expect(changed?.importance).toBe(0.1);
    expect(await store.deleteMemories([idOf(2), idOf(77), idOf(50)])).toEqual([idOf(2)]);
    const superseded = await store.supersede({
      record: { memory: memory(90), work: [] },
      supersededId: idOf(3),
      change: current => ({ memory: { ...current, archived: true }, work: [] }),
      relation: relation(3, 'EVOLVED_INTO', 90),
    });
    expect(superseded).toBe('created');
    await expect(store.saveMemories([{ memory: memory(4, { content: 'other' }), work: [] }])).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await adopt(store)).toMatchObject({ adoptedCount: AUTOMEM_MEMORIES.length - 3, malformedCount: 0 });
  });

  test('patterns, runs and summaries stay unchanged, and are listed and linked', async () => {
    const { graph, store } = await opened();
    await writeAutomemGraph(suite.server, graph);
    await adopt(store);
    const [pattern] = await store.readNodes('Pattern', { limit: 5 });
    expect(pattern).toMatchObject({
      id: 'pattern-Insight-0a1b2c3d',
      properties: { confidence: 0.45, observations: 3 },
    });
    expect(pattern?.updated_at).toBe('2026-01-06T22:11:23.070Z');
    const kinds = ['MetaMemory', 'ConsolidationControl', 'ConsolidationRun'] as const;
    for (const kind of kinds) expect(await store.listNodes(kind, 5), kind).toHaveLength(1);
    const links = await store.linksOf([2, 3].map(idOf));
    expect(links.map(({ kind, nodeId, confidence }) => [kind, nodeId, confidence])).toEqual([
      ['Pattern', 'pattern-Insight-0a1b2c3d', 0.45],
      ['Pattern', 'pattern-Insight-0a1b2c3d', 0.45],
      ['MetaMemory', idOf(50), 0.5],
      ['MetaMemory', idOf(50), 0.5],
    ]);
    expect([...(await store.countRelations([idOf(50)])).values()]).toEqual([0]);
    expect(await store.countNodeLinks('Pattern', 'pattern-Insight-0a1b2c3d', { exceptId: idOf(2), max: 9 })).toBe(1);
  });

  describe('when they change a memory of Engraph', () => {
    const stored = async () => {
      const given = await opened();
      const one = { ...memory(1, { content: 'apples', tags: ['fruit'] }), embedded_by: 'm' };
      await given.store.saveMemories([{ memory: one, work: [] }]);
      return given;
    };

    test('reads show the change at once, and searches find it after the next adoption', async () => {
      const { store, cypher } = await stored();
      await cypher(`MATCH (m:Memory) SET m.importance = 0.9, m.tags = ['Wood:Oak'], m.my_note = 'kept'`);
      expect((await store.getMemories([idOf(1)])).get(idOf(1))).toMatchObject({ importance: 0.9, tags: ['Wood:Oak'] });
      expect(await tagged(store, 'wood:oak')).toEqual([]);
      expect(await tagged(store, 'fruit')).toEqual([]);
      expect(await store.adopt?.({ isDryRun: true })).toEqual({ ...NOTHING, repairedCount: 1 });
      expect(await adopt(store)).toEqual({ ...NOTHING, repairedCount: 1 });
      expect(await tagged(store, 'wood:oak')).toEqual([idOf(1)]);
      expect(await tagged(store, 'fruit')).toEqual([]);
      expect((await store.staleVectors(5)).map(({ id }) => id)).toEqual([idOf(1)]);
      expect((await store.workCounts('embed')).pending).toBe(0);
      expect(await cypher('MATCH (m:Memory) RETURN m.tag_prefixes AS prefixes, m.my_note AS note')).toEqual([
        { prefixes: ['wood', 'wood:oak'], note: 'kept' },
      ]);
      expect(await adopt(store)).toEqual(NOTHING);
    });

    test('new content is embedded and enriched', async () => {
      const { store, cypher } = await stored();
      await cypher(`MATCH (m:Memory) SET m.content = 'pears'`);
      await adopt(store);
      expect(await found(store, 'pear')).toEqual([idOf(1)]);
      expect(await found(store, 'appl')).toEqual([]);
      const [claim] = await store.claimWork({ kind: 'embed', limit: 5, nowMs: NOON, leaseMs: 1_000 });
      expect(claim?.memory).toMatchObject({ content: 'pears' });
      expect(claim?.memory.embedded_by).toBeUndefined();
      expect((await store.workCounts('enrich')).pending).toBe(1);
    });

    test('an update by Engraph before the adoption keeps their change and its own', async () => {
      const { store, cypher } = await stored();
      await cypher(`MATCH (m:Memory) SET m.tags = ['wood'], m.content = 'pears'`);
      await store.updateMemory(idOf(1), current => ({ memory: { ...current, importance: 0.2 }, work: [] }));
      expect((await store.getMemories([idOf(1)])).get(idOf(1))).toMatchObject({ tags: ['wood'], importance: 0.2 });
      expect(await tagged(store, 'wood')).toEqual([idOf(1)]);
      expect(await found(store, 'pear')).toEqual([idOf(1)]);
      expect((await store.workCounts('embed')).pending).toBe(1);
      expect(await adopt(store)).toEqual(NOTHING);
    });

    test('an unreadable memory does not count until it is repaired', async () => {
      const { store, cypher } = await stored();
      await store.requeue('embed', [idOf(1)]);
      await cypher(`MATCH (m:Memory) SET m.importance = 'high'`);
      expect((await store.getMemories([idOf(1)])).size).toBe(0);
      expect(await store.claimWork({ kind: 'embed', limit: 5, nowMs: NOON, leaseMs: 1_000 })).toEqual([]);
      const problem = 'its importance is not a number from 0 to 1';
      const malformed = { malformedCount: 1, malformedSample: [{ label: 'Memory', id: idOf(1), problem }] };
      expect(await adopt(store)).toEqual({ ...NOTHING, ...malformed, repairedCount: 1 });
      expect(await store.countMemories()).toBe(0);
      expect(await store.countMemories({ embeddedBy: 'any' })).toBe(0);
      expect(await store.workCounts('embed')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
      expect(await adopt(store)).toEqual({ ...NOTHING, ...malformed });
      await cypher(`MATCH (m:Memory) SET m.importance = 0.8`);
      expect(await adopt(store)).toEqual({ ...NOTHING, adoptedCount: 1 });
      expect(await tagged(store, 'fruit')).toEqual([idOf(1)]);
      expect(await store.countMemories()).toBe(1);
    });

    test.each([
      ['keeps the vector that came with its content', 'apples', 1],
      ['loses the vector that came with another content', 'pears', 0],
    ])('a memory that was unreadable for a while %s', async (_, content, suppliedCount) => {
      const { store, cypher } = await opened();
      const one = memory(1, { content: 'apples' });
      await store.saveMemories([{ memory: one, embedding: Float32Array.of(1, 2), work: ['embed'] }]);
      await cypher(`MATCH (m:Memory) SET m.importance = 'high', m.content = '${content}'`);
      await adopt(store);
      await cypher('MATCH (m:Memory) SET m.importance = 0.8');
      await adopt(store);
      const [record] = await store.readRecords({ limit: 1 });
      expect(record?.memory).toMatchObject({ content, importance: 0.8 });
      expect(record?.embedding ? 1 : 0).toBe(suppliedCount);
    });

    test('an edge to an unreadable memory with an id is still shown', async () => {
      const { store, cypher } = await opened();
      await store.saveMemories([1, 2].map(number => ({ memory: memory(number), work: [] })));
      await store.saveRelations([relation(1, 'LEADS_TO', 2)]);
      await cypher(`MATCH (m:Memory {id: '${idOf(1)}'})
        CREATE (m)-[:RELATES_TO {strength: 1.0}]->(:Memory {content: 'no id'}), (m)<-[:RELATES_TO]-(:Memory {id: 7}),
          (m)-[:RELATES_TO {strength: 0.9}]->(:Memory {id: '${idOf(3)}', content: date('2026-01-01'), tags: vecf32([1])})`);
      const { relations, ends } = await store.relationsWithEnds({ ids: [idOf(1)], limit: 9 });
      expect(relations.get(idOf(1))?.map(({ to }) => to)).toEqual([idOf(3), idOf(2)]);
      expect([...ends.keys()]).toEqual([idOf(2)]);
      const shown = await store.shownRelations({ ids: [idOf(1)], limit: 2 });
      expect(shown.relations).toEqual(relations);
      expect([...shown.ends.keys()]).toEqual([idOf(2)]);
    });

    test('a deleted memory is removed from the indexes, and its vector is marked as stale', async () => {
      const { store, cypher } = await stored();
      const history = { properties: { versions: 'a former text' }, updated_at: '2026-03-01T12:00:00.000Z' };
      await store.updateMemory(idOf(1), memory => ({ memory, work: [], history }));
      await cypher('MATCH (m:Memory) DELETE m');
      expect(await adopt(store)).toEqual({ ...NOTHING, repairedCount: 1 });
      expect(await store.countMemories()).toBe(0);
      expect(await found(store, 'appl')).toEqual([]);
      expect(await store.countNodes('MemoryHistory')).toBe(0);
      expect((await store.staleVectors(5)).map(({ id }) => id)).toEqual([idOf(1)]);
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

    test('a memory whose index was deleted is indexed again', async () => {
      const { store, cypher } = await stored();
      await cypher('MATCH (i:_MemoryIndex) DELETE i');
      expect(await adopt(store)).toEqual({ ...NOTHING, repairedCount: 1 });
      expect(await found(store, 'appl')).toEqual([idOf(1)]);
    });

    test('a memory whose index was deleted can be deleted before it is indexed again', async () => {
      const { store, cypher } = await stored();
      await cypher('MATCH (i:_MemoryIndex) DELETE i');
      expect(await store.deleteMemories([idOf(1)])).toEqual([idOf(1)]);
      expect((await store.getMemories([idOf(1)])).size).toBe(0);
      expect((await store.staleVectors(5)).map(({ id }) => id)).toEqual([idOf(1)]);
    });

    test('a memory with a second node of the same id is read unchanged', async () => {
      const { store, cypher } = await stored();
      await cypher(`CREATE (:Memory {id: '${idOf(1)}', content: 'pears'})`);
      expect((await store.getMemories([idOf(1)])).get(idOf(1))).toMatchObject({ content: 'apples' });
      expect(await adopt(store)).toMatchObject({ adoptedCount: 0, repairedCount: 0, malformedCount: 1 });
      expect((await store.getMemories([idOf(1)])).get(idOf(1))).toMatchObject({ content: 'apples' });
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
    await adopt(store);
    expect(await read()).toEqual({ ...odd, content: 'plain', importance: 0.25 });
  });
});

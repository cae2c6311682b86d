/** Engraph opened on a graph of AutoMem serves all its memories and loses no data. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { AUTOMEM_EDGES, contentsOfGraph, lossesOf, writeAutomemGraph } from '../support/automem-graph.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { idOf } from '../support/records.js';
import { openTestEngine } from '../support/test-engine.js';
import { type Call, createTestApp, recordingLog, send } from './test-app.js';

const ADMIN = 'operator';
const AS_ADMIN = { 'x-admin-token': ADMIN };
/** This property changes when a recall returns a memory, because that counts as an access. */
const ACCESS = ['last_accessed'];
const BY_ENRICHMENT = ['enriched', 'metadata', 'type', 'confidence', 'tags', 'tag_prefixes'];

describeFalkor('a graph that AutoMem filled', { isForgetful: true }, suite => {
  const opened = async () => {
    const { graph, url } = suite.settings();
    await writeAutomemGraph(suite.server, graph);
    const before = await contentsOfGraph(suite.server, graph);
    const { engine, close } = await openTestEngine({ FALKORDB_URL: url, FALKORDB_GRAPH: graph });
    onTestFinished(close);
    const { log, entries } = recordingLog();
    const app = createTestApp({ engine, log, settings: { adminToken: ADMIN } });
    await engine.idle();
    return { graph, before, engine, logged: entries, call: (route: string, call?: Call) => send(app, route, call) };
  };

  test('is counted without its cluster summaries', async () => {
    const { call } = await opened();
    expect((await call('GET /health')).body).toMatchObject({ memory_count: 6, vector_count: 6 });
  });

  test('loses no data when it is opened, embedded, enriched, recalled and read', async () => {
    const { graph, before, engine, call } = await opened();
    await call('GET /recall?query=lighthouse&expand_relations=true');
    await call(`GET /memory/${idOf(1)}`);
    await engine.idle();
    const after = await contentsOfGraph(suite.server, graph);
    const [enriched, others] = [new Map(before.nodes), new Map(before.nodes)];
    for (const [number, { properties }] of before.nodes) {
      (properties.id === idOf(5) ? others : enriched).delete(number);
    }
    expect(lossesOf({ nodes: others, edges: before.edges }, after, ACCESS)).toEqual([]);
    // Memories that AutoMem had not enriched are enriched now, which changes their properties of enrichment.
    expect(lossesOf({ nodes: enriched, edges: new Map() }, after, [...ACCESS, ...BY_ENRICHMENT])).toEqual([]);
    const { body } = await call(`GET /memory/${idOf(5)}`);
    expect(body).toMatchObject({ enriched: true, metadata: { enriched_at: expect.any(String) } });
  });

  test('returns memories with normalised times and edges of every type', async () => {
    const { call } = await opened();
    const { status, body } = await call(`GET /memory/${idOf(1)}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      content: 'AutoMem note 1: the lighthouse uses PostgreSQL',
      type: 'Decision',
      importance: 0.9,
      confidence: 0.8,
      tags: ['project:lighthouse', 'db', 'entity:tools:postgresql'],
      metadata: { source: 'chat', entities: { tools: ['PostgreSQL'] } },
      timestamp: '2026-01-01T22:11:23.070Z',
      t_valid: '2026-01-01T22:11:23.070Z',
      summary: 'AutoMem note 1',
      relevance_score: 0.4321,
    });
    expect((await call(`GET /memory/${idOf(4)}`)).body).toMatchObject({
      archived: true,
      archived_at: '2026-01-09T22:11:23.070Z',
    });
    const seen = new Map<string, Record<string, unknown>>();
    const path = `GET /recall?query=lighthouse&state_mode=history&limit=9&relation_limit=50`;
    for (const { relations } of (await call(path)).body.results) {
      for (const relation of relations) seen.set(`${relation.type} ${relation.kind ?? ''}`.trim(), relation);
    }
    const types = AUTOMEM_EDGES.map(([, type]) => type).filter(
      type => !/EXPLAINS|SHARES|PARALLEL|DISCOVERED/.test(type),
    );
    for (const type of types) expect([...seen.keys()]).toContain(type);
    for (const kind of ['explains', 'shares_theme', 'parallel_context'])
      expect(seen.get(`DISCOVERED ${kind}`)).toBeDefined();
    expect(seen.get('PREFERS_OVER')).toMatchObject({ strength: 0.9, context: 'storage', reason: 'it is simple' });
    expect(seen.get('EXEMPLIFIES')).toMatchObject({ strength: 0.7, pattern_type: 'habit', confidence: 0.66 });
    expect(seen.get('SIMILAR_TO')).toMatchObject({ strength: 0.91, score: 0.91 });
  });

  test('returns its memories by words, by vector, by tag, by time, and without a query', async () => {
    const { call } = await opened();
    const ids = async (query: string) =>
      (await call(`GET /recall?${query}`)).body.results.map(({ id }: { id: string }) => id).sort();
    expect(await ids('query=lighthouse%20postgresql&state_mode=history&limit=9')).toEqual([1, 2, 3, 4, 6].map(idOf));
    expect(await ids('query=note&tags=project&state_mode=history&limit=9')).toEqual([1, 2, 3, 4, 6].map(idOf));
    expect(await ids('start=2026-01-05T00:00:00Z&end=2026-01-05T23:00:00Z&state_mode=history')).toEqual([idOf(5)]);
    const byVector = await call('GET /recall?query=lighthouse&explain=true');
    expect(byVector.body.results[0].explanation.found_by).toContain('vector');
    expect((await ids('limit=9')).length).toBeGreaterThan(0);
    const byTag = (await call('GET /memory/by-tag?tags=DB')).body;
    expect(byTag.memories.map(({ id }: { id: string }) => id)).toEqual([1, 6, 4, 3, 2].map(idOf));
    const related = (await call(`GET /memories/${idOf(1)}/related`)).body;
    expect(related.related_memories.map(({ id }: { id: string }) => id)).toContain(idOf(2));
  });

  test('keeps unknown properties when a memory is updated, and loses only deleted memories', async () => {
    const { graph, before, engine, call } = await opened();
    const patched = { importance: 1, tags: ['moved'], metadata: { source: null, added: 1 } };
    expect((await call(`PATCH /memory/${idOf(1)}`, { json: patched })).status).toBe(200);
    expect((await call(`DELETE /memory/${idOf(6)}`)).status).toBe(200);
    expect((await call(`GET /memory/${idOf(6)}`)).status).toBe(404);
    await engine.idle();
    const after = await contentsOfGraph(suite.server, graph);
    const [one] = [...after.nodes.values()].filter(({ properties }) => properties.id === idOf(1) && properties.content);
    expect(one?.properties).toMatchObject({
      importance: 1,
      tags: ['moved', 'entity:tools:postgresql'],
      tag_prefixes: ['moved', 'entity', 'entity:tools', 'entity:tools:postgresql'],
      protected: true,
      processed: true,
      enriched_at: '2026-01-01T22:11:23.070994+00:00',
      timestamp: '2026-01-01T22:11:23.070994+00:00',
    });
    expect(JSON.parse(String(one?.properties.metadata))).toEqual({
      added: 1,
      entities: { tools: ['PostgreSQL'] },
      // Engraph copies AutoMem's property `protected` into the metadata, and keeps the property too.
      protected: true,
      enrichment: { forced: false },
    });
    const lost = lossesOf(before, after, [...ACCESS, ...BY_ENRICHMENT, 'importance', 'updated_at']);
    expect(lost.filter(loss => (loss as { kind: string }).kind === 'nodes')).toMatchObject([{ id: idOf(6) }]);
    expect((await call('GET /health')).body).toMatchObject({ memory_count: 5 });
  });

  test('does not treat a cluster summary as a memory', async () => {
    const { call } = await opened();
    expect((await call(`GET /memory/${idOf(50)}`)).status).toBe(404);
    expect((await call(`PATCH /memory/${idOf(50)}`, { json: { importance: 1 } })).status).toBe(404);
    expect((await call(`DELETE /memory/${idOf(50)}`)).status).toBe(404);
    expect((await call('POST /memory', { json: { id: idOf(50), content: 'mine' } })).status).toBe(409);
  });

  test('reports memories that other programs wrote later, and adopts them on request', async () => {
    const { graph, call, engine } = await opened();
    await suite.server.query(graph, `CREATE (:Memory {id: '${idOf(60)}', content: 'a tide table'})`);
    await suite.server.query(graph, `MATCH (m:Memory {id: '${idOf(2)}'}) SET m.tags = ['tide']`);
    const sync = async (json: object) => (await call('POST /admin/sync', { json, headers: AS_ADMIN })).body;
    const told = { adopted_count: 1, repaired_count: 1 };
    expect(await sync({ dry_run: true })).toMatchObject({ status: 'dry_run', ...told });
    expect(await sync({})).toMatchObject(told);
    await engine.idle();
    expect((await call('GET /memory/by-tag?tags=tide')).body.memories).toMatchObject([{ id: idOf(2) }]);
    expect((await call('GET /recall?query=tide%20table')).body.results[0]).toMatchObject({ id: idOf(60) });
    expect(await sync({})).not.toHaveProperty('adopted_count');
  });

  describe('a graph of AutoMem with unreadable nodes', () => {
    const MALFORMED: readonly [problem: string, node: string][] = [
      ['its content is missing, empty or not a text', `:Memory {id: '${idOf(101)}'}`],
      ['its id is missing or not a text', ":Memory {content: 'without an id'}"],
      ['its content is missing, empty or not a text', `:Memory {id: '${idOf(108)}', content: ''}`],
      ['its id is not a UUID in lower case', ":Memory {id: 'mine', content: 'x'}"],
      ['its importance is not a number from 0 to 1', `:Memory {id: '${idOf(103)}', content: 'x', importance: 'high'}`],
      ['its confidence is not a number from 0 to 1', `:Memory {id: '${idOf(104)}', content: 'x', confidence: 7}`],
      ['its tags are not a list of texts', `:Memory {id: '${idOf(105)}', content: 'x', tags: 'a,b'}`],
      ['its metadata is not the JSON text of an object', `:Memory {id: '${idOf(106)}', content: 'x', metadata: '[1'}`],
      ['its timestamp is not a time in ISO 8601', `:Memory {id: '${idOf(107)}', content: 'x', timestamp: 'yesterday'}`],
      ['another memory has the same id', `:Memory {id: '${idOf(1)}', content: 'a second of this id'}`],
    ];

    test('reports the unreadable nodes, leaves them unchanged, and serves all other nodes', async () => {
      const { graph, call, engine, logged } = await opened();
      for (const [, node] of MALFORMED) await suite.server.query(graph, `CREATE (${node})`);
      await suite.server.query(graph, "CREATE (:Pattern {content: 'without an id'})");
      const before = await contentsOfGraph(suite.server, graph);
      for (const json of [{ dry_run: true }, {}]) {
        const { status, body } = await call('POST /admin/sync', { json, headers: AS_ADMIN });
        expect(status, logged.map(({ details }) => (details as Error)?.stack).join()).toBe(200);
        expect(body).toMatchObject({ falkordb_count: 6, malformed_count: 11 });
        expect(body.malformed_sample.map(({ problem }: { problem: string }) => problem).sort()).toEqual(
          MALFORMED.map(([problem]) => problem).sort(),
        );
      }
      await engine.idle();
      expect(lossesOf(before, await contentsOfGraph(suite.server, graph), ACCESS)).toEqual([]);
      for (const number of [101, 103, 105, 106, 107]) {
        expect((await call(`GET /memory/${idOf(number)}`)).status).toBe(404);
        expect((await call(`PATCH /memory/${idOf(number)}`, { json: { importance: 1 } })).status).toBe(404);
        expect((await call(`DELETE /memory/${idOf(number)}`)).status).toBe(404);
        expect((await call('POST /memory', { json: { id: idOf(number), content: 'y' } })).status).toBe(409);
      }
      expect((await call('GET /recall?query=lighthouse')).status).toBe(200);
      expect((await call('GET /health')).body).toMatchObject({ memory_count: 6 });
    });
  });
});

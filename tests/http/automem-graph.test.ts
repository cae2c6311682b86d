/** Engraph opened on a graph that AutoMem filled leaves its data alone, counts them, and can import them. */
import { expect, onTestFinished, test } from 'vitest';
import { importRecords, linesOfSource } from '../../src/transfer/import-records.js';
import { automemGraph } from '../../src/transfer/sources/automem-graph.js';
import {
  AUTOMEM_EDGES,
  AUTOMEM_MEMORIES,
  contentsOfGraph,
  lossesOf,
  writeAutomemGraph,
} from '../support/automem-graph.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { idOf, NOON } from '../support/records.js';
import { openTestEngine } from '../support/test-engine.js';
import { clientOf } from '../transfer/filled.js';
import { type Call, createTestApp, send } from './test-app.js';

const ADMIN = 'operator';
const AS_ADMIN = { 'x-admin-token': ADMIN };

describeFalkor('a graph that AutoMem filled', { isForgetful: true }, suite => {
  const opened = async () => {
    const { graph, url } = suite.settings();
    await writeAutomemGraph(suite.server, graph);
    const before = await contentsOfGraph(suite.server, graph);
    const opened = await openTestEngine({ FALKORDB_URL: url, FALKORDB_GRAPH: graph });
    onTestFinished(opened.close);
    const { engine } = opened;
    const app = createTestApp({ engine, log: opened.log, settings: { adminToken: ADMIN } });
    await engine.idle();
    const importGraph = () =>
      importRecords(() => linesOfSource(automemGraph({ url, graph }, NOON), engine.limits), {
        client: clientOf(opened),
        isDryRun: false,
        readsTypes: true,
        skipsInvalid: false,
        onProgress: () => {},
      });
    return { graph, before, engine, importGraph, call: (route: string, call?: Call) => send(app, route, call) };
  };

  test('is left alone, and its memories are counted, but not served', async () => {
    const { graph, before, engine, call } = await opened();
    expect((await call('GET /health')).body).toMatchObject({ memory_count: 0, vector_count: 0 });
    for (const json of [{ dry_run: true }, {}]) {
      const { body } = await call('POST /admin/sync', { json, headers: AS_ADMIN });
      expect(body).toMatchObject({ falkordb_count: 0, foreign_count: AUTOMEM_MEMORIES.length + 1 });
    }
    expect((await call('GET /recall?query=lighthouse')).body.results).toEqual([]);
    expect((await call(`GET /memory/${idOf(1)}`)).status).toBe(404);
    expect((await call(`PATCH /memory/${idOf(1)}`, { json: { importance: 1 } })).status).toBe(404);
    expect((await call(`DELETE /memory/${idOf(1)}`)).status).toBe(404);
    const json = { id: idOf(2), content: 'ours, about the lighthouse', tags: ['db'] };
    expect((await call('POST /memory', { json })).status).toBe(201);
    await call('POST /consolidate', { json: { task: 'decay', dry_run: false }, headers: AS_ADMIN });
    await engine.idle();
    expect((await call('GET /recall?query=lighthouse')).body.results).toMatchObject([{ id: idOf(2) }]);
    expect((await call('GET /health')).body).toMatchObject({ memory_count: 1 });
    expect(lossesOf(before, await contentsOfGraph(suite.server, graph))).toEqual([]);
  });

  test('is imported into the same graph with its ids, times, tags, validity and edges of callers', async () => {
    const { graph, before, engine, importGraph, call } = await opened();
    const imported = await importGraph();
    expect([imported.memories.created, imported.missing]).toEqual([AUTOMEM_MEMORIES.length, 0]);
    await engine.idle();
    expect((await importGraph()).memories).toMatchObject({ created: 0, updated: 0 });
    const { body } = await call(`GET /memory/${idOf(1)}`);
    expect(body).toMatchObject({
      content: 'AutoMem note 1: the lighthouse uses PostgreSQL',
      type: 'Decision',
      importance: 0.9,
      confidence: 0.8,
      tags: expect.arrayContaining(['project:lighthouse', 'db', 'entity:tools:postgresql']),
      metadata: { source: 'chat', protected: true },
      timestamp: '2026-01-01T22:11:23.070Z',
      t_valid: '2026-01-01T22:11:23.070Z',
    });
    expect((await call(`GET /memory/${idOf(4)}`)).body).toMatchObject({ archived: true });
    expect((await call(`GET /memory/${idOf(50)}`)).status).toBe(404);
    const seen = new Map<string, Record<string, unknown>>();
    const path = 'GET /recall?query=lighthouse&state_mode=history&limit=9&relation_limit=50';
    for (const { relations } of (await call(path)).body.results)
      for (const relation of relations) seen.set(relation.type, relation);
    const madeByEngraph = ['EXPLAINS', 'SHARES_THEME', 'PARALLEL_CONTEXT', 'DISCOVERED', 'SIMILAR_TO', 'PRECEDED_BY'];
    const authored = AUTOMEM_EDGES.map(([, type]) => type).filter(type => !madeByEngraph.includes(type));
    for (const type of authored) expect([...seen.keys()]).toContain(type);
    expect(seen.get('PREFERS_OVER')).toMatchObject({ strength: 0.9 });
    expect(lossesOf(before, await contentsOfGraph(suite.server, graph))).toEqual([]);
  });

  test('returns its imported memories by words, by vector, by tag, by time, and without a query', async () => {
    const { engine, importGraph, call } = await opened();
    await importGraph();
    await engine.idle();
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
});

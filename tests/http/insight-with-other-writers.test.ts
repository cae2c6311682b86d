/** Analysis and startup recall of a graph that other programs write to, also while its server cannot be reached. */
import { expect, onTestFinished, test } from 'vitest';
import { writeAutomemGraph } from '../support/automem-graph.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { idOf } from '../support/records.js';
import { openTestEngine } from '../support/test-engine.js';
import { type Call, createTestApp, recordingLog, send } from './test-app.js';

describeFalkor('a graph in FalkorDB', { isForgetful: true }, suite => {
  const opened = async (prepare: (graph: string) => Promise<unknown> = async () => {}) => {
    const { graph, url } = suite.settings();
    await prepare(graph);
    const { engine, close } = await openTestEngine({ FALKORDB_URL: url, FALKORDB_GRAPH: graph });
    onTestFinished(close);
    const { log, entries } = recordingLog();
    const app = createTestApp({ engine, log });
    await engine.idle();
    return { graph, logged: entries, call: (route: string, call?: Call) => send(app, route, call) };
  };

  test('is analysed without the nodes of AutoMem', async () => {
    const { call } = await opened(graph => writeAutomemGraph(suite.server, graph));
    const { status, body } = await call('GET /analyze');
    expect([status, body.analytics]).toMatchObject([
      200,
      { memory_types: {}, patterns: [], preferences: [], temporal_insights: {}, entity_frequency: {} },
    ]);
  });

  test('is analysed as before when another program writes nodes that are not valid memories', async () => {
    const { graph, call, logged } = await opened();
    const tags = ['lesson', 'system'];
    const json = [1, 2, 3].map(number => ({ id: idOf(number), content: `note ${number}`, tags, type: 'Style' }));
    await call('POST /memory/batch', { json });
    const edge = { memory1_id: idOf(1), memory2_id: idOf(2), type: 'PREFERS_OVER', strength: 0.5 };
    await call('POST /associate', { json: edge });
    const both = async () => [(await call('GET /analyze')).body, (await call('GET /startup-recall')).body];
    const before = await both();
    for (const statement of [
      `CREATE (:Memory {id: 7, content: 'x', type: 'Style'}), (:Memory {id: '${idOf(8)}', content: ['x']}), (:Memory)`,
      `CREATE (:Memory {id: '${idOf(9)}', content: 'x', confidence: 'high', tags: 'lesson', metadata: '{', importance: []})`,
      `CREATE (:Pattern {id: 'p', confidence: 'high'}), (:Pattern {confidence: 0.9}), (:Pattern {id: 'q', confidence: [1]})`,
      `MATCH (a:Memory {id: '${idOf(2)}'}) MATCH (b:Memory {id: '${idOf(3)}'}) CREATE (a)-[:PREFERS_OVER {strength: 'x'}]->(b)`,
      `MATCH (a:Memory {id: '${idOf(1)}'}) MATCH (b:Memory {id: 7}) CREATE (a)-[:PREFERS_OVER {strength: 1.0}]->(b)`,
      `MATCH (a:Memory {id: '${idOf(1)}'}) CREATE (a)-[:PREFERS_OVER {strength: 1.0, context: [1]}]->(:Preference)`,
    ]) {
      await suite.server.query(graph, statement);
      expect(await both()).toEqual(before);
    }
    await suite.server.query(graph, `MATCH (m:Memory {id: '${idOf(3)}'}) SET m.confidence = 'high', m.tags = 7`);
    const [{ analytics }, startup] = await both();
    expect(analytics.memory_types).toEqual({ Style: { count: 2, average_confidence: 0.9 } });
    expect(analytics.confidence_distribution).toEqual({ low: 0, medium: 0, high: 2 });
    expect(startup.lesson_count).toBe(2);
    expect(logged).toEqual([]);
  });

  test('gives a 503 for GET /analyze and GET /startup-recall while its server is down', async () => {
    const { call } = await opened();
    await suite.server.kill();
    onTestFinished(() => suite.server.restart());
    for (const route of ['GET /analyze', 'GET /startup-recall']) {
      const { status, body } = await call(route);
      expect([route, status, body.status]).toEqual([route, 503, 'error']);
    }
  });
});

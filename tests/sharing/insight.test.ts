/** GET /analyze and GET /startup-recall in the process that has the memory open, and in other processes. */
import { expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../src/index.js';
import { addressOf } from './relay-app.js';
import { answerOf, configOf, join, log, send, testFolder } from './test-memory.js';

const READ_ONLY = { ENGRAPH_READ_ONLY: 'true' };

test('analyze and startup-recall answer the same in every process, also in read-only processes', async () => {
  const ENGRAPH_DATA_DIR = testFolder();
  const owner = join(configOf({ ENGRAPH_DATA_DIR }));
  await send(owner, 'POST /memory', { content: 'Herons nest early', tags: ['lesson', 'system'], type: 'Insight' });
  await send(owner, 'GET /health');
  const url = await addressOf({ fetch: async request => answerOf(owner, request) });
  const processes = [
    owner,
    join(configOf({ ENGRAPH_DATA_DIR })),
    join(configOf({ ENGRAPH_DATA_DIR, ...READ_ONLY })),
    join(configOf({ ENGRAPH_URL: url })),
    join(configOf({ ENGRAPH_URL: url, ...READ_ONLY })),
  ];
  for (const memory of processes) {
    const analysis = await send(memory, 'GET /analyze');
    expect([analysis.status, analysis.body.analytics.memory_types]).toEqual([
      200,
      { Insight: { count: 1, average_confidence: 0.9 } },
    ]);
    const startup = await send(memory, 'GET /startup-recall');
    const summary = 'Recalled 1 lesson(s) and 1 system rule(s)';
    expect(startup).toMatchObject({ status: 200, body: { lesson_count: 1, summary } });
  }
  for (const memory of processes.reverse()) await memory.close();
  const engine = await openEngine(configOf({ ENGRAPH_DATA_DIR, ...READ_ONLY }), { log });
  onTestFinished(() => engine.close());
  expect((await engine.analyze()).types).toEqual([{ type: 'Insight', count: 1, averageConfidence: 0.9 }]);
  expect((await engine.startupRecall()).lessons).toHaveLength(1);
});

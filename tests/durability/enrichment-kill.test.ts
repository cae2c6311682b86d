/** Enrichment that is killed while it runs continues afterwards. Uses the compiled binary. */
import { expect, test } from 'vitest';
import type { HealthAnswer } from '../../src/api/health.js';
import type { WorkStatusAnswer } from '../../src/api/maintenance.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { openForTest } from '../engine/open-engine.js';
import { startModelServer } from '../support/model-server.js';

const COUNT = 500;
const DONE_BEFORE_KILL = 100;
const SETTINGS = { VECTOR_SIZE: '64' };

/**
 * Every tenth memory has the same theme. This creates patterns and chains of PRECEDED_BY edges, which a repeated
 * enrichment could duplicate.
 */
const BATCH = Array.from({ length: COUNT }, (_, index) => ({
  content: `Anna always notes run number ${index} in her diary. Second sentence ${index}.`,
  type: 'Habit',
  tags: [`theme:${index % 10}`],
  timestamp: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
}));

async function call<Answer>(url: string, path: string, method = 'GET', json?: unknown): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(json !== undefined && { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } }),
  });
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
  return (await response.json()) as Answer;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 10));
}

const status = (url: string) => call<WorkStatusAnswer>(url, '/enrichment/status');

test('after a kill, every memory is enriched exactly once, and changes made before the kill are kept', {
  timeout: 40_000,
}, async () => {
  const folder = await temporaryFolder();
  const first = await spawnServe(folder, SETTINGS);
  const stored = await call<{ memory_ids: string[]; qdrant: string }>(first.url, '/memory/batch', 'POST', BATCH);
  expect([stored.memory_ids.length, stored.qdrant]).toEqual([COUNT, 'ok']);
  await until(async () => (await status(first.url)).stats.successes >= DONE_BEFORE_KILL);
  // At this point, some of the memories to be patched are enriched, some wait, and some are being enriched.
  const patched = stored.memory_ids.filter((_, index) => index % 25 === 0);
  for (const id of patched)
    await call(first.url, `/memory/${id}`, 'PATCH', { importance: 0.99, metadata: { mine: id } });
  const before = await status(first.url);
  expect(before.pending).toBeGreaterThan(0);
  first.child.kill('SIGKILL');
  await first.ended;

  const second = await spawnServe(folder, SETTINGS);
  await until(async () => {
    const { embedding, enrichment } = await call<HealthAnswer>(second.url, '/health');
    return embedding.pending + enrichment.queue_depth === 0;
  });
  const after = await status(second.url);
  expect(after.stats).toMatchObject({ failures: 0, failed: 0 });
  expect(after.stats.successes).toBeLessThanOrEqual(COUNT - before.stats.successes);
  second.child.kill('SIGTERM');
  await second.ended;

  const graph = openSqliteStore(folder);
  const memories = await graph.getMemories(stored.memory_ids);
  const relations = await graph.relationsOf({ ids: stored.memory_ids, limit: 100, isOutgoingOnly: true });
  for (const [index, id] of stored.memory_ids.entries()) {
    const memory = memories.get(id);
    expect(memory).toMatchObject({ enriched: true, summary: expect.stringContaining(`run number ${index} `) });
    expect(memory?.tags.filter(tag => tag.startsWith('theme'))).toEqual([`theme:${index % 10}`]);
    const preceding = relations.get(id)?.filter(({ type }) => type === 'PRECEDED_BY') ?? [];
    expect(preceding.length, `${index}`).toBe(new Set(preceding.map(({ to }) => to)).size);
    expect(preceding.length).toBeLessThanOrEqual(3);
    if (index >= 30) expect(preceding.length, `${index}`).toBe(3);
    if (patched.includes(id)) expect(memory).toMatchObject({ importance: 0.99, metadata: { mine: id } });
  }
  for (const pattern of await graph.listNodes('Pattern', 100)) {
    if (!String(pattern.properties.theme).startsWith('theme')) continue;
    expect(await graph.countNodeLinks('Pattern', pattern.id, { exceptId: '', max: COUNT })).toBe(COUNT / 10);
    expect(pattern.properties.observations).toBe(COUNT / 10);
  }
  await graph.close();
});

test('a batch request is answered before any of its memories is embedded', async () => {
  const server = await startModelServer();
  server.on('/v1/embeddings', 'hang');
  const { storeMany, engine } = await openForTest({
    EMBEDDING_PROVIDER: 'openai',
    OPENAI_BASE_URL: `${server.url}/v1`,
    EMBEDDING_MODEL: 'm',
    LLM_PROVIDER: 'none',
  });
  const stored = await storeMany(BATCH);
  expect([stored.memories.length, stored.vectors]).toEqual([COUNT, 'queued']);
  expect((await engine.health()).embedding).toMatchObject({ embeddedCount: 0, backlog: { pending: COUNT } });
});

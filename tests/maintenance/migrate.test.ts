/** Migrates a memory to other stores and back. */
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { readRecall } from '../../src/api/recall-request.js';
import { readAssociation } from '../../src/api/relations.js';
import { type Config, loadConfig } from '../../src/config.js';
import { systemClock } from '../../src/engine/clock.js';
import { migrate } from '../../src/engine/migrate.js';
import { openEngine } from '../../src/engine/open.js';
import { openStores } from '../../src/engine/open-stores.js';
import { createLogger } from '../../src/log.js';
import { verify } from '../../src/maintenance/migrate.js';
import { NODE_KINDS } from '../../src/stores/ports/node-store.js';
import { openSqlitePair } from '../../src/stores/sqlite/store.js';
import { axis, openForTest } from '../engine/open-engine.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { createManualClock } from '../support/manual-clock.js';
import { startedQdrant } from '../support/qdrant-store.js';
import { idOf, memory as recordOf } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openGraphOf } from '../support/test-engine.js';
import { vectorPayload } from '../support/vector-payloads.js';

const log = createLogger('silent');

function configOf(env: Record<string, string>): Config {
  return loadConfig({ VECTOR_SIZE: '64', EMBEDDING_PROVIDER: 'hash', LLM_PROVIDER: 'none', ...env });
}

function anotherFolder(): Config {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return configOf({ ENGRAPH_DATA_DIR: folder.path });
}

const storesOf = (config: Config) => ({ config, log, clock: systemClock });

const move = (from: Config, to: Config) => migrate({ from, to, log, onProgress: () => {} });

/** Creates a memory with data of every kind, closes it, and returns its settings and some of its ids. */
async function filledMemory() {
  const test = await openForTest();
  const contents = Array.from({ length: 250 }, (_, index) => ({
    content: `note ${index}`,
    tags: [`part:${index % 7}`],
  }));
  await test.storeMany(contents);
  const { memories } = await test.storeMany([{ content: 'Anna uses Redis' }, { content: 'Ben left' }]);
  const [from = '', to = ''] = memories.map(({ id }) => id);
  const supplied = await test.add({ content: 'own', embedding: axis(9), metadata: { 'odd " key': [1, null, 'ü'] } });
  await test.engine.reembed({ batchSize: 100, force: true });
  await test.engine.associate(
    readAssociation({ memory1_id: from, memory2_id: to, type: 'LEADS_TO', strength: 0.7, reason: 'so' }),
  );
  await test.engine.close();
  const graph = openGraphOf(test.config);
  const waiting = idOf(1);
  await graph.saveMemories([{ memory: recordOf(1), work: ['embed', 'enrich'] }]);
  const updated_at = '2026-01-01T00:00:00.000Z';
  const archived = { archived: true, archived_at: updated_at, archived_reason: 'old', relevance_score: 0.1 } as const;
  await graph.updateMemory(to, current => ({ memory: { ...current, ...archived }, work: [] }));
  await graph.saveNode({ kind: 'Pattern', id: 'p', properties: { observations: 3 }, updated_at });
  await graph.linkNode({ memoryId: from, kind: 'Pattern', nodeId: 'p', confidence: 0.25, updated_at });
  for (const kind of NODE_KINDS) await graph.saveNode({ kind, id: 'n', properties: { list: [{ kind }] }, updated_at });
  const properties = { list: [{ kind: 'MetaMemory' }] };
  await graph.saveNode({ kind: 'MetaMemory', id: 'n', properties, updated_at }, [from]);
  await graph.takeLease({ name: 'maintenance', holder: 'somebody', nowMs: 0, untilMs: 1 });
  await graph.close();
  return { test, config: test.config, from, to, supplied, waiting, count: 254 };
}

async function expectAllOf(
  { from, supplied, waiting, count }: Awaited<ReturnType<typeof filledMemory>>,
  config: Config,
) {
  const graph = openGraphOf(config);
  expect((await graph.linksOf([from])).sort((a, b) => a.confidence - b.confidence)).toMatchObject([
    { kind: 'Pattern', nodeId: 'p', confidence: 0.25 },
    { kind: 'MetaMemory', nodeId: 'n', confidence: 1 },
  ]);
  for (const kind of NODE_KINDS) {
    expect((await graph.getNode(kind, 'n'))?.properties, kind).toEqual({ list: [{ kind }] });
  }
  expect((await graph.readRecords({ limit: 1000 })).filter(({ work }) => work.includes('embed'))).toHaveLength(1);
  await graph.close();
  const engine = await openEngine(config, { log });
  try {
    expect(await engine.health()).toMatchObject({ graph: { memoryCount: count }, consistency: 'inSync' });
    expect((await engine.get(from)).relations).toContainEqual(
      expect.objectContaining({ type: 'LEADS_TO', strength: 0.7 }),
    );
    expect((await engine.get(supplied)).memory.metadata).toEqual({ 'odd " key': [1, null, 'ü'] });
    // Retries until the comparison at startup has released the lease.
    const reembed = () => engine.reembed({ batchSize: 100, force: false }).then(({ failedIds }) => failedIds, String);
    await expect.poll(reembed).toEqual([]);
    expect((await engine.get(waiting)).memory.embedded_by).toBe('hash-v3-64');
    const nearest = await engine.recall(readRecall({ embedding: axis(9), limit: 1 }, engine.limits));
    expect(nearest.results[0]?.memory.id).toBe(supplied);
  } finally {
    await engine.close();
  }
}

test('a migration copies everything to another folder, and the source keeps everything', async () => {
  const memory = await filledMemory();
  const target = anotherFolder();
  const { copied, verification } = await move(memory.config, target);
  expect(copied).toMatchObject({ memories: memory.count, nodes: 1 + NODE_KINDS.length, kept: [] });
  expect(verification).toMatchObject({
    memories: memory.count,
    vectors: 253,
    differing: [],
    others: 0,
    withoutVector: 0,
  });
  const graph = openGraphOf(target);
  expect(await graph.getNode('ConsolidationControl', 'lease:maintenance')).toBeUndefined();
  await graph.close();
  await expectAllOf(memory, target);
  await expectAllOf(memory, memory.config);
});

test('a second run reports the same totals as the first run', async () => {
  const memory = await filledMemory();
  const target = anotherFolder();
  const first = await move(memory.config, target);
  expect(await move(memory.config, target)).toEqual(first);
});

test('a second migration keeps data that only the target has, and a later change at the target', async () => {
  const memory = await filledMemory();
  const target = anotherFolder();
  await move(memory.config, target);
  const engine = await openEngine(target, { log });
  await engine.update(memory.from, { importance: 1 });
  await engine.store({ content: 'of its own', tags: [], metadata: {}, importance: 0.5 });
  await engine.close();
  const { copied, verification } = await move(memory.config, target);
  expect(copied.kept).toEqual([memory.from]);
  expect(verification).toMatchObject({ differing: [], others: 1 });
  const after = await openEngine(target, { log });
  expect((await after.get(memory.from)).memory.importance).toBe(1);
  await after.close();
});

test('a change at the source is copied with its vector, and an edge that was changed later at the target stays', async () => {
  const memory = await filledMemory();
  const target = anotherFolder();
  await move(memory.config, target);
  await memory.test.reopen();
  memory.test.clock.advance(1_000);
  await memory.test.patch(memory.to, { content: 'Ben came back to the mountains' });
  await memory.test.engine.reembed({ batchSize: 100, force: false });
  await memory.test.engine.close();
  const there = openGraphOf(target);
  const edge = { from: memory.from, to: memory.to, type: 'LEADS_TO', strength: 0.1, properties: {} } as const;
  await there.saveRelations([{ ...edge, updated_at: '2030-01-01T00:00:00.000Z' }]);
  await there.deleteNodes('Pattern', ['p']);
  await there.close();
  const { verification } = await move(memory.config, target);
  // The memory `from` differs, because its edge was changed later at the target.
  expect(verification).toMatchObject({ vectors: 254, withoutVector: 0, differing: [memory.from] });
  const again = openGraphOf(target);
  expect((await again.relationsOf({ ids: [memory.from], limit: 5 })).get(memory.from)).toMatchObject([
    { strength: 0.1 },
  ]);
  expect(await again.linksOf([memory.from])).toHaveLength(2);
  await again.close();
});

test('the verification reports data that is missing or different at the target', async () => {
  const memory = await filledMemory();
  const target = anotherFolder();
  await move(memory.config, target);
  const [from, to] = [await openStores(storesOf(memory.config)), await openStores(storesOf(target))];
  const differing = async () => (await verify(from, to, new Set())).differing;
  expect(await differing()).toEqual([]);
  await to.graph.deleteNodes('Pattern', ['p']);
  expect((await differing()).sort()).toEqual(['Pattern p', memory.from].sort());
  await to.vectors?.upsert([
    {
      id: memory.supplied,
      vector: Float32Array.from(axis(3)),
      payload: vectorPayload({ timestampMs: 0, model: 'supplied' }),
    },
  ]);
  expect(await differing()).toContain(memory.supplied);
  await to.graph.deleteMemories([memory.to]);
  expect(await differing()).toContain(memory.to);
  await to.close();
  await from.close();
});

test('a vector that was lost at the source is computed again at the target', async () => {
  const memory = await filledMemory();
  const target = anotherFolder();
  const { graph, vectors } = openSqlitePair(memory.config.dataDir, { dimensions: 64, clock: createManualClock() });
  await vectors.remove([memory.from]);
  await vectors.close();
  await graph.close();
  const { verification } = await move(memory.config, target);
  expect(verification).toMatchObject({ differing: [], vectors: 252, withoutVector: 0 });
  const engine = await openEngine(target, { log });
  await engine.idle();
  expect(await engine.health()).toMatchObject({ vectors: { vectorCount: memory.count }, consistency: 'inSync' });
  await engine.close();
});

test('one folder as both source and target is refused, and so is a source that is in use or missing', async () => {
  const { config, reopen } = await openForTest();
  await expect(move(config, config)).rejects.toMatchObject({ code: 'invalid' });
  await expect(move(config, anotherFolder())).rejects.toMatchObject({ code: 'unavailable' });
  await reopen();
  const missing = { ...config, dataDir: `${config.dataDir}-mistyped` };
  await expect(move(missing, anotherFolder())).rejects.toMatchObject({ code: 'invalid' });
  expect(existsSync(missing.dataDir)).toBe(false);
});

describeFalkor('a migration from embedded stores to servers', { isForgetful: true }, suite => {
  async function servers() {
    const qdrant = await startedQdrant();
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const { url, graph } = suite.settings();
    const env = { FALKORDB_URL: url, FALKORDB_GRAPH: graph, QDRANT_URL: qdrant.url, ENGRAPH_DATA_DIR: folder.path };
    return { qdrant, config: configOf(env) };
  }

  test('and back again loses nothing', async () => {
    const memory = await filledMemory();
    const { config, qdrant } = await servers();
    const there = await move(memory.config, config);
    expect(there.verification).toMatchObject({ memories: memory.count, vectors: 253, differing: [] });
    expect(qdrant.collections.get('memories')?.points.size).toBe(253);
    const last = anotherFolder();
    const back = await move(config, last);
    expect(back.verification.digest).toBe(there.verification.digest);
    await expectAllOf(memory, last);
    await expectAllOf(memory, config);
  });

  test('is completed by a second run after an interruption', async () => {
    const memory = await filledMemory();
    const { config, qdrant } = await servers();
    let upserts = 0;
    qdrant.behave(({ method, path }) => {
      if (method === 'PUT' && path.endsWith('/points')) upserts += 1;
      return upserts > 1 ? { status: 500, json: { status: { error: 'out of order' }, time: 0 } } : undefined;
    });
    await expect(move(memory.config, config)).rejects.toMatchObject({ code: 'unavailable' });
    qdrant.behave(undefined);
    expect((await move(memory.config, config)).verification).toMatchObject({ vectors: 253, differing: [] });
    await expectAllOf(memory, config);
  });

  test('fails as unavailable when the server of the vectors is down', async () => {
    const { config } = await openForTest().then(async opened => {
      await opened.engine.close();
      return opened;
    });
    const { config: target, qdrant } = await servers();
    await qdrant.goAway();
    await expect(move(config, target)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

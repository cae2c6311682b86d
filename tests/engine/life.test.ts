/** Opening, closing and reopening the engine. */
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openEngine } from '../../src/engine/open.js';
import { createLogger } from '../../src/log.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openGraphOf, openVectorsOf, settingsForVectorsApart } from '../support/test-engine.js';
import { axis, openForTest } from './open-engine.js';

describe('closing the engine', () => {
  test('may be repeated, also in parallel', async () => {
    const { engine } = await openForTest();
    await Promise.all([engine.close(), engine.close()]);
    await engine.close();
  });

  test('leaves unfinished work for the next engine', async () => {
    const { engine, storeMany, reopen } = await openForTest();
    await storeMany(Array.from({ length: 100 }, (_, index) => ({ content: `memory ${index}` })));
    await engine.close();
    const next = await reopen();
    expect(await next.health()).toMatchObject({ graph: { memoryCount: 100 }, consistency: 'inSync' });
    await next.idle();
    expect(await next.health()).toMatchObject({
      vectors: { vectorCount: 100 },
      enrichment: { backlog: { pending: 0, inFlight: 0 } },
    });
  });

  test('releases the folder for another engine', async () => {
    const { engine, config } = await openForTest();
    const options = { log: createLogger('silent') };
    await expect(openEngine(config, options)).rejects.toMatchObject({ code: 'unavailable' });
    await engine.close();
    await (await openEngine(config, options)).close();
  });
});

test('every call after closing the engine rejects with a clear error', async () => {
  const { engine, add, patch, storeMany, recall } = await openForTest();
  const id = await add({ content: 'apples' });
  await engine.idle();
  await engine.close();
  const calls = [
    () => engine.get(id),
    () => add({ content: 'pears' }),
    () => storeMany([{ content: 'plums' }]),
    () => patch(id, { importance: 1 }),
    () => engine.remove(id),
    () => engine.reprocess([id]),
    () => recall({ query: 'apples' }),
    () => recall({ tags: 'fruit' }),
  ];
  const errors = await Promise.all(calls.map(call => call().then(String, (error: Error) => error.message)));
  for (const [index, error] of errors.entries()) {
    expect(error, String(calls[index])).toMatch(/The memory is closed|Engraph has closed the store/);
  }
});

test('an engine whose data folder was moved stores nothing, and its health says so', async () => {
  const { engine, add, config } = await openForTest();
  await add({ content: 'apples' });
  await engine.idle();
  const moved = `${config.dataDir}-moved`;
  renameSync(config.dataDir, moved);
  const problem = `the data folder ${config.dataDir} was moved or removed while Engraph had it open`;
  await expect(add({ content: 'pears' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(problem),
    hint: expect.not.stringContaining('--accept-loss'),
  });
  // Another program may use the path for a file.
  writeFileSync(config.dataDir, '');
  expect((await engine.health()).reasons.join()).toContain(problem);
  rmSync(config.dataDir);
  expect((await engine.health()).reasons.join()).toContain(problem);
  renameSync(moved, config.dataDir);
  await add({ content: 'plums' });
  expect(await engine.health()).toMatchObject({ reasons: [], graph: { memoryCount: 2 } });
});

describe('reopening the engine', () => {
  test('finds all memories, words, tags, vectors and counts', async () => {
    const { engine, add, patch, found, reopen } = await openForTest();
    const kept = await add({ content: 'apples and pears', tags: ['fruit'], metadata: { a: [1] }, embedding: axis(1) });
    const changed = await add({ content: 'trains' });
    const removed = await add({ content: 'apples no more' });
    await engine.idle();
    await patch(changed, { content: 'ships', importance: 1 });
    await engine.remove(removed);
    const before = await engine.get(kept);
    const next = await reopen();
    expect(await next.get(kept)).toEqual(before);
    expect((await next.get(changed)).memory).toMatchObject({ content: 'ships', importance: 1 });
    await expect(next.get(removed)).rejects.toMatchObject({ code: 'not_found' });
    expect(await found({ query: 'apples' })).toContain('apples and pears');
    expect(await found({ query: 'apples' })).not.toContain('apples no more');
    expect(await found({ tags: 'fruit' })).toEqual(['apples and pears']);
    await next.idle();
    expect(await next.health()).toMatchObject({
      graph: { memoryCount: 2 },
      vectors: { vectorCount: 2 },
      consistency: 'inSync',
    });
  });

  test('makes all vectors again when they were removed while it was closed', async () => {
    const test = await openForTest(await settingsForVectorsApart());
    await test.storeMany([{ content: 'apples' }, { content: 'trains' }, { content: 'own', embedding: axis(9) }]);
    await test.engine.idle();
    const next = await test.reopen(async () => {
      const vectors = openVectorsOf(test.config);
      for await (const id of vectors.ids()) await vectors.remove([id]);
      await vectors.close();
    });
    expect(await next.health()).toMatchObject({ reasons: [], graph: { memoryCount: 3 } });
    expect(await test.found({ query: 'apples' })).toEqual(['apples']);
    await next.idle();
    // Health caches its comparison of the stores for a minute.
    test.clock.advance(61_000);
    expect(await next.health()).toMatchObject({
      vectors: { vectorCount: 3 },
      consistency: 'inSync',
      embedding: { backlog: { pending: 0 } },
    });
    expect((await test.found({ embedding: axis(9) }))[0]).toBe('own');
  });
});

describe('a process that ended between its writes to the two stores', () => {
  test('leaves a state that the next process repairs', async () => {
    const test = await openForTest();
    const removed = await test.add({ content: 'apples', embedding: axis(1) });
    const changed = await test.add({ content: 'trains', tags: ['old'], embedding: axis(2) });
    await test.engine.idle();
    await test.engine.close();
    // Commit a deletion and an update in the graph, without the writes to the vector store that follow.
    const graph = openGraphOf(test.config);
    await graph.deleteMemories([removed]);
    const tags = ['new'];
    await graph.updateMemory(changed, current => ({ memory: { ...current, tags, tag_prefixes: tags }, work: [] }));
    await graph.close();
    const next = await test.reopen();
    await next.idle();
    expect(await next.health()).toMatchObject({
      graph: { memoryCount: 1 },
      vectors: { vectorCount: 1 },
      consistency: 'inSync',
    });
    const { results } = await test.recall({ embedding: axis(2), tags: 'new' });
    expect(results.map(({ foundBy }) => foundBy[0])).toEqual(['vector']);
  });
});

describe('the data folder', () => {
  test('is created with its missing parent folders, and only the user can access any of them', async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const dataDir = join(folder.path, 'in', 'between', 'data');
    const config = loadConfig({ ENGRAPH_DATA_DIR: dataDir, VECTOR_SIZE: '64', EMBEDDING_PROVIDER: 'hash' });
    const engine = await openEngine(config, { log: createLogger('silent') });
    for (const path of [dataDir, join(folder.path, 'in')]) expect(statSync(path).mode & 0o777, path).toBe(0o700);
    await engine.close();
    expect(readdirSync(dataDir)).toContain('memories.db');
  });

  test('is released when opening fails', async () => {
    const { engine, config, reopen } = await openForTest();
    await engine.close();
    // This provider needs a key, which is missing.
    const embedding = { ...config.embedding, provider: 'openai' as const };
    await expect(openEngine({ ...config, embedding }, { log: createLogger('silent') })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect((await (await reopen()).health()).reasons).toEqual([]);
  });
});

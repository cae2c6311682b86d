/** A vector that can be made at once is written with its memory. Other vectors are made by the worker. */
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder } from '../../src/embedding/hash.js';
import { startLaterVectors } from '../support/later-vectors.js';
import { startedQdrant } from '../support/qdrant-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openGraphOf } from '../support/test-engine.js';
import { axis, openForTest, type TalkingEngine } from './open-engine.js';

const MODEL = 'hash-v3-64';

async function backlog({ engine }: TalkingEngine) {
  const { embeddedCount, backlog } = (await engine.health()).embedding ?? {};
  return { embeddedCount, ...backlog };
}

test('with a model that embeds at once no stored memory waits to be embedded', async () => {
  const memory = await openForTest();
  const id = await memory.add({ content: 'alone' });
  await memory.storeMany(Array.from({ length: 30 }, (_, index) => ({ content: `of many ${index}` })));
  expect(await backlog(memory)).toMatchObject({ embeddedCount: 31, pending: 0, inFlight: 0 });
  await memory.patch(id, { content: 'changed' });
  expect(await backlog(memory)).toMatchObject({ embeddedCount: 31, pending: 0, inFlight: 0 });
  expect((await memory.engine.get(id)).memory.embedded_by).toBe(MODEL);
  expect(await memory.engine.health()).toMatchObject({ vectors: { vectorCount: 31 }, consistency: 'inSync' });
});

test('a vector made at once is not marked as supplied by the caller', async () => {
  const { add, patch, engine, config } = await openForTest();
  const made = await add({ content: 'made' });
  const supplied = await add({ content: 'supplied', embedding: axis(3) });
  const replaced = await add({ content: 'of the caller', embedding: axis(4) });
  await patch(replaced, { content: 'of ours' });
  await engine.close();
  const graph = openGraphOf(config);
  onTestFinished(() => graph.close());
  const records = await graph.readRecords({ limit: 10 });
  const kept = records.filter(({ embedding }) => embedding).map(({ memory }) => memory.id);
  expect(kept).toEqual([supplied]);
  const models = new Map(records.map(({ memory }) => [memory.id, memory.embedded_by]));
  expect([models.get(made), models.get(supplied), models.get(replaced)]).toEqual([MODEL, 'supplied', MODEL]);
});

test('a change from the hash model to a remote model, or back, makes the vectors again', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const { settings } = await startLaterVectors();
  const before = await openForTest({ ENGRAPH_DATA_DIR: folder.path });
  const id = await before.add({ content: 'red apples' });
  await before.engine.close();
  const during = await openForTest({ ENGRAPH_DATA_DIR: folder.path, ...settings });
  await during.engine.idle();
  expect((await during.engine.get(id)).memory.embedded_by).toContain('openai');
  await during.engine.close();
  const after = await openForTest({ ENGRAPH_DATA_DIR: folder.path });
  await after.engine.idle();
  expect((await after.engine.get(id)).memory.embedded_by).toBe(MODEL);
});

test('after an embedding has failed permanently, a change of content embeds the memory', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const { server, settings } = await startLaterVectors();
  const before = await openForTest({ ENGRAPH_DATA_DIR: folder.path, EMBEDDING_MAX_RETRIES: '0', ...settings });
  server.on('/v1/embeddings', ({ body }) =>
    JSON.stringify(body.input).includes('hello')
      ? { json: { data: [{ index: 0, embedding: axis(1) }] } }
      : { status: 400, json: { error: { message: 'cannot embed this' } } },
  );
  const id = await before.add({ content: 'unspeakable' });
  for (let attempt = 0; attempt < 5; attempt++) {
    await before.engine.idle();
    before.clock.advance(3_600_000);
  }
  expect(await backlog(before)).toMatchObject({ embeddedCount: 0, pending: 0, failed: 1 });
  await before.engine.close();
  const after = await openForTest({ ENGRAPH_DATA_DIR: folder.path });
  await after.patch(id, { content: 'speakable' });
  expect(await backlog(after)).toMatchObject({ embeddedCount: 1, pending: 0, failed: 0 });
  await after.engine.idle();
  expect((await after.engine.get(id)).memory.enriched).toBe(true);
});

test.each([
  ['made at once', {}],
  ['supplied', { embedding: axis(3) }],
])('a memory whose vector was %s is enriched without further requests', async (_, fields) => {
  const { engine, clock, add } = await openForTest();
  await engine.idle();
  const id = await add({ content: 'Ann likes tea.', ...fields });
  clock.advance(2_000);
  await expect.poll(async () => (await engine.get(id)).memory.enriched).toBe(true);
});

test('a write without a supplied vector does not wait for the vector server', async () => {
  const qdrant = await startedQdrant();
  const memory = await openForTest({ QDRANT_URL: qdrant.url });
  await memory.engine.idle();
  const isUpsert = ({ method, path }: { method: string; path: string }) => method === 'PUT' && path.endsWith('/points');
  qdrant.behave(request => (isUpsert(request) ? 'hang' : undefined));
  expect(await memory.store({ content: 'a heron' })).toMatchObject({ vector: 'queued' });
  expect(await memory.found({ query: 'heron' })).toEqual(['a heron']);
  qdrant.behave(undefined);
  await memory.engine.idle();
  expect(qdrant.requests.filter(isUpsert)).toHaveLength(1);
});

test('a batch whose vectors are made at once lets other requests run meanwhile', async () => {
  const memory = await openForTest();
  let turns = 0;
  let isStored = false;
  const count = () => {
    turns += 1;
    if (!isStored) setImmediate(count);
  };
  setImmediate(count);
  await createHashEmbedder(64).embed(
    Array.from({ length: 800 }, () => 'heron '.repeat(1_000)),
    'document',
  );
  expect(turns).toBeGreaterThan(5);
  turns = 0;
  await memory.storeMany(Array.from({ length: 400 }, (_, index) => ({ content: `${index} heron `.repeat(1_000) })));
  isStored = true;
  expect(turns).toBeGreaterThan(20);
});

/**
 * Measurements of health: vector lengths, drift, and whether embedding works (docs/decisions.md, "Health and drift").
 */
import { describe, expect, test } from 'vitest';
import { openForTest } from '../engine/open-engine.js';
import { startLaterVectors } from '../support/later-vectors.js';
import type { ModelServer } from '../support/model-server.js';
import { startedQdrant } from '../support/qdrant-store.js';
import { idOf } from '../support/records.js';
import { createTestApp, send } from './test-app.js';

const PATH = '/v1/embeddings';
const KEY = 'sk-secret-of-the-test';
/** At least as long as any back-off, and longer than the time for which a comparison of the stores is cached. */
const LONG_MS = 300_000;

async function openApp(env: Record<string, string> = {}) {
  const memory = await openForTest({ EMBEDDING_MAX_RETRIES: '0', ...env });
  // A comparison of the stores that is in progress while the clock advances would seem to take minutes.
  await memory.engine.idle();
  const app = createTestApp({ engine: memory.engine, log: memory.log });
  const settle = async (times = 1) => {
    for (let round = 0; round < times; round++) {
      memory.clock.advance(LONG_MS);
      await memory.engine.idle();
    }
  };
  return {
    settle,
    call: (route: string, json?: unknown) => send(app, route, { ...(json !== undefined && { json }) }),
    health: async () => {
      const { status, body } = await send(app, 'GET /health');
      return { ...body, code: status };
    },
  };
}

function answerWith(server: ModelServer, length: number): void {
  server.on(PATH, ({ body }) => ({
    json: { data: body.input.map((_: string, index: number) => ({ index, embedding: Array(length).fill(0.5) })) },
  }));
}

describe('health: vector lengths', () => {
  test("include the model's length and the store's length, which are null before the first embedding", async () => {
    const { settings, server } = await startLaterVectors();
    const { call, settle, health } = await openApp(settings);
    expect((await health()).vector_dimensions).toEqual({
      configured: 64,
      effective: null,
      collection: null,
      mismatch: false,
    });
    answerWith(server, 32);
    await call('POST /memory', { content: 'apples' });
    await settle();
    // The vectors are padded with zeros to the common length.
    expect(await health()).toMatchObject({
      vector_count: 1,
      vector_dimensions: { configured: 64, effective: 32, collection: 64, mismatch: false },
    });
  });

  test('do not match when the model returns longer vectors than VECTOR_SIZE', async () => {
    const { settings, server } = await startLaterVectors();
    const { call, settle, health } = await openApp(settings);
    answerWith(server, 96);
    await call('POST /memory', { content: 'apples' });
    await settle();
    expect(await health()).toMatchObject({
      code: 200,
      vector_count: 0,
      vector_dimensions: { configured: 64, effective: 96, mismatch: true },
      embedding: { status: 'degraded', reason: expect.stringContaining('96 dimensions, more than VECTOR_SIZE=64') },
    });
  });

  test('do not match when the model returns another length than before', async () => {
    const { settings, server } = await startLaterVectors();
    const { call, settle, health } = await openApp(settings);
    answerWith(server, 32);
    await call('POST /memory', { content: 'apples' });
    await settle();
    answerWith(server, 48);
    await call('POST /memory', { content: 'pears' });
    await settle();
    const dimensions = { configured: 64, effective: 48, collection: 64, mismatch: true };
    expect((await health()).vector_dimensions).toEqual(dimensions);
    answerWith(server, 32);
    await call('POST /memory', { content: 'plums' });
    await settle();
    expect((await health()).vector_dimensions).toEqual({ ...dimensions, effective: 32, mismatch: false });
  });

  test('do not match when the collection was created for another length', async () => {
    const qdrant = await startedQdrant();
    const wide = await openForTest({ QDRANT_URL: qdrant.url, VECTOR_SIZE: '128' });
    await wide.engine.idle();
    await wide.close();
    const { settle, health } = await openApp({ QDRANT_URL: qdrant.url });
    await settle();
    expect(await health()).toMatchObject({
      code: 503,
      qdrant: 'disconnected',
      reasons: expect.arrayContaining([expect.stringContaining('128 dimensions')]),
      vector_dimensions: { configured: 64, effective: 64, collection: 128, mismatch: true },
    });
  });

  test('include the length of a collection that matches', async () => {
    const qdrant = await startedQdrant();
    const { settle, health } = await openApp({ QDRANT_URL: qdrant.url });
    await settle();
    const dimensions = { configured: 64, effective: 64, collection: 64, mismatch: false };
    expect(await health()).toMatchObject({ code: 200, vector_dimensions: dimensions });
  });
});

describe('health: embedding', () => {
  test('is degraded while the provider refuses the key, and the answer does not contain the key', async () => {
    const { settings, server } = await startLaterVectors();
    const { call, settle, health } = await openApp({ ...settings, OPENAI_API_KEY: KEY });
    server.on(PATH, { status: 401, json: { error: { message: `Incorrect API key provided: ${KEY}` } } });
    await call('POST /memory', { content: 'apples' });
    await settle();
    const { embedding, code, status } = await health();
    expect([code, status]).toEqual([200, 'healthy']);
    expect(embedding).toMatchObject({ status: 'degraded', reason: expect.stringContaining('refuses the key (401)') });
    expect(embedding.reason).not.toContain(KEY);
    answerWith(server, 64);
    await settle();
    expect((await health()).embedding).toMatchObject({ status: 'healthy', pending: 0, embedded: 1 });
    expect((await health()).embedding).not.toHaveProperty('reason');
  });

  test('that has failed permanently is reported as drift of the stores', async () => {
    const { settings, server } = await startLaterVectors();
    const { call, settle, health } = await openApp(settings);
    const usual = { json: { data: [{ index: 0, embedding: Array(64).fill(0.5) }] } };
    server.on(PATH, ({ body }) =>
      body.input.some((text: string) => text.includes('poison'))
        ? { status: 400, json: { error: { message: 'not this' } } }
        : usual,
    );
    await call('POST /memory', { content: 'apples' });
    await settle();
    expect(await health()).toMatchObject({ sync_status: 'synced', embedding: { failed: 0 } });
    await call('POST /memory', { content: 'poison' });
    await settle(4);
    expect(await health()).toMatchObject({
      code: 200,
      memory_count: 2,
      vector_count: 1,
      sync_status: 'drift_detected',
      embedding: { failed: 1, pending: 0 },
    });
  });
});

test('health: a point of another program does not count as a vector of a memory, whatever its id', async () => {
  const qdrant = await startedQdrant();
  const { settings, server } = await startLaterVectors();
  const { call, settle, health } = await openApp({
    ...settings,
    QDRANT_URL: qdrant.url,
    SYNC_CHECK_INTERVAL_SECONDS: '0',
  });
  answerWith(server, 64);
  await call('POST /memory', { id: idOf(1), content: 'apples' });
  await settle();
  expect(await health()).toMatchObject({ vector_count: 1, sync_status: 'synced' });
  const { points } = qdrant.collections.get('memories') ?? {};
  for (const id of [idOf(1), idOf(2)]) points?.set(id, { id, vector: new Float32Array(64).fill(1), payload: {} });
  await settle();
  expect(await health()).toMatchObject({ memory_count: 1, vector_count: 0, sync_status: 'drift_detected' });
});

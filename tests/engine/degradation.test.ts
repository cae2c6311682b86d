/** The engine while the vector store is unavailable, and the recovery afterwards (specification, Degradation). */
import { expect, test } from 'vitest';
import { type Call, createTestApp, send } from '../http/test-app.js';
import type { QdrantServer } from '../support/qdrant-server.js';
import { startedQdrant } from '../support/qdrant-store.js';
import { openForTest } from './open-engine.js';

/** Real time, in which the stand-in must answer even on a busy machine. */
const TIMEOUT_SECONDS = '10';

async function openOnQdrant(timeoutSeconds = TIMEOUT_SECONDS) {
  const qdrant = await startedQdrant();
  const test = await openForTest({ QDRANT_URL: qdrant.url, QDRANT_TIMEOUT_SECONDS: timeoutSeconds });
  const call = (route: string, request: Call = {}) =>
    send(createTestApp({ engine: test.engine, log: test.log }), route, request);
  return {
    test,
    qdrant,
    call,
    store: async (content: string) => (await call('POST /memory', { json: { content } })).body.memory_id as string,
    health: () => call('GET /health'),
    /** Advances time until the value of `read` meets the expectation. */
    whenTimePasses: (read: () => Promise<unknown>) =>
      expect.poll(
        async () => {
          test.clock.advance(1_000);
          return read();
        },
        { timeout: 8_000 },
      ),
  };
}

function storedIds(qdrant: QdrantServer): string[] {
  return [...(qdrant.collections.get('memories')?.points.keys() ?? [])].map(String).sort();
}

test('with Qdrant, memories are stored and found by meaning', async () => {
  const { store, qdrant, test, health, call } = await openOnQdrant();
  const id = await store('apples and pears');
  await test.engine.idle();
  expect(storedIds(qdrant)).toEqual([id]);
  const { status, body } = await health();
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'healthy', qdrant: 'connected', vector_count: 1, sync_status: 'synced' });
  expect(body.backend.vectors).toContain(qdrant.url);
  const { vector_search } = (await call('GET /recall?query=pears')).body;
  expect(vector_search).toEqual({ enabled: true, matched: true });
});

test('without Qdrant, writes succeed, recall uses only words, and health names the missing store', async () => {
  const { store, qdrant, test, health, call, whenTimePasses } = await openOnQdrant();
  const kept = await store('apples and pears');
  const deleted = await store('apples and plums');
  await test.engine.idle();
  await qdrant.goAway();

  const recalled = await call('GET /recall?query=apples');
  expect(recalled.status).toBe(200);
  expect(recalled.body).toMatchObject({ count: 2, vector_search: { enabled: false } });
  const added = await store('apples and figs');
  expect((await call(`PATCH /memory/${kept}`, { json: { tags: ['fruit'] } })).status).toBe(200);
  expect((await call(`DELETE /memory/${deleted}`)).status).toBe(200);
  expect((await call('GET /recall?query=apples')).body.count).toBe(2);
  const away = await health();
  expect(away.status).toBe(503);
  expect(away.body).toMatchObject({
    status: 'degraded',
    falkordb: 'connected',
    qdrant: 'disconnected',
    memory_count: 2,
    vector_count: null,
    sync_status: 'unknown',
  });

  await qdrant.comeBack();
  await whenTimePasses(async () => storedIds(qdrant)).toEqual([kept, added].sort());
  expect((await health()).body).toMatchObject({ status: 'healthy', vector_count: 2 });
  await whenTimePasses(async () => (await health()).body.embedding.pending).toBe(0);
  const { count, vector_search } = (await call('GET /recall?query=pears&tags=fruit')).body;
  expect([count, vector_search.matched]).toEqual([1, true]);
});

test('a Qdrant server that hangs delays only the first request, by QDRANT_TIMEOUT_SECONDS', async () => {
  const { store, qdrant, test, call } = await openOnQdrant('1');
  await store('apples and pears');
  await test.engine.idle();
  qdrant.behave('hang');
  const before = qdrant.requests.length;
  for (let turn = 0; turn < 5; turn++) {
    const { status, body } = await call('GET /recall?query=apples');
    expect([status, body.count, body.vector_search.enabled]).toEqual([200, 1, false]);
  }
  expect(qdrant.requests.length - before).toBe(1);
  qdrant.behave(undefined);
});

test('a process that starts without Qdrant serves requests, and stores the vectors when Qdrant is back', async () => {
  const { qdrant, test, call, health, store, whenTimePasses } = await openOnQdrant();
  const first = await store('apples and pears');
  await test.engine.idle();
  await test.reopen(() => qdrant.goAway());
  expect((await call('GET /recall?query=apples')).body.count).toBe(1);
  const second = await store('apples and figs');
  expect((await health()).status).toBe(503);
  await qdrant.comeBack();
  await whenTimePasses(async () => storedIds(qdrant)).toEqual([first, second].sort());
  expect((await health()).status).toBe(200);
});

test('a dropped collection is created again and filled from the graph', async () => {
  const { qdrant, test, store, health, whenTimePasses } = await openOnQdrant();
  const ids = [await store('apples'), await store('pears')];
  await test.engine.idle();
  await test.reopen(async () => {
    qdrant.collections.clear();
  });
  await whenTimePasses(async () => storedIds(qdrant)).toEqual(ids.sort());
  await test.engine.idle();
  expect((await health()).body).toMatchObject({ vector_count: 2, sync_status: 'synced' });
});

test('a supplied vector is kept in the graph until the vector store is back', async () => {
  const { qdrant, test, call, whenTimePasses } = await openOnQdrant();
  await qdrant.goAway();
  const embedding = Array.from({ length: 64 }, (_, index) => (index === 5 ? 1 : 0));
  const { status, body } = await call('POST /memory', { json: { content: 'figs', embedding } });
  expect([status, body.qdrant]).toEqual([201, 'queued']);
  await qdrant.comeBack();
  await whenTimePasses(async () => storedIds(qdrant)).toEqual([body.memory_id]);
  const recalled = await test.recall({ embedding });
  expect(recalled.results.map(({ memory, foundBy }) => [memory.id, foundBy])).toEqual([[body.memory_id, ['vector']]]);
});

test('a Qdrant server that refuses writes is still searched, and health reports the failing writes', async () => {
  const { qdrant, test, store, call, health } = await openOnQdrant();
  await store('apples and pears');
  await test.engine.idle();
  qdrant.behave(({ method }) =>
    method === 'PUT' ? { status: 500, json: { status: { error: 'No space left on device' }, time: 0 } } : undefined,
  );
  await store('apples and figs');
  await test.engine.idle();
  for (let turn = 0; turn < 3; turn++) {
    expect((await call('GET /recall?query=pears')).body.vector_search).toEqual({ enabled: true, matched: true });
  }
  const { status, body } = await health();
  expect(status).toBe(503);
  expect(body.reasons).toEqual([expect.stringMatching(/The vector store has failed .*No space left on device/)]);
  expect(body.embedding.pending).toBe(1);
  qdrant.behave(undefined);
});

/**
 * The memory while its embedding model fails: no data is lost, a recall waits at most three seconds, and no other
 * vector replaces a missing vector.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openForTest } from '../engine/open-engine.js';
import { createTestApp, send } from '../http/test-app.js';
import type { ManualClock } from '../support/manual-clock.js';
import { type ModelReply, type ModelRequest, startModelServer } from '../support/model-server.js';
import { openTestEngine } from '../support/test-engine.js';
import { KEY, textsOf } from './test-providers.js';

const PATH = '/v1/embeddings';
/** A time that is at least as long as any back-off. */
const LONG_MS = 300_000;

/** A model that knows two subjects: vehicles and fruit. */
function understands(request: ModelRequest): ModelReply {
  const data = textsOf(request).map((text, index) => ({
    index,
    embedding: [/car|automobile/i.test(text) ? 1 : 0, /apple|fruit/i.test(text) ? 1 : 0, 0.01],
  }));
  return { json: { data } };
}

async function openWithModel(env: Record<string, string> = {}) {
  const server = await startModelServer();
  server.on(PATH, understands);
  const memory = await openForTest({
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_MODEL: 'test-model',
    EMBEDDING_MAX_RETRIES: '0',
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${server.url}/v1`,
    ...env,
  });
  const app = createTestApp({ engine: memory.engine, log: memory.log });
  return {
    ...memory,
    engine: memory.engine,
    server,
    call: (route: string, json?: unknown) => send(app, route, { json }),
  };
}

/** Advances the clock until health no longer reports a failure of the model. */
async function answersAgain(call: (route: string) => ReturnType<typeof send>, clock: ManualClock) {
  const isAway = async () => {
    clock.advance(100);
    return (await call('GET /health')).body.backend.embedding_error !== undefined;
  };
  await expect.poll(isAway).toBe(false);
}

describe('while the provider is down', () => {
  test('memories are stored and found by word, and are embedded when it is back', async () => {
    const { call, engine, clock, server } = await openWithModel();
    server.on(PATH, 'drop');
    const stored = await call('POST /memory', { content: 'The automobile stands in the garage.' });
    expect(stored.status).toBe(201);
    await call('POST /memory', { content: 'Apples are in the cellar.' });

    for (let outage = 0; outage < 5; outage++) {
      clock.advance(LONG_MS);
      await engine.idle();
    }
    // A memory has only three attempts, but an outage does not count as an attempt.
    expect((await engine.health()).embedding).toMatchObject({ embeddedCount: 0, backlog: { pending: 2, failed: 0 } });
    const health = await call('GET /health');
    expect([health.status, health.body.vector_count]).toEqual([200, 0]);
    expect(health.body.backend).toMatchObject({
      embedding: 'openai test-model',
      embedding_reason: 'EMBEDDING_PROVIDER=openai',
      embedding_error: expect.stringMatching(/^openai \(test-model\) cannot be reached/),
    });
    const byWord = await call('GET /recall?query=automobile');
    expect(byWord.body.results[0].id).toBe(stored.body.memory_id);
    expect(byWord.body.vector_search).toEqual({ enabled: false, matched: false });

    server.on(PATH, understands);
    clock.advance(LONG_MS);
    await engine.idle();
    expect((await engine.health()).embedding).toMatchObject({ embeddedCount: 2, backlog: { pending: 0, failed: 0 } });
    await answersAgain(call, clock);
    const byMeaning = await call('GET /recall?query=cars');
    expect(byMeaning.body.results.map(({ id }: { id: string }) => id)).toEqual([stored.body.memory_id]);
    expect(byMeaning.body.results[0]).toMatchObject({ match_type: 'semantic', source: 'qdrant' });
    expect(byMeaning.body.vector_search).toEqual({ enabled: true, matched: true });
  });

  test('a recall waits at most three seconds for the provider', async () => {
    const { recall, add, clock, server } = await openWithModel();
    await add({ content: 'The automobile stands in the garage.' });
    server.on(PATH, 'hang');
    const answer = recall({ query: 'automobile' });
    await expect.poll(() => server.requests.length).toBe(1);
    clock.advance(3_000);
    expect(await answer).toMatchObject({
      results: [{ memory: { content: 'The automobile stands in the garage.' } }],
      isVectorSearchEnabled: false,
    });
    await server.stop();
  });

  test('later recalls do not wait, health reports the outage, and recalls recover with the provider', async () => {
    const { recall, add, clock, server, call } = await openWithModel();
    await add({ content: 'The automobile stands in the garage.' });
    clock.advance(LONG_MS);
    await expect.poll(async () => (await call('GET /health')).body.vector_count).toBe(1);
    server.on(PATH, 'hang');
    const embeddings = () => server.requests.filter(({ path }) => path === PATH).length;
    const asked = embeddings();
    const first = recall({ query: 'automobile' });
    await expect.poll(embeddings).toBe(asked + 1);
    clock.advance(3_000);
    expect((await first).isVectorSearchEnabled).toBe(false);
    // The clock stands still, so a recall that waited for the model would never end.
    expect((await recall({ query: 'a car' })).isVectorSearchEnabled).toBe(false);
    expect(embeddings()).toBe(asked + 1);
    expect((await call('GET /health')).body.backend.embedding_error).toContain('the question got no vector');

    server.on(PATH, understands);
    await answersAgain(call, clock);
    expect((await recall({ query: 'a car' })).isVectorSearchEnabled).toBe(true);
    await server.stop();
  });

  test('closing does not wait for the provider, and loses no work', async () => {
    const { add, clock, engine, reopen, server } = await openWithModel();
    server.on(PATH, 'hang');
    await add({ content: 'The automobile stands in the garage.' });
    clock.advance(LONG_MS);
    await expect.poll(() => server.requests.length).toBe(1);
    const closed = engine.close();
    clock.advance(2_000);
    await closed;
    server.on(PATH, understands);
    const next = await reopen();
    expect((await next.health()).embedding).toMatchObject({ embeddedCount: 0, backlog: { pending: 1, failed: 0 } });
    await next.idle();
    expect((await next.health()).embedding).toMatchObject({ embeddedCount: 1, backlog: { pending: 0, failed: 0 } });
  });
});

test('a memory that the model refuses does not block the others', async () => {
  const { storeMany, engine, clock, server } = await openWithModel();
  server.on(PATH, request =>
    textsOf(request).some(text => text.includes('poison'))
      ? { status: 400, json: { error: { message: 'not this' } } }
      : understands(request),
  );
  await storeMany([{ content: 'The automobile' }, { content: 'poison' }, { content: 'An apple' }]);
  for (let attempt = 0; attempt < 3; attempt++) {
    clock.advance(LONG_MS);
    await engine.idle();
  }
  expect((await engine.health()).embedding).toMatchObject({ embeddedCount: 2, backlog: { pending: 0, failed: 1 } });
  expect((await engine.health()).embedder).not.toHaveProperty('lastFailure');
});

test('the memory does not open with a provider that lacks its key, and releases its folder', async () => {
  const asked = openTestEngine({ EMBEDDING_PROVIDER: 'voyage', VOYAGE_API_KEY: '' });
  await expect(asked).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('VOYAGE_API_KEY') });
  const { engine, close } = await openTestEngine();
  onTestFinished(close);
  expect((await engine.health()).embedder.description).toContain('hash');
});

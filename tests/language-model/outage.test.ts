/**
 * The memory while its language model fails, with the default settings: a store waits at most three seconds once, then
 * not at all, health says why, and the missed work is done when the model answers again.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openForTest } from '../engine/open-engine.js';
import { createTestApp, send } from '../http/test-app.js';
import { connectClient, textOf } from '../mcp/connected-client.js';
import { type Behaviour, type ModelServer, startModelServer } from '../support/model-server.js';

const KEY = 'sk-secret-of-the-language-model';
const LONG = `${'The meeting went on and on about the budget. '.repeat(20)}In the end we cut travel.`;

const PROVIDERS = [
  {
    name: 'anthropic',
    path: '/v1/messages',
    env: (url: string) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }),
    answer: (text: string) => ({
      json: {
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 9, output_tokens: 3 },
      },
    }),
  },
  {
    name: 'openai',
    path: '/v1/chat/completions',
    env: (url: string) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, EMBEDDING_PROVIDER: 'hash' }),
    answer: (text: string) => ({ json: { choices: [{ finish_reason: 'stop', message: { content: text } }] } }),
  },
] as const;
type TestProvider = (typeof PROVIDERS)[number];

/** A model that shortens a text to "short", and takes every other text for an insight. */
function works({ answer }: TestProvider) {
  return ({ body }: { body: unknown }) =>
    JSON.stringify(body).includes('"summary"')
      ? answer('{"summary":"We cut travel."}')
      : answer('{"type":"Insight","confidence":0.8}');
}

async function open(provider: TestProvider, url: string) {
  const memory = await openForTest(provider.env(url));
  const app = createTestApp({ engine: memory.engine, log: memory.log });
  const call = (route: string, json?: unknown) => send(app, route, { json });
  const store = (content: string) => call('POST /memory', { content, type: 'Context' });
  return { ...memory, call, storeOverHttp: store };
}

async function openWith(provider: TestProvider, behaviour: Behaviour) {
  const server: ModelServer = await startModelServer();
  server.on(provider.path, behaviour);
  return { server, ...(await open(provider, server.url)) };
}

/** Whether a promise is settled once all that can happen without time has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  return settled;
}

const REDIRECT: Behaviour = { status: 307, headers: { location: 'http://127.0.0.1:1/elsewhere' }, json: {} };

describe.each(PROVIDERS)('$name', provider => {
  test.each<[string, Behaviour]>([
    ['never answers', 'hang'],
    ['stops within its answer', 'stall'],
    ['answers byte by byte without an end', 'drip'],
    ['asks to wait for half a minute', { status: 429, headers: { 'retry-after': '30' }, json: {} }],
  ])('a model that %s delays one store by three seconds, and later ones not at all', async (_, behaviour) => {
    const { server, clock, storeOverHttp, call } = await openWith(provider, behaviour);
    const storing = storeOverHttp(LONG);
    await expect.poll(() => server.requests.length).toBe(1);
    clock.advance(2_999);
    expect(await isSettled(storing)).toBe(false);
    clock.advance(1);
    expect((await storing).status).toBe(201);

    const sent = server.requests.length;
    const next = await storeOverHttp(`${LONG} Again.`);
    expect(next.body).not.toHaveProperty('summarized');
    expect(server.requests.length).toBe(sent);
    const { status, body } = await call('GET /health');
    expect([status, body.status]).toEqual([200, 'healthy']);
    expect(body.language_model).toMatchObject({
      model: expect.stringContaining(provider.name),
      status: 'degraded',
      reason: expect.stringContaining('did not answer within 3 seconds'),
    });
  });

  test.each<[string, Behaviour, string]>([
    ['refuses the key', { status: 401, json: { error: { message: `bad key ${KEY}` } } }, 'refuses the key (401)'],
    ['asks for fewer requests', { status: 429, headers: { 'retry-after-ms': '1' }, json: {} }, 'fewer requests (429)'],
    ['fails', { status: 500, headers: { 'retry-after-ms': '1' }, json: {} }, 'cannot answer at the moment (500)'],
    ['answers with a page', { text: '<html>proxy</html>' }, 'another form than requested|without a text'],
    ['answers with JSON of another shape', { json: { hello: [] } }, 'another form than requested|without a text'],
    ['redirects', REDIRECT, 'redirects to another address (307)'],
  ])('a model that %s is not asked again', async (_, behaviour, reason) => {
    const { server, call, storeOverHttp } = await openWith(provider, behaviour);
    expect((await storeOverHttp(LONG)).status).toBe(201);
    const sent = server.requests.length;
    await Promise.all([storeOverHttp(`${LONG} 1`), storeOverHttp(`${LONG} 2`)]);
    expect(server.requests.length).toBe(sent);
    const health = await call('GET /health');
    expect(health.body.language_model.reason).toMatch(new RegExp(reason.replace(/[()]/g, '\\$&')));
    expect(JSON.stringify(health.body)).not.toContain(KEY);
    expect(JSON.stringify((await call('GET /enrichment/status')).body)).not.toContain(KEY);
  });

  test.each([301, 302, 303, 307, 308])('the redirect %d is not followed, so nobody else gets the key', async status => {
    const elsewhere = await startModelServer();
    const location = `${elsewhere.url}${provider.path}`;
    const { server, storeOverHttp } = await openWith(provider, { status, headers: { location }, json: {} });
    expect((await storeOverHttp(LONG)).status).toBe(201);
    expect(server.requests).toHaveLength(1);
    expect(elsewhere.requests).toEqual([]);
  });

  test.each<[string, Behaviour]>([
    ['closes the connection', 'drop'],
    ['closes the connection within its answer', 'cut'],
  ])('a model that %s is reported as unreachable', async (_, behaviour) => {
    const { server, call, storeOverHttp } = await openWith(provider, behaviour);
    expect((await storeOverHttp(LONG)).status).toBe(201);
    const sent = server.requests.length;
    await storeOverHttp(`${LONG} Again.`);
    expect(server.requests.length).toBe(sent);
    expect((await call('GET /health')).body.language_model.reason).toContain('cannot be reached');
  });

  test('a model that nobody serves, or whose connection is never answered, does not hold a store', async () => {
    const server = await startModelServer();
    await server.stop();
    const refused = await open(provider, server.url);
    expect((await refused.storeOverHttp(LONG)).status).toBe(201);
    expect((await refused.call('GET /health')).body.language_model.reason).toContain(
      'cannot be reached (ECONNREFUSED)',
    );

    const mute = createServer(socket => socket.pause()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => void mute.close());
    // TLS, so that the handshake is never answered.
    const silent = await open(provider, `https://127.0.0.1:${(mute.address() as AddressInfo).port}`);
    const storing = silent.storeOverHttp(LONG);
    await once(mute, 'connection');
    silent.clock.advance(3_000);
    expect((await storing).status).toBe(201);
    await silent.close();
  });

  test('when the model answers again, texts are shortened, and the missed types are asked for', async () => {
    const { server, clock, call, engine, storeOverHttp } = await openWith(provider, { status: 401, json: {} });
    const { memory_id: id } = (await call('POST /memory', { content: 'zebra xylophone' })).body;
    await engine.idle();
    await storeOverHttp(LONG);
    expect((await engine.get(id)).memory.type).toBe('Context');
    server.on(provider.path, works(provider));
    const isWell = async () => {
      clock.advance(1_000);
      return (await call('GET /health')).body.language_model.status;
    };
    await expect.poll(isWell).toBe('healthy');
    await expect
      .poll(async () => {
        await engine.idle();
        return (await engine.get(id)).memory;
      })
      .toMatchObject({ type: 'Insight', confidence: 0.8 });
    expect((await storeOverHttp(`${LONG} Again.`)).body).toMatchObject({ summarized: true });
  });

  test('tests of a model that stays away become rarer, to one a minute', async () => {
    const { server, clock, storeOverHttp } = await openWith(provider, { status: 401, json: {} });
    await storeOverHttp(LONG);
    let before = server.requests.length;
    for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      clock.advance(waitMs - 1);
      expect(server.requests.length).toBe(before);
      clock.advance(1);
      await expect.poll(() => server.requests.length).toBe(before + 1);
      // The next test is planned when the answer to this one has been read.
      await isSettled(new Promise(() => {}));
      before = server.requests.length;
    }
  });
});

test('the tool check_database_health names the model and its failure', async () => {
  const [provider] = PROVIDERS;
  const { engine, storeOverHttp } = await openWith(provider, { status: 401, json: {} });
  await storeOverHttp(LONG);
  const { call, close } = await connectClient(engine);
  expect(textOf(await call('check_database_health', {}))).toMatch(
    /^Language model: anthropic .+\nLanguage model fails: .*refuses the key \(401\): check ANTHROPIC_API_KEY$/m,
  );
  await close();
});

test('without a language model, health has no field about it', async () => {
  const { engine, log } = await openForTest();
  const { body } = await send(createTestApp({ engine, log }), 'GET /health');
  expect(body).not.toHaveProperty('language_model');
});

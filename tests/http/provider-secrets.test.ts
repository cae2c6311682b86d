/**
 * A server that repeats the key that it was sent, in every place and form of an answer. The key is in no line of the
 * log, no answer of REST and no answer of a tool.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openEngine } from '../../src/engine/open.js';
import { createLogger, LOG_FORMATS, type LogFormat } from '../../src/log.js';
import { openForTest } from '../engine/open-engine.js';
import { connectClient } from '../mcp/connected-client.js';
import { createManualClock } from '../support/manual-clock.js';
import { type ModelReply, startModelServer } from '../support/model-server.js';
import { startedQdrant } from '../support/qdrant-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createTestApp, send } from './test-app.js';

const KEY = 'sk-ant-Kx81"Qz27/Jv53+Wm96~Bp44';
const LONG = `${'The meeting went on and on about the budget. '.repeat(20)}In the end we cut travel.`;
/** Every half of the key, so that a cut key is found too, and the key as it looks in other forms. */
const TRACES = [
  // An error of JSON quotes the first ten characters.
  KEY.slice(0, 10),
  'Kx81"Qz27',
  'Kx81\\"Qz27',
  'Jv53+Wm96',
  'Kx81%22Qz27',
  ...[0, 1, 2].map(cut => Buffer.from(KEY.slice(cut)).toString('base64').slice(0, 24)),
  Buffer.from(KEY.slice(4, 20)).toString('hex'),
];

const json = (status: number, message: string): ModelReply => ({ status, json: { error: { message } } });
const ECHOES: Record<string, ModelReply> = {
  'in a refusal of the key': json(401, `Incorrect API key provided: ${KEY}`),
  'in an error': json(400, `The request with the key ${KEY} is wrong`),
  'in an error, cut off': json(500, `${'x'.repeat(180)}${KEY}`),
  'in an error, only its beginning': json(500, `key ${KEY.slice(0, 24)}... is wrong`),
  'in an error, encoded': json(400, `${encodeURIComponent(KEY)} ${Buffer.from(`:${KEY}`).toString('base64')}`),
  'in an error, in bytes': json(400, `${Buffer.from(KEY).toString('hex')}, ${Buffer.from(KEY).toString('base64url')}`),
  'in a page': { status: 502, text: `<html>Bearer ${KEY}</html>` },
  'in a page with status 200': { text: `<html>${KEY}</html>` },
  'in place of JSON': { text: KEY },
  'as the text of the model': {
    json: {
      choices: [{ finish_reason: 'stop', message: { content: KEY } }],
      content: [{ type: 'text', text: KEY }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 9, output_tokens: 3 },
    },
  },
  'in the status': { ...json(503, ''), statusText: `Unavailable for ${KEY}` },
  'in a header': { ...json(429, 'slow down'), headers: { 'retry-after': KEY, 'x-request-id': KEY } },
  'in a redirect': { status: 308, headers: { location: `http://127.0.0.1:9/?key=${encodeURIComponent(KEY)}` } },
  'in an answer of another shape': { json: { data: KEY, content: KEY, choices: KEY, embeddings: KEY } },
};

const SERVERS: Record<string, (url: string) => Record<string, string>> = {
  'embedding openai': url => ({ EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url }),
  'embedding voyage': url => ({ EMBEDDING_PROVIDER: 'voyage', VOYAGE_API_KEY: KEY, VOYAGE_BASE_URL: url }),
  'language model anthropic': url => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }),
  'language model openai': url => ({ LLM_PROVIDER: 'openai', OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url }),
  Qdrant: url => ({ QDRANT_URL: url, QDRANT_API_KEY: KEY }),
};
const PATHS = ['/embeddings', '/v1/messages', '/chat/completions'];

afterEach(() => vi.restoreAllMocks());

/** Everything that a process shows: its log, and its answers over REST and MCP. */
async function shownBy(env: Record<string, string>, format: LogFormat): Promise<string> {
  const shown: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation(chunk => shown.push(String(chunk)) > 0);
  const log = createLogger('debug', format);
  const clock = createManualClock();
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const config = loadConfig({
    EMBEDDING_PROVIDER: 'hash',
    EMBEDDING_MAX_RETRIES: '0',
    LLM_MAX_RETRIES: '0',
    VECTOR_SIZE: '256',
    ...env,
    ENGRAPH_DATA_DIR: folder.path,
  });
  const engine = await openEngine(config, { log, clock });
  onTestFinished(() => engine.close());
  const app = createTestApp({ engine, log });
  const call = async (route: string, body?: unknown) =>
    shown.push(JSON.stringify((await send(app, route, { json: body })).body));
  await call('POST /memory', { content: LONG });
  await call('POST /memory', { content: 'zebra xylophone' });
  await engine.idle();
  for (const route of ['GET /recall?query=budget', 'GET /health', 'GET /enrichment/status', 'GET /metrics']) {
    await call(route);
  }
  await call('POST /consolidate', { mode: 'all' });
  await call('GET /consolidate/status');
  const client = await connectClient(engine);
  shown.push(JSON.stringify(await client.call('store_memory', { content: `${LONG} Again.` })));
  shown.push(JSON.stringify(await client.call('recall_memory', { query: 'travel' })));
  shown.push(JSON.stringify(await client.call('check_database_health', {})));
  await client.close();
  log.error('a fault', new Error(`outer ${KEY}`, { cause: new Error(`inner ${KEY}`) }));
  log.warn(`of a client ${KEY}`, { headers: { authorization: `Bearer ${KEY}` } });
  return shown.join('\n');
}

describe.each(Object.entries(SERVERS))('%s', (name, settings) => {
  test.each(Object.entries(ECHOES))('the key is never shown if the server repeats it %s', async (place, reply) => {
    const format = LOG_FORMATS[place.length % LOG_FORMATS.length] as LogFormat;
    const shown = await shownBy(settings(await startEcho(name, reply)), format);
    expect(shown).toContain('[secret]');
    for (const trace of TRACES) expect(shown).not.toContain(trace);
  });
});

test.each([
  ['in the address', (host: string) => ({ FALKORDB_URL: `falkor://user:${encodeURIComponent(KEY)}@${host}` })],
  ['beside the address', (host: string) => ({ FALKORDB_URL: `falkor://${host}`, FALKORDB_PASSWORD: KEY })],
])('the password of FalkorDB %s is never shown, although the server repeats it', async (_, settings) => {
  const refusal = `-WRONGPASS invalid username-password pair ${KEY} falkor://user:${KEY}@host\r\n`;
  const server = createServer(socket => {
    socket.on('data', () => void socket.write(refusal));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const shown = await shownBy(settings(`127.0.0.1:${(server.address() as AddressInfo).port}`), 'json');
  expect(shown).toContain('refused the user name or password');
  for (const trace of TRACES) expect(shown).not.toContain(trace);
});

test('a stored text that contains the key is returned as it is', async () => {
  const { engine, log } = await openForTest({ OPENAI_API_KEY: KEY, LLM_PROVIDER: 'none' });
  const app = createTestApp({ engine, log });
  const content = `The old key was ${KEY}, see https://user:pass@example.com`;
  const { body } = await send(app, 'POST /memory', { json: { content } });
  expect((await send(app, `GET /memory/${body.memory_id}`)).body.content).toBe(content);
  expect((await send(app, 'GET /recall?query=old+key')).body.results[0].memory.content).toBe(content);
});

async function startEcho(name: string, reply: ModelReply): Promise<string> {
  if (name === 'Qdrant') {
    const server = await startedQdrant();
    const { status = 200, json: body, text, headers = {} } = reply;
    server.behave({ status, headers, ...(text === undefined ? { json: body } : { text }) });
    return server.url;
  }
  const server = await startModelServer();
  for (const path of PATHS) server.on(path, reply);
  return server.url;
}

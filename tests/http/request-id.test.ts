/** The id of a request: in its answer, in the body of an internal error, and in every log line about it. */

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openEngine } from '../../src/engine/open.js';
import { listen } from '../../src/http/listen.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createTestApp, openBrokenApp, openTestApp, recordingLog, send, UNKNOWN_ID } from './test-app.js';

const { app, engine, call, close } = await openTestApp({ apiToken: 'token' });
afterAll(close);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TOKEN = { 'x-api-key': 'token' };

describe('the request id in an answer', () => {
  it.each([
    ['GET /health', 200],
    ['GET /recall', 401],
    ['GET /nowhere', 401],
  ])('is the id that the caller sent: %s, %i', async (route, status) => {
    const answer = await call(route, { headers: { 'x-request-id': 'trace-7_a.B' } });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, 'trace-7_a.B']);
  });

  it.each([
    ['GET /nowhere', 404],
    ['PUT /recall', 405],
    ['GET /metrics', 200],
    ['POST /memory', 400],
    [`GET /memory/${UNKNOWN_ID}`, 404],
  ])('is a new id when the caller sent none: %s, %i', async (route, status) => {
    const answers = [await call(route, { headers: TOKEN }), await call(route, { headers: TOKEN })];
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(answers.map(each => each.status)).toEqual([status, status]);
    expect(ids).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('is set when a guard refuses the request, and when the answer has no body', async () => {
    const headers = { 'x-request-id': 'one' };
    const refused = await call('GET /recall', { headers: { ...headers, 'sec-fetch-site': 'cross-site' } });
    expect([refused.status, refused.headers.get('x-request-id')]).toEqual([403, 'one']);
    const head = await app.request('/health', { method: 'HEAD', headers });
    expect(head.headers.get('x-request-id')).toBe('one');
  });

  it.each([
    ['empty', ''],
    ['too long', 'a'.repeat(129)],
    ['with a blank', 'a b'],
    ['that could forge a field', 'a","level":"error'],
    ['with a letter outside of ASCII', 'é'],
  ])('is a new id when the caller sent an invalid id: %s', async (_, id) => {
    const { headers } = await call('GET /health', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toMatch(UUID);
  });

  it('may have the maximum length of 128 characters', async () => {
    const id = 'a'.repeat(128);
    expect((await call('GET /health', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(id);
  });

  it('is set even when the bytes are not a request', async () => {
    const listener = await listen(app, { host: '127.0.0.1', port: 0, log: recordingLog().log });
    onTestFinished(() => listener.close());
    for (const bytes of ['NONSENSE\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n']) {
      const socket = connect(listener.port, '127.0.0.1');
      socket.write(bytes);
      const [head = ''] = (await text(socket)).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(/^x-request-id: (.*)$/im.exec(head)?.[1]).toMatch(UUID);
    }
  });
});

describe('the request id in the log', () => {
  it('of an internal error is the id in the body of the answer', async () => {
    const { app: broken, logged } = openBrokenApp(engine, { recall: () => Promise.reject(new Error('fault')) });
    const headers = { 'x-request-id': 'mine' };
    const answer = await send(broken, 'GET /recall', { headers });
    expect([answer.status, answer.body.request_id, answer.headers.get('x-request-id')]).toEqual([500, 'mine', 'mine']);
    expect(logged).toMatchObject([{ level: 'error', requestId: 'mine' }]);
  });

  it('distinguishes parallel requests', async () => {
    const { app: broken, logged } = openBrokenApp(engine, {
      get: async id => {
        for (let turn = 0; turn < Number(id[0]); turn++) await new Promise(resolve => setImmediate(resolve));
        throw new Error(`fault of ${id[0]}`);
      },
    });
    const numbers = [5, 1, 4, 2, 3].map(String);
    await Promise.all(
      numbers.map(number =>
        send(broken, `GET /memory/${number}${UNKNOWN_ID.slice(1)}`, { headers: { 'x-request-id': `id-${number}` } }),
      ),
    );
    const pairs = logged.map(({ requestId, details }) => [requestId, (details as Error).message]);
    expect(pairs.sort()).toEqual([1, 2, 3, 4, 5].map(number => [`id-${number}`, `fault of ${number}`]));
  });

  it('is set deep inside the engine, and absent in later background work', async () => {
    const { log, entries } = recordingLog();
    const folder = temporaryFolder();
    const config = loadConfig({
      ENGRAPH_DATA_DIR: folder.path,
      EMBEDDING_PROVIDER: 'ollama',
      // Nothing listens at this address.
      OLLAMA_BASE_URL: 'http://127.0.0.1:1',
      EMBEDDING_MAX_RETRIES: '0',
    });
    const failing = await openEngine(config, { log });
    onTestFinished(() => failing.close().then(folder.remove));
    const failingApp = createTestApp({ engine: failing, log });
    const entryOf = (words: string) => entries.find(({ message }) => message.includes(words));
    await send(failingApp, 'GET /recall?query=herons', { headers: { 'x-request-id': 'asking' } });
    expect(entryOf('recall continues without vectors')?.requestId).toBe('asking');
    await send(failingApp, 'POST /memory', { json: { content: 'a' }, headers: { 'x-request-id': 'storing' } });
    await expect.poll(() => entryOf('embedding is tried again')).toBeDefined();
    expect(entryOf('embedding is tried again')?.requestId).toBeUndefined();
  });
});

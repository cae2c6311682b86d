/** Requests that a web page can cause in a browser, and the headers that control how browsers treat answers. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { listen } from '../../src/http/listen.js';
import { openBrokenApp, openTestApp, recordingLog, send, UNKNOWN_ID } from './test-app.js';

const { app, call, engine, close } = await openTestApp({ apiToken: undefined, bodyLimitBytes: 1000 });
afterAll(close);

const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

function safeHeadersOf(headers: Headers): object {
  return Object.fromEntries(Object.keys(SAFE_HEADERS).map(name => [name, headers.get(name)]));
}

const ROUTES = [
  'GET /recall?query=x',
  `GET /recall/why-not?query=x&id=${UNKNOWN_ID}`,
  'GET /memory/by-tag?tags=x',
  'DELETE /memory/by-tag?tags=x',
  `GET /memory/${UNKNOWN_ID}`,
  `GET /memories/${UNKNOWN_ID}/related`,
  'GET /enrichment/status',
  'POST /memory',
  'POST /associate',
  'GET /nowhere',
];

describe('the check of Sec-Fetch-Site', () => {
  it.each(ROUTES)('refuses %s from a page of another origin', async route => {
    for (const site of ['cross-site', 'same-site', ' Cross-Site ']) {
      const { status, body } = await call(route, { headers: { 'sec-fetch-site': site } });
      expect(status).toBe(403);
      expect(body).toMatchObject({ status: 'error', code: 403, error: expect.stringContaining('web page') });
      expect(body.details).toContain('Sec-Fetch-Site');
    }
  });

  it('allows pages of the same origin, the address bar, and programs', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}] as Record<
      string,
      string
    >[]) {
      expect((await call('GET /recall?query=x', { headers })).status).toBe(200);
    }
  });

  it('allows every page to request GET /health', async () => {
    expect((await call('GET /health', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
  });
});

describe('security headers', () => {
  it.each([
    ['a recall', 'GET /recall?query=x', {}, 200],
    ['a health check', 'GET /health', {}, 200],
    ['a request with a foreign host', 'GET /recall', { headers: { host: 'evil.example' } }, 403],
    ['an unknown route', 'GET /nowhere', {}, 404],
    ['a method that is not allowed', 'PUT /recall', {}, 405],
    ['a body that is too large', 'POST /memory', { json: { content: 'x'.repeat(2000) } }, 413],
    ['a body of another type', 'POST /memory', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
  ])('are set on the answer to %s', async (_, route, request, status) => {
    const answer = await call(route, request);
    expect([answer.status, safeHeadersOf(answer.headers)]).toEqual([status, SAFE_HEADERS]);
  });

  it.each([
    ['an error', new Error('fault')],
    ['a string', 'fault'],
  ])('are set on the answer when the engine throws %s', async (_, thrown) => {
    const { app: broken } = openBrokenApp(engine, { recall: () => Promise.reject(thrown) });
    const answer = await send(broken, 'GET /recall');
    expect([answer.status, safeHeadersOf(answer.headers)]).toEqual([500, SAFE_HEADERS]);
  });

  it.each([
    ['bytes that are not a request', 'hello\r\n\r\n', 400],
    ['a request without a host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(600_000)}\r\n\r\n`, 431],
  ])('are set on the answer to %s', async (_, bytes, status) => {
    const listener = await listen(app, { host: '127.0.0.1', port: 0, log: recordingLog().log });
    try {
      const socket = connect(listener.port, '127.0.0.1');
      socket.write(bytes);
      const [head = ''] = (await text(socket)).split('\r\n\r\n');
      const [first, ...lines] = head.split('\r\n');
      const headers = new Headers(lines.map(line => line.split(': ', 2) as [string, string]));
      expect(first).toContain(` ${status} `);
      expect(safeHeadersOf(headers)).toEqual(SAFE_HEADERS);
    } finally {
      await listener.close();
    }
  });
});

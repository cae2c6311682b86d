/** Checks of host and origin, and of the address to listen on (docs/decisions.md, "Tokens"). */
import { afterAll, describe, expect, it } from 'vitest';
import type { HttpSettings } from '../../src/http/app.js';
import { assertSafeToListen } from '../../src/http/guards.js';
import { createTestApp, openTestApp, recordingLog, send } from './test-app.js';

const { call, engine, close } = await openTestApp({ allowedHosts: ['memory.example', '::2', 'with-port.example:81'] });
afterAll(close);

const appOn = (settings: Partial<HttpSettings>) =>
  createTestApp({ engine, settings: settings, log: recordingLog().log });

const statusOf = async (headers: Record<string, string>, settings?: Partial<HttpSettings>) =>
  (settings ? await send(appOn(settings), 'GET /health', { headers }) : await call('GET /health', { headers })).status;

describe('Host header', () => {
  it.each([
    'localhost',
    'LOCALHOST:8001',
    'localhost:1',
    '127.0.0.1',
    '127.0.0.1:65535',
    '127.8.8.8',
    '[::1]',
    '[::1]:8001',
    '[0:0:0:0:0:0:0:1]',
    'memory.example',
    'Memory.Example:443',
    '[::2]:80',
    'with-port.example',
  ])('%s is allowed', async host => {
    expect(await statusOf({ host })).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:8001',
    'localhost.evil.example',
    'sub.memory.example',
    'memory.example.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '0.0.0.0',
    '[::]',
    '[::2',
    'evil.example@localhost',
    'localhost/evil.example',
    'localhost:8001:8001',
    'localhost evil.example',
    'localhost#',
    ':8001',
    '',
  ])('"%s" is refused', async host => {
    const { status, body } = await call('GET /health', { headers: { host } });
    expect(status).toBe(403);
    expect(body).toMatchObject({ status: 'error', code: 403, error: 'Host not allowed', message: 'Host not allowed' });
  });

  it('is checked on every path, before the token', async () => {
    const app = appOn({ apiToken: 'token' });
    for (const route of ['GET /health', 'GET /nowhere', 'POST /memory', 'OPTIONS /recall']) {
      expect((await send(app, route, { headers: { host: 'evil.example' } })).status).toBe(403);
    }
  });

  it.each([
    ['the address listened on', '192.0.2.7', undefined, '192.0.2.7:8001', 200],
    ['another address', '192.0.2.7', undefined, '192.0.2.8:8001', 403],
    ['any address behind a wildcard with a token', '0.0.0.0', 'token', '192.0.2.8:8001', 200],
    ['any IPv6 address behind a wildcard with a token', '::', 'token', '[2001:db8::1]:8001', 200],
    ['an address behind a wildcard without a token', '0.0.0.0', undefined, '192.0.2.8:8001', 403],
    ['a name behind a wildcard with a token', '0.0.0.0', 'token', 'evil.example', 403],
    ['a name that begins like an address', '0.0.0.0', 'token', '192.0.2.8.evil.example', 403],
  ])('%s: a service on %s with token %s gives host %s status %i', async (_, host, apiToken, addressed, status) => {
    expect(await statusOf({ host: addressed }, { host, apiToken })).toBe(status);
  });
});

describe('Origin header', () => {
  it.each([
    ['http://localhost:8001', 200],
    ['http://LOCALHOST:8001', 200],
    ['http://127.0.0.1:8001', 200],
    ['https://[::1]:8001', 200],
    ['https://memory.example', 200],
    ['https://memory.example:4443', 200],
    ['http://localhost:3000', 403],
    ['http://localhost', 403],
    ['https://127.0.0.1', 403],
    ['http://[::1]:80', 403],
    ['http://localhost:99999', 403],
    ['http://evil.example', 403],
    ['http://evil.example:8001', 403],
    ['https://localhost.evil.example', 403],
    ['http://evil.example@localhost', 403],
    ['http://localhost, http://evil.example', 403],
    ['http://localhost/evil', 403],
    ['null', 403],
    ['file://', 403],
    ['file://localhost', 403],
    ['chrome-extension://localhost', 403],
    ['localhost', 403],
    ['http://', 403],
    ['', 403],
  ])('"%s" gets status %i', async (origin, status) => {
    const answer = await call('GET /health', { headers: { origin, host: 'localhost:8001' } });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toMatchObject({ status: 'error', code: 403, error: 'Origin not allowed' });
  });

  it('must equal the requested address when the service listens on every address', async () => {
    const settings = { host: '0.0.0.0', apiToken: 'token' };
    const host = '192.0.2.8:8001';
    expect(await statusOf({ host, origin: 'http://192.0.2.8:8001' }, settings)).toBe(200);
    expect(await statusOf({ host, origin: 'http://192.0.2.8:3000' }, settings)).toBe(403);
    expect(await statusOf({ host, origin: 'http://192.0.2.9:8001' }, settings)).toBe(403);
    // Here localhost is the machine with the browser, not the machine with the service.
    expect(await statusOf({ host, origin: 'http://localhost:8001' }, settings)).toBe(403);
  });

  it.each([
    ['localhost', 'http://127.0.0.1', 200],
    ['localhost', 'http://localhost:80', 200],
    ['localhost', 'https://localhost', 200],
    ['localhost:443', 'https://localhost', 200],
    ['localhost:443', 'http://localhost', 403],
  ])('without a port has the default port: a request to %s from %s gets status %i', async (host, origin, status) => {
    expect(await statusOf({ host, origin })).toBe(status);
  });

  it('never leads to a CORS header', async () => {
    for (const route of ['GET /health', 'OPTIONS /memory', 'OPTIONS /recall', 'GET /nowhere']) {
      const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' };
      const answered = [...(await call(route, { headers })).headers.keys()];
      expect(answered.filter(name => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('assertSafeToListen', () => {
  it.each(['127.0.0.1', '127.0.0.2', 'localhost', 'LocalHost', '::1'])('allows %s without a token', host => {
    expect(() => assertSafeToListen(host, undefined)).not.toThrow();
  });

  it.each(['0.0.0.0', '::', '', '192.0.2.7', 'memory.example', '0', '::ffff:192.0.2.7'])(
    'requires a token for "%s"',
    host => {
      expect(() => assertSafeToListen(host, 'token')).not.toThrow();
      for (const none of [undefined, '']) {
        expect(() => assertSafeToListen(host, none)).toThrow(
          expect.objectContaining({ code: 'forbidden', hint: expect.stringContaining('SERVICE_API_TOKEN') }),
        );
      }
    },
  );
});

/**
 * The parts of a request that a relay forwards to the service at ENGRAPH_URL, and the parts of the answer that it
 * returns.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/engine/clock.js';
import { createHandlers } from '../../src/mcp/handlers.js';
import { createMemoryClient } from '../../src/sharing/memory.js';
import { send } from '../http/test-app.js';
import { CONTENT_TIERS } from '../mcp/connected-client.js';
import { testLimits } from '../support/test-limits.js';
import { addressOf, openService, relayTo } from './relay-app.js';
import { configOf, join, log } from './test-memory.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const IDENTIFIED = { 'x-request-id': 'there', 'content-type': 'application/json' };
const succeed: Answer = (_request, response) => void response.writeHead(200, IDENTIFIED).end('{"status":"success"}');

/** A service that records the requests it receives. */
async function recordingRemote(answer: Answer = succeed) {
  const received: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    received.push({ url: request.url ?? '', headers: request.headers, body });
    answer(request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** Recalls from the service at the address and returns the text that the model reads. The call is not repeated. */
async function recalledFrom(url: string, env: Record<string, string> = {}): Promise<unknown> {
  const shared = join(configOf({ ENGRAPH_URL: url, ...env }));
  const memory = createMemoryClient({ memory: shared, clock: systemClock, log, retryDelaysMs: [] });
  const handlers = createHandlers({ memory, limits: testLimits(), content: CONTENT_TIERS, log });
  const { content } = await handlers.callTool({ name: 'recall_memory', arguments: { query: 'a' } });
  return content;
}

describe('the service at ENGRAPH_URL receives', () => {
  test('no secret of the caller, in any part of the request', async () => {
    const { url, received } = await recordingRemote();
    const env = { ENGRAPH_TOKEN: 'theirs', SERVICE_API_TOKEN: 'local', ADMIN_API_TOKEN: 'operator' };
    const app = relayTo(url, env);
    const forms: [string, Record<string, string>][] = [
      ['GET /recall?query=a', { authorization: 'Bearer local', cookie: 'session=local' }],
      ['GET /recall?query=a', { 'x-api-key': 'local', 'x-admin-token': 'other local' }],
      ['GET /recall?api_key=local&query=a', { 'x-admin-api-key': 'other local' }],
      ['GET /recall?query=a&api%5Fkey=local&admin_token=local', { 'x-api-key': 'local' }],
    ];
    for (const [route, headers] of forms) expect((await send(app, route, { headers })).status).toBe(200);
    expect(received).toHaveLength(forms.length);
    for (const request of received) {
      expect(JSON.stringify(request)).not.toContain('local"');
      expect(request.url).toBe('/recall?query=a');
      expect(request.headers.authorization).toBe('Bearer theirs');
    }
  });

  test('the admin token of the relay, but only if the caller has presented it', async () => {
    const { url, received } = await recordingRemote();
    const app = relayTo(url, { ADMIN_API_TOKEN: 'operator' });
    const shown = { headers: { 'x-admin-api-key': 'operator' }, json: {} };
    expect((await send(app, 'POST /admin/sync', shown)).status).toBe(200);
    expect((await send(app, 'POST /admin/sync?admin_token=operator', { json: {} })).status).toBe(200);
    expect((await send(app, 'POST /admin/sync', { headers: { 'x-admin-token': 'guess' }, json: {} })).status).toBe(401);
    expect((await send(app, 'GET /recall?query=a', { headers: { 'x-admin-token': 'guess' } })).status).toBe(200);
    expect(received.map(({ url: target, headers }) => [target, headers['x-admin-token']])).toEqual([
      ['/admin/sync', 'operator'],
      ['/admin/sync', 'operator'],
      ['/recall?query=a', undefined],
    ]);
  });

  test("no header about the caller's connection", async () => {
    const { url, received } = await recordingRemote();
    const headers = {
      connection: 'Upgrade, X-Mine',
      upgrade: 'h2c',
      expect: '100-continue',
      te: 'trailers',
      trailer: 'x-sum',
      'proxy-connection': 'keep-alive',
      'proxy-authorization': 'Basic eDp5',
      'accept-encoding': 'br',
      'x-mine': 'hop',
      'x-other': 'end to end',
    };
    const { status } = await send(relayTo(url), 'POST /memory', { headers, json: { content: 'Herons nest early' } });
    expect(status).toBe(200);
    const [request] = received;
    for (const name of ['upgrade', 'expect', 'te', 'trailer', 'proxy-connection', 'proxy-authorization', 'x-mine']) {
      expect([name, request?.headers[name]]).toEqual([name, undefined]);
    }
    expect(request?.headers['x-other']).toBe('end to end');
    expect(request?.headers['accept-encoding']).not.toBe('br');
    expect(request?.body).toBe('{"content":"Herons nest early"}');
  });
});

describe('the caller receives', () => {
  test('the complete answer, even if it was compressed on the way', async () => {
    const text = JSON.stringify({ status: 'success', pad: 'x'.repeat(2000) });
    const packed = gzipSync(text);
    const { url } = await recordingRemote((_request, response) => {
      const headers = { ...IDENTIFIED, 'content-encoding': 'gzip', 'content-length': packed.length };
      response.writeHead(200, headers).end(packed);
    });
    const answer = await fetch(`${await addressOf(relayTo(url))}/recall?query=a`);
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([null, text]);
  });

  test('a refusal if ENGRAPH_URL leads back to the relay itself', async () => {
    let app: Hono | undefined;
    const url = await addressOf({ fetch: request => (app as Hono).fetch(request) });
    app = relayTo(url);
    const { status, body } = await send(app, 'GET /health');
    expect([status, body.message]).toEqual([503, `ENGRAPH_URL (${url}) leads back to this process`]);
  });

  test('answers through two relays in a row', async () => {
    const { url } = await recordingRemote();
    expect((await send(relayTo(await addressOf(relayTo(url))), 'GET /recall?query=a')).status).toBe(200);
  });
});

describe('a service that refuses the relay', () => {
  test.each([
    ['wrong', 'refuses ENGRAPH_TOKEN'],
    [undefined, 'requires an API token, and ENGRAPH_TOKEN is not set'],
  ])('with ENGRAPH_TOKEN=%s is named in the error, over REST and in the text for the model', async (token, problem) => {
    const { url } = await openService({ apiToken: 'secret' });
    const env: Record<string, string> = token === undefined ? {} : { ENGRAPH_TOKEN: token };
    const said = {
      message: `${url} ${problem}`,
      details: 'Set ENGRAPH_TOKEN to the SERVICE_API_TOKEN of the service at that address.',
    };
    expect(await send(relayTo(url, env), 'GET /recall')).toMatchObject({ status: 401, body: said });
    const text = `${said.message}\n${said.details}`;
    expect(await recalledFrom(url, env)).toEqual([{ type: 'text', text }]);
  });

  test('because of the admin token is named in the error', async () => {
    const { url } = await openService({ adminToken: 'theirs' });
    const app = relayTo(url, { ADMIN_API_TOKEN: 'ours' });
    const { status, body } = await send(app, 'POST /admin/sync', { headers: { 'x-admin-token': 'ours' }, json: {} });
    expect([status, body.message]).toEqual([401, `${url} refuses the admin token`]);
    expect(body.details).toContain('ADMIN_API_TOKEN must be the same');
  });
});

describe('an answer that does not come from Engraph', () => {
  test.each<[string, Answer, string]>([
    ['from elsewhere', (_q, response) => void response.setHeader('content-type', 'application/json').end('{}'), '200'],
    ['from a proxy', (_q, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'), '502'],
    [
      'that redirects',
      (_q, response) => void response.writeHead(301, { location: 'https://else.example/' }).end(),
      '301, redirect to https://else.example/',
    ],
  ])('%s is reported as such, over REST and in the text for the model', async (_, answer, status) => {
    const { url, received } = await recordingRemote(answer);
    const message = `The answer from ${url} does not come from Engraph (status ${status})`;
    const refused = await send(relayTo(url), 'GET /recall?query=a');
    expect([refused.status, refused.body.message]).toEqual([503, message]);
    expect(received).toHaveLength(1);
    expect(await recalledFrom(url)).toMatchObject([{ text: expect.stringContaining(message) }]);
  });
});

test.each(['http://host:9?x=1', 'http://host:9/#y', 'http://host:9?'])('ENGRAPH_URL %s is refused', url => {
  expect(() => configOf({ ENGRAPH_URL: url })).toThrow('ENGRAPH_URL must end with its path');
});

test("an upload that is interrupted on its way through a relay is reported as the caller's fault", async () => {
  const { url, received } = await recordingRemote();
  const body = new ReadableStream({
    start: controller => controller.enqueue(new TextEncoder().encode('{"content":')),
    pull: controller => controller.error(new Error('aborted')),
  });
  const headers = { 'content-type': 'application/json', 'content-length': '100' };
  const { status, body: answer } = await send(relayTo(url), 'POST /memory', { headers, body });
  expect([status, answer.message]).toEqual([400, 'The request body could not be read']);
  expect(received).toHaveLength(0);
});

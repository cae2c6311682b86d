/** Every failure on `/mcp` is a JSON-RPC error with the corresponding HTTP status. */
import { describe, expect, it } from 'vitest';
import { exchange, INITIALIZE, LIST, type McpRequest, openMcpApp, openSession, toolCall } from './mcp-app.js';

const TOKEN = 'correct horse';

const FAILURES: [string, McpRequest, number, number][] = [
  ['no token', { message: INITIALIZE, headers: { authorization: '' } }, 401, -32_000],
  ['a wrong token', { message: INITIALIZE, headers: { authorization: 'Bearer wrong' } }, 401, -32_000],
  ['a foreign host', { message: INITIALIZE, headers: { host: 'evil.example' } }, 403, -32_000],
  ['a foreign origin', { message: INITIALIZE, headers: { origin: 'https://evil.example' } }, 403, -32_000],
  ['a foreign page', { message: INITIALIZE, headers: { 'sec-fetch-site': 'cross-site' } }, 403, -32_000],
  ['another method', { method: 'PUT', message: INITIALIZE }, 405, -32_000],
  ['a stream without a session', { method: 'GET' }, 400, -32_600],
  ['a stream of an unknown session', { method: 'GET', session: 'x' }, 404, -32_001],
  ['an unknown session', { message: LIST, session: 'x' }, 404, -32_001],
  ['initialize in an unknown session', { message: INITIALIZE, session: 'x' }, 404, -32_001],
  ['the end of no session', { method: 'DELETE' }, 400, -32_600],
  ['no stream accepted', { message: LIST, headers: { accept: 'application/json' } }, 406, -32_000],
  ['a form', { message: LIST, headers: { 'content-type': 'text/plain' } }, 415, -32_000],
  [
    'a type that only looks like JSON',
    { message: LIST, headers: { 'content-type': 'text/json;x=application/json' } },
    415,
    -32_000,
  ],
  ['no body', {}, 400, -32_700],
  ['malformed JSON', { body: '{"jsonrpc":' }, 400, -32_700],
  ['bytes that are no text', { body: new Uint8Array([0x22, 0xff, 0x22]) }, 400, -32_700],
  ['deep nesting', { body: '['.repeat(5000) + ']'.repeat(5000) }, 400, -32_700],
  ['JSON that is not a message', { body: '{"id":1}' }, 400, -32_600],
  ['an empty batch', { body: '[]' }, 400, -32_600],
  ['a batch of 101', { message: Array.from({ length: 101 }, (_, id) => ({ ...LIST, id })) }, 400, -32_600],
  ['one id twice in a batch', { message: [LIST, LIST] }, 400, -32_600],
  ['an unknown version', { message: LIST, headers: { 'mcp-protocol-version': '1999-01-01' } }, 400, -32_000],
  ['a body that is too large', { body: ' '.repeat(5_000_000) }, 413, -32_000],
  ['a chunked body that is too large', { body: new Blob([' '.repeat(5_000_000)]).stream() }, 413, -32_000],
  ['a million elements as a batch', { message: new Array(1_000_000).fill(1) }, 400, -32_600],
];

describe('a failure on /mcp', () => {
  it.each(FAILURES)('for %s is a JSON-RPC error', async (_, sent, status, code) => {
    const { app, endpoint, madeCount } = openMcpApp({}, { apiToken: TOKEN, bodyLimitBytes: 1_000 });
    const answer = await exchange(app, { ...sent, headers: { authorization: `Bearer ${TOKEN}`, ...sent.headers } });
    expect([answer.status, answer.message.error.code]).toEqual([status, code]);
    expect(answer.message).toEqual({ jsonrpc: '2.0', id: null, error: expect.any(Object) });
    expect(answer.message.error.message).toEqual(expect.stringMatching(/./));
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(endpoint.sessionCount).toBe(0);
    // A server is created only for failures that the SDK itself detects.
    expect(madeCount()).toBe(status === 406 || (code === -32_000 && status === 400) ? 1 : 0);
  });

  it('for a missing token says how to send a token', async () => {
    const { app } = openMcpApp({}, { apiToken: TOKEN });
    const { headers } = await exchange(app, { message: INITIALIZE });
    expect(headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  });

  it('for an unsupported method names the supported methods', async () => {
    const { app } = openMcpApp();
    const { status, headers } = await exchange(app, { method: 'PATCH', message: LIST });
    expect([status, headers.get('allow')]).toEqual([405, 'POST, GET, HEAD, DELETE']);
  });

  it('for an unknown JSON-RPC method is the standard error -32601', async () => {
    const { app } = openMcpApp();
    const session = await openSession(app);
    const { message } = await exchange(app, { message: { ...LIST, method: 'no/such/method' }, session });
    expect(message).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'Method not found' } });
  });
});

it('HEAD /mcp opens no stream', async () => {
  const { app } = openMcpApp();
  const session = await openSession(app);
  const response = await app.request('/mcp', {
    method: 'HEAD',
    headers: { accept: 'text/event-stream', 'mcp-session-id': session },
  });
  expect(response.status).toBe(405);
  const stream = await app.request('/mcp', { headers: { accept: 'text/event-stream', 'mcp-session-id': session } });
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

it('a batch of a hundred messages on /mcp is answered completely', async () => {
  const { app } = openMcpApp();
  const session = await openSession(app);
  const message = Array.from({ length: 100 }, (_, id) => toolCall(id, 'echo', { text: `${id}` }));
  const response = await app.request('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
    },
    body: JSON.stringify(message),
  });
  expect([...(await response.text()).matchAll(/^data: /gm)]).toHaveLength(100);
});

it('a message on /mcp may be larger than the body limit of REST', async () => {
  const { app } = openMcpApp({}, { bodyLimitBytes: 1_000 });
  const text = 'x'.repeat(1_000_000);
  const { message } = await exchange(app, { message: toolCall(1, 'echo', { text }) });
  expect(message.result.content[0].text).toHaveLength(1_000_000);
});

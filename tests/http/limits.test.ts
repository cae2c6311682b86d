/** Limits per caller, on REST and on `/mcp`. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exchange, from, openMcpApp, toolCall } from './mcp/mcp-app.js';
import { send } from './test-app.js';

describe('the limit of requests per second', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const open = () => openMcpApp({}, { requestLimits: { maxPerSecond: 3 } });

  it('applies to REST and is reset a second later', async () => {
    const { app } = open();
    for (let sent = 0; sent < 3; sent++) expect((await send(app, 'GET /openapi.json')).status).toBe(200);
    const { status, headers, body } = await send(app, 'GET /openapi.json');
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    expect(body).toMatchObject({ status: 'error', code: 429, message: 'Too many requests' });
    expect(body.details).toContain('more than 3 requests in one second');
    vi.advanceTimersByTime(1_000);
    expect((await send(app, 'GET /openapi.json')).status).toBe(200);
  });

  it('applies to /mcp, with a JSON-RPC error', async () => {
    const { app } = open();
    const echo = { message: toolCall(1, 'echo') };
    for (let sent = 0; sent < 3; sent++) expect((await exchange(app, echo)).status).toBe(200);
    const { status, headers, message } = await exchange(app, echo);
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    expect(message).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Too many requests' } });
  });

  it('affects neither other callers nor GET /health', async () => {
    const { app } = open();
    const status = async (route: string, caller: string) => (await send(app, route, { env: from(caller) })).status;
    for (let sent = 0; sent < 9; sent++) await status('GET /docs', 'greedy');
    expect(await status('GET /docs', 'greedy')).toBe(429);
    expect(await status('GET /docs', 'modest')).toBe(200);
    for (let sent = 0; sent < 9; sent++) expect(await status('GET /health', 'greedy')).not.toBe(429);
  });

  it('cannot be avoided by an invented token in each request', async () => {
    const { app } = open();
    const statuses = [];
    for (let sent = 0; sent < 4; sent++) {
      statuses.push((await send(app, 'GET /docs', { headers: { 'x-api-key': `invented ${sent}` } })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('counts every message of a batch on /mcp', async () => {
    const { app } = open();
    const batch = (count: number) => Array.from({ length: count }, (_, id) => toolCall(id, 'echo'));
    expect((await exchange(app, { message: batch(3), address: 'a' })).status).toBe(200);
    expect((await exchange(app, { message: toolCall(1, 'echo'), address: 'a' })).status).toBe(429);
    const { status, headers, message } = await exchange(app, { message: batch(4), address: 'b' });
    expect([status, headers.get('retry-after'), message.error.message]).toEqual([429, '1', 'Too many requests']);
  });

  it('keeps no data about idle callers', async () => {
    const { app } = open();
    for (let sent = 0; sent < 100; sent++) await send(app, 'GET /nothing', { env: from(`caller ${sent}`) });
    expect(vi.getTimerCount()).toBe(100);
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('the default limits allow 64 parallel clients to send 2,000 requests in all', async () => {
  const { loadConfig } = await import('../../src/config.js');
  const { app } = openMcpApp({}, { requestLimits: loadConfig({}).requestLimits });
  let sent = 0;
  const statuses = new Set<number>();
  const client = async () => {
    while (sent++ < 2_000) statuses.add((await send(app, 'GET /nothing')).status);
  };
  await Promise.all(Array.from({ length: 64 }, client));
  expect([...statuses]).toEqual([404]);
});

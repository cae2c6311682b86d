/** GET /metrics of a process with ENGRAPH_URL shows the traffic of this process and the memory of the other service. */
import { expect, test } from 'vitest';
import { readMetrics, sampleValue } from '../http/metrics-text.js';
import { createTestApp, recordingLog, send } from '../http/test-app.js';
import { faultyEngine } from '../mcp/connected-client.js';
import { addressOf, openService, relayTo } from './relay-app.js';

test('metrics of a relay: each metric is listed once, and the traffic is that of the relay', async () => {
  const { url, call } = await openService({});
  for (let turn = 0; turn < 3; turn++) await call('GET /recall?query=a');
  for (const relay of [relayTo(url), relayTo(await addressOf(relayTo(url)))]) {
    await send(relay, 'GET /recall?query=a');
    const { status, body } = await send(relay, 'GET /metrics');
    expect(status).toBe(200);
    const samples = readMetrics(body);
    expect(sampleValue(samples, 'engraph_http_requests_total', { route: '/recall' })).toBe(1);
    expect(sampleValue(samples, 'engraph_memories')).toBe(0);
    expect(sampleValue(samples, 'process_start_time_seconds')).toBeGreaterThan(0);
  }
});

test('metrics of a relay: a refusal by the other service is passed on', async () => {
  const { url } = await openService({ apiToken: 'secret' });
  const { status, body } = await send(relayTo(url, { ENGRAPH_TOKEN: 'wrong' }), 'GET /metrics');
  expect([status, body.message]).toEqual([401, `${url} refuses ENGRAPH_TOKEN`]);
});

test('metrics: GET /metrics answers 500 when the memory fails', async () => {
  const engine = faultyEngine({ statistics: () => Promise.reject(new Error('fault')) });
  const { status, body } = await send(createTestApp({ engine, log: recordingLog().log }), 'GET /metrics');
  expect([status, body.code]).toEqual([500, 500]);
});

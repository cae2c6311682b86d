/** GET /metrics: all counts, in a text that Prometheus can parse. Each label has only a few values. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { createTrafficMetrics } from '../../src/http/metrics/traffic-metrics.js';
import { connectClient, faultyEngine } from '../mcp/connected-client.js';
import { startModelServer } from '../support/model-server.js';
import { startedQdrant } from '../support/qdrant-store.js';
import { openTestEngine } from '../support/test-engine.js';
import { readMetrics, type Sample, sampleValue } from './metrics-text.js';
import { createTestApp, openTestApp, recordingLog, send, UNKNOWN_ID } from './test-app.js';

type Call = (route: string) => Promise<{ status: number; body: string }>;

async function scrape(call: Call): Promise<Sample[]> {
  const { status, body } = await call('GET /metrics');
  expect(status).toBe(200);
  return readMetrics(body);
}

/** Opens an application over an engine with these settings, and closes it at the end of the test. */
async function openApp(env: Record<string, string>) {
  const memory = await openTestEngine(env);
  onTestFinished(() => memory.close());
  const metrics = createTrafficMetrics();
  const app = createTestApp({ engine: memory.engine, log: memory.log, metrics });
  return {
    ...memory,
    engine: memory.engine,
    metrics,
    call: (route: string, json?: unknown) => send(app, route, { json }),
  };
}

const NAMES = [
  'engraph_http_requests_total',
  'engraph_http_request_duration_seconds_bucket',
  'engraph_http_request_duration_seconds_sum',
  'engraph_http_request_duration_seconds_count',
  'engraph_mcp_tool_calls_total',
  'engraph_mcp_tool_call_duration_seconds_bucket',
  'engraph_mcp_tool_call_duration_seconds_sum',
  'engraph_mcp_tool_call_duration_seconds_count',
  'engraph_recalls_total',
  'engraph_recall_duration_seconds_bucket',
  'engraph_recall_duration_seconds_sum',
  'engraph_recall_duration_seconds_count',
  'engraph_queue_depth',
  'engraph_queue_in_flight',
  'engraph_queue_failed',
  'engraph_queue_oldest_due_age_seconds',
  'engraph_store_up',
  'engraph_store_circuit_open',
  'engraph_store_failures_total',
  'engraph_memories',
  'engraph_vectors',
  'engraph_memories_without_vector',
  'engraph_vectors_without_memory',
  'engraph_disk_free_bytes',
  'engraph_embedding_calls_total',
  'engraph_embedding_texts_total',
  'engraph_embedding_failures_total',
  'engraph_language_model_requests_total',
  'engraph_language_model_failures_total',
  'engraph_language_model_input_tokens_total',
  'engraph_language_model_output_tokens_total',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
  'process_start_time_seconds',
  'nodejs_eventloop_lag_seconds',
  'engraph_event_loop_busy_seconds_total',
];

/** The fixed answer of the language model, with its token usage. */
const MODEL_REPLY = {
  json: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [{ type: 'text', text: '{"type":"Insight","confidence":0.8}' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 120, output_tokens: 7 },
  },
};

test('GET /metrics shows every metric, and counts requests, tool calls, recalls and memories correctly', async () => {
  const model = await startModelServer();
  model.on('/v1/messages', MODEL_REPLY);
  const { call, engine, metrics } = await openApp({ ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: model.url });
  const { call: callTool, close } = await connectClient(engine, { observeCall: metrics.observeToolCall });
  onTestFinished(close);
  await call('POST /memory', { content: 'Herons nest on chimneys.' });
  await callTool('store_memory', { content: 'Herons eat frogs.' });
  await engine.idle();
  await call('GET /recall?query=herons');
  await callTool('recall_memory', { query: 'zeppelins' });

  const samples = await scrape(call);
  expect([...new Set(samples.map(({ name }) => name))].sort()).toEqual([...NAMES].sort());
  const value = (name: string, labels?: Record<string, string>) => sampleValue(samples, name, labels);
  expect(value('engraph_http_requests_total', { method: 'POST', route: '/memory', status: '201' })).toBe(1);
  expect(value('engraph_http_request_duration_seconds_count', { method: 'GET', route: '/recall' })).toBe(1);
  expect(value('engraph_mcp_tool_calls_total', { tool: 'recall_memory', outcome: 'success' })).toBe(1);
  expect(value('engraph_mcp_tool_call_duration_seconds_count', { tool: 'store_memory' })).toBe(1);
  const recalls = samples.filter(({ name }) => name === 'engraph_recalls_total');
  expect(recalls.map(({ labels }) => labels.confidence)).toEqual(['none', 'low', 'medium', 'high']);
  expect(recalls.reduce((sum, each) => sum + each.value, 0)).toBe(2);
  expect(value('engraph_recalls_total', { confidence: 'none' })).toBe(1);
  expect(value('engraph_recall_duration_seconds_count')).toBe(2);
  expect(value('engraph_recall_duration_seconds_bucket', { le: '+Inf' })).toBe(2);
  expect(value('engraph_memories')).toBe(2);
  expect(value('engraph_vectors')).toBe(2);
  expect(value('engraph_memories_without_vector')).toBe(0);
  for (const store of ['graph', 'vectors']) {
    expect(value('engraph_store_up', { store })).toBe(1);
    expect(value('engraph_store_circuit_open', { store })).toBe(0);
  }
  for (const kind of ['embed', 'enrich']) expect(value('engraph_queue_depth', { kind })).toBe(0);
  // Two memories are embedded in one or two calls, and each recall embeds one query.
  expect(value('engraph_embedding_texts_total', { model: 'hash-v3-64' })).toBe(4);
  expect(value('engraph_embedding_calls_total')).toBeGreaterThanOrEqual(3);
  expect(value('engraph_language_model_requests_total', { model: 'anthropic claude-haiku-4-5' })).toBe(2);
  expect(value('engraph_language_model_input_tokens_total')).toBe(240);
  expect(value('engraph_language_model_output_tokens_total')).toBe(14);
  expect(value('engraph_disk_free_bytes')).toBeGreaterThan(0);
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  expect(value('process_start_time_seconds')).toBeGreaterThan(1_600_000_000);
});

describe('GET /metrics of one application', async () => {
  const { app, call, engine, close } = await openTestApp({ apiToken: 'token' });
  afterAll(close);
  const headers = { 'x-api-key': 'token' };
  const callWithToken: Call = route => send(app, route, { headers });

  beforeAll(async () => {
    for (let turn = 0; turn < 50; turn++) {
      await app.request(`/${randomUUID()}/${turn}?q=${randomUUID()}`, { headers });
      await app.request(`/memory/${randomUUID()}`, { headers, method: 'DELETE' });
      await app.request(`/memories/${randomUUID()}/related`);
      await app.request('/recall', { headers, method: `METHOD${turn}` });
    }
  });

  test('has labels with few values, whatever paths and methods are requested', async () => {
    const { body } = await callWithToken('GET /metrics');
    const samples = readMetrics(body).filter(({ name }) => name === 'engraph_http_requests_total');
    const seen = samples.map(({ labels, value }) => `${labels.method} ${labels.route} ${labels.status} ${value}`);
    expect(seen.sort()).toEqual([
      'DELETE /memory/:id 404 50',
      'GET /memories/:id/related 401 50',
      'GET unmatched 404 50',
      'other /recall 405 50',
    ]);
    expect(body).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  test('labels a fixed path with its own pattern when another pattern matches too', async () => {
    await callWithToken('GET /memory/by-tag?tags=a');
    const samples = await scrape(callWithToken);
    expect(sampleValue(samples, 'engraph_http_requests_total', { route: '/memory/by-tag', status: '200' })).toBe(1);
  });

  test('answers HEAD without a body, and refuses other methods', async () => {
    const response = await app.request('/metrics', { method: 'HEAD', headers });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect((await callWithToken('POST /metrics')).status).toBe(405);
  });

  test('requires the token, and refuses foreign pages and foreign host names', async () => {
    expect((await call('GET /metrics')).status).toBe(401);
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { host: 'evil.example' },
    ];
    for (const each of foreign) {
      expect((await call('GET /metrics', { headers: { ...headers, ...each } })).status).toBe(403);
    }
  });

  test('counts only its own requests, even if another application uses the same engine', async () => {
    const other = createTestApp({ engine, log: recordingLog().log });
    const samples = await scrape(route => send(other, route));
    expect(samples.filter(({ name }) => name === 'engraph_http_requests_total')).toEqual([]);
  });
});

describe('metrics of tool calls', () => {
  test('count calls by outcome', async () => {
    const metrics = createTrafficMetrics();
    const outcomes = [new MemoryError('not_found', 'gone'), new MemoryError('unavailable', 'away'), new Error('fault')];
    const engine = faultyEngine({ update: async () => Promise.reject(outcomes.shift()) });
    const { call, close } = await connectClient(engine, { observeCall: metrics.observeToolCall });
    for (let turn = 0; turn < 3; turn++) await call('update_memory', { memory_id: UNKNOWN_ID, importance: 1 });
    await close();
    const samples = readMetrics(await metrics.registry.metrics());
    const tool = 'update_memory';
    expect(sampleValue(samples, 'engraph_mcp_tool_calls_total', { tool, outcome: 'refused' })).toBe(1);
    expect(sampleValue(samples, 'engraph_mcp_tool_calls_total', { tool, outcome: 'failed' })).toBe(2);
  });

  test('are optional: tools work without a counter', async () => {
    const { call, close } = await connectClient(faultyEngine({ remove: async () => {} }));
    expect((await call('delete_memory', { memory_id: UNKNOWN_ID })).isError).not.toBe(true);
    await close();
  });
});

describe('GET /metrics while a part of the service is unavailable', () => {
  test('shows an unreachable vector store as down, and has no sample for its vectors', async () => {
    const qdrant = await startedQdrant();
    const { call, engine, clock } = await openApp({ QDRANT_URL: qdrant.url });
    await call('POST /memory', { content: 'apples' });
    await engine.idle();
    expect(sampleValue(await scrape(call), 'engraph_vectors')).toBe(1);
    await qdrant.goAway();
    await call('GET /recall?query=apples');
    const samples = await scrape(call);
    expect(sampleValue(samples, 'engraph_store_up', { store: 'vectors' })).toBe(0);
    expect(sampleValue(samples, 'engraph_store_up', { store: 'graph' })).toBe(1);
    expect(sampleValue(samples, 'engraph_store_circuit_open', { store: 'vectors' })).toBe(1);
    expect(sampleValue(samples, 'engraph_store_failures_total', { store: 'vectors' })).toBeGreaterThan(0);
    expect(sampleValue(samples, 'engraph_vectors')).toBeUndefined();
    expect(sampleValue(samples, 'engraph_memories')).toBe(1);
    await qdrant.comeBack();
    const circuit = async () => {
      clock.advance(1_000);
      return sampleValue(await scrape(call), 'engraph_store_circuit_open', { store: 'vectors' });
    };
    await expect.poll(circuit).toBe(0);
  });

  test('waits at most two seconds for a store that hangs', async () => {
    const qdrant = await startedQdrant();
    const { call, clock, engine } = await openApp({ QDRANT_URL: qdrant.url, QDRANT_TIMEOUT_SECONDS: '60' });
    await call('POST /memory', { content: 'apples' });
    await engine.idle();
    qdrant.behave('hang');
    const before = qdrant.requests.length;
    const scraped = scrape(call);
    await expect.poll(() => qdrant.requests.length).toBeGreaterThan(before);
    clock.advance(2_000);
    const samples = await scraped;
    expect(sampleValue(samples, 'engraph_store_up', { store: 'vectors' })).toBe(0);
    expect(sampleValue(samples, 'engraph_memories')).toBe(1);
    qdrant.behave(undefined);
    await qdrant.goAway();
  });

  test('shows the age of work that waits for a model, and counts failed calls', async () => {
    const model = await startModelServer();
    model.on('/v1/embeddings', 'drop');
    const { call, engine, clock } = await openApp({
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_MODEL: 'test-model',
      EMBEDDING_MAX_RETRIES: '0',
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: `${model.url}/v1`,
      LLM_PROVIDER: 'none',
    });
    await call('POST /memory', { content: 'apples' });
    await engine.idle();
    clock.advance(90_000);
    await engine.idle();
    const samples = await scrape(call);
    expect(sampleValue(samples, 'engraph_queue_depth', { kind: 'embed' })).toBe(1);
    expect(sampleValue(samples, 'engraph_queue_oldest_due_age_seconds', { kind: 'embed' })).toBeGreaterThanOrEqual(90);
    expect(sampleValue(samples, 'engraph_embedding_failures_total')).toBeGreaterThan(0);
    expect(samples.filter(({ name }) => name.includes('language_model'))).toEqual([]);
  });

  test('does not fail after the engine has been closed', async () => {
    const { call, engine } = await openApp({});
    await engine.close();
    const samples = await scrape(call);
    expect(sampleValue(samples, 'engraph_store_up', { store: 'graph' })).toBe(0);
    expect(sampleValue(samples, 'engraph_memories')).toBeUndefined();
    expect(sampleValue(samples, 'engraph_queue_depth', { kind: 'embed' })).toBeUndefined();
  });
});

/** Retries of the client over failing connections, and time limits. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { UNKNOWN_ID } from '../http/test-app.js';
import { answeringFirst, connect, losingAnswers } from './connect.js';

const away = () => new Response('{"message":"away"}', { status: 503 });

describe('a retry', () => {
  test('stores no memory twice', async () => {
    const { client, engine, targets } = await connect({ around: losingAnswers(3) });
    const { memory_id } = await client.store({ content: 'once' });
    expect(targets).toHaveLength(4);
    expect(await engine.get(memory_id)).toBeDefined();
    expect((await client.health()).memory_count).toBe(1);
  });

  test('stores no memory of a batch twice', async () => {
    const { client, targets } = await connect({ around: losingAnswers(2) });
    await client.storeMany([{ content: 'one' }, { content: 'two' }]);
    expect(targets).toHaveLength(3);
    expect((await client.health()).memory_count).toBe(2);
  });

  test('of an update has the same effect as a single attempt', async () => {
    const { client, targets } = await connect({ around: losingAnswers(1, 'PATCH') });
    const { memory_id } = await client.store({ content: 'Billing', metadata: { team: 'a', floor: 1 } });
    await client.update(memory_id, { metadata: { team: 'b' } });
    expect(targets).toHaveLength(3);
    expect(await client.get(memory_id)).toMatchObject({ metadata: { team: 'b', floor: 1 } });
  });

  test('of an association creates no second edge', async () => {
    const { client, engine, targets } = await connect({ around: losingAnswers(1, 'POST /associate') });
    const { memory_ids } = await client.storeMany([{ content: 'one' }, { content: 'two' }]);
    const [one = '', two = ''] = memory_ids;
    await client.associate({ memory1_id: one, memory2_id: two, type: 'LEADS_TO' });
    expect(targets).toHaveLength(3);
    await engine.idle();
    expect((await client.related(one, { relationship_types: ['LEADS_TO'] })).count).toBe(1);
  });

  test('of a removal by tag counts only the memories that the retry found', async () => {
    const { client } = await connect({ around: losingAnswers(1, 'DELETE') });
    await client.store({ content: 'to go', tags: ['old'] });
    expect((await client.removeByTag(['old'])).deleted_count).toBe(0);
    expect((await client.health()).memory_count).toBe(0);
  });

  test('is made after a 429', async () => {
    const busy = new Response('{"message":"Too many requests"}', { status: 429 });
    const { client, targets } = await connect({ around: answeringFirst(busy) });
    await client.store({ content: 'once' });
    expect(targets).toHaveLength(2);
  });

  test('is not made for operator requests whose answer is lost, because it would do the work twice', async () => {
    const { client, engine, targets } = await connect({ around: losingAnswers(4, 'POST') });
    await engine.store({ content: 'Billing runs on PostgreSQL', tags: [], importance: 0.5, metadata: {} });
    await expect(client.reembed({ force: true })).rejects.toMatchObject({ status: undefined });
    await expect(client.sync()).rejects.toMatchObject({ status: undefined });
    await expect(client.consolidate({ dry_run: false })).rejects.toMatchObject({ status: undefined });
    await expect(client.undoConsolidation(UNKNOWN_ID)).rejects.toMatchObject({ status: undefined });
    expect(targets).toEqual(['POST /admin/reembed', 'POST /admin/sync', 'POST /consolidate', 'POST /consolidate/undo']);
  });

  test('is not made for operator requests after a 503', async () => {
    const { client, targets } = await connect({ around: away });
    await expect(client.reembed()).rejects.toMatchObject({ status: 503 });
    await expect(client.sync()).rejects.toMatchObject({ status: 503 });
    expect(targets).toHaveLength(2);
  });
});

describe('a memory that a retried removal does not find', () => {
  test('counts as removed when the answer to an earlier attempt was lost', async () => {
    const { client } = await connect({ around: losingAnswers(1, 'DELETE') });
    const { memory_id } = await client.store({ content: 'to go' });
    expect(await client.remove(memory_id)).toEqual({ status: 'success', memory_id });
    await expect(client.remove(memory_id)).rejects.toMatchObject({ status: 404 });
  });

  test('counts as unknown when the service refused every earlier attempt', async () => {
    const { client, targets } = await connect({ around: answeringFirst(away()) });
    await expect(client.remove(UNKNOWN_ID)).rejects.toMatchObject({ status: 404 });
    expect(targets).toHaveLength(2);
  });
});

describe('a faulty service', () => {
  test.each([
    ['cannot be reached', () => Promise.reject(new TypeError('refused')), undefined],
    ['answers 503', away, 503],
    ['answers 502 with a body that is not JSON', () => new Response('<html>', { status: 502 }), 502],
    ['answers 200 with a body that is not JSON', () => new Response('<html>', { status: 200 }), undefined],
  ])('makes a call fail after three retries if it %s', async (_, around, status) => {
    const { client, targets } = await connect({ around });
    await expect(client.get(UNKNOWN_ID)).rejects.toMatchObject({ name: 'EngraphError', status });
    expect(targets).toHaveLength(4);
  });

  test('is not reported as degraded when a proxy answers its health check', async () => {
    const { client } = await connect({ around: () => new Response('<html>', { status: 503 }) });
    await expect(client.health()).rejects.toMatchObject({ status: 503 });
  });
});

describe('the time limit of a call', () => {
  async function connectWithoutClock(options: Parameters<typeof connect>[0]) {
    const connected = await connect(options);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    return connected;
  }

  test.each([
    ['heeds the abort signal', (signal: AbortSignal) => rejectedBy(signal)],
    ['ignores the abort signal', () => new Promise<Response>(() => {})],
    ['never ends its body', () => new Response(new ReadableStream())],
  ])('ends a request that %s', async (_, answer) => {
    const { client, targets } = await connectWithoutClock({
      around: (_send, _url, { signal }) => answer(signal as AbortSignal),
    });
    const failure = client.get(UNKNOWN_ID).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(await failure).toMatchObject({ name: 'EngraphError', status: undefined });
    expect(targets).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends a pause between attempts, and the call fails with the last answer', async () => {
    const { client, targets } = await connectWithoutClock({ timeoutMs: 100, retryDelaysMs: [60_000], around: away });
    const failure = client.get(UNKNOWN_ID).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await failure).toMatchObject({ name: 'EngraphError', status: 503, message: 'away' });
    expect(targets).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('may be infinite, and the call still gets its answer', async () => {
    const late = () =>
      new Promise<Response>(resolve => {
        setTimeout(() => resolve(new Response('{"status":"running"}')), 60_000);
      });
    const { client } = await connectWithoutClock({ timeoutMs: Infinity, around: late });
    const answer = client.workStatus();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await answer).toEqual({ status: 'running' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('leaves no timer behind after a successful call', async () => {
    const { client } = await connectWithoutClock({ around: () => new Response('{"status":"running"}') });
    expect(await client.workStatus()).toEqual({ status: 'running' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

function rejectedBy(signal: AbortSignal): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

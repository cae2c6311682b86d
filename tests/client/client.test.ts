/** The typed client against the real application, over connections that break. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ClientOptions, createClient, EngraphError } from '../../src/client/client.js';
import { openTestApp, UNKNOWN_ID } from '../http/test-app.js';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** `around` may answer in place of the service, or spoil what it has answered. */
async function connect({
  around = (send, ...request) => send(...request),
  ...options
}: Partial<ClientOptions> & {
  around?: (send: Fetch, ...request: Parameters<Fetch>) => ReturnType<Fetch>;
} = {}) {
  const { app, engine, close } = await openTestApp({ apiToken: 'secret', adminToken: 'admin' });
  onTestFinished(close);
  const targets: string[] = [];
  const client = createClient({
    url: 'http://127.0.0.1:8001/',
    token: 'secret',
    adminToken: 'admin',
    retryDelaysMs: [0, 0, 0],
    fetch: (url, init) => {
      targets.push(`${init.method} ${new URL(url).pathname}`);
      return around((target, request) => app.request(target, request), url, init);
    },
    ...options,
  });
  return { client, engine, targets };
}

/** Lets a request through and loses its first answers. */
function losingAnswers(count: number): NonNullable<Parameters<typeof connect>[0]>['around'] {
  let lost = 0;
  return async (send, ...request) => {
    const answer = await send(...request);
    if (lost++ < count) throw new TypeError('the connection broke');
    return answer;
  };
}

describe('the client', () => {
  test('speaks every operation', async () => {
    const { client, engine } = await connect();
    const { memory_id } = await client.store({ content: 'Billing runs on PostgreSQL, on two machines', tags: ['db'] });
    const { memory_ids } = await client.storeMany([{ content: 'Backups run at night' }]);
    const [other = ''] = memory_ids;
    await client.associate({ memory1_id: memory_id, memory2_id: other, type: 'LEADS_TO' });
    const several = await client.associateMany([{ memory1_id: memory_id, memory2_id: UNKNOWN_ID }]);
    expect(several.failed_count).toBe(1);
    await engine.idle();
    const { results } = await client.recall({ query: 'What does billing run on?', tags: ['db', 'other'], limit: 1 });
    expect(results.map(({ id }) => id)).toEqual([memory_id]);
    expect((await client.recall({ queries: ['billing, machines'] })).queries).toEqual(['billing, machines']);
    expect(await client.whyNot(other, { query: 'billing', limit: 1 })).toMatchObject({ returned: false });
    await client.update(memory_id, { importance: 1 });
    expect(await client.get(memory_id)).toMatchObject({ importance: 1 });
    expect((await client.related(memory_id, { max_depth: 2 })).count).toBe(1);
    expect((await client.listByTag({ tags: ['db'] })).count).toBe(1);
    expect((await client.reprocess([memory_id])).count).toBe(1);
    expect((await client.sync({ dry_run: true })).status).toBe('dry_run');
    expect((await client.reembed({ limit: 1, force: true })).processed).toBe(1);
    expect((await client.workStatus()).status).toBe('running');
    expect((await client.removeByTag(['db'])).deleted_count).toBe(1);
    expect((await client.remove(other)).memory_id).toBe(other);
    expect((await client.health()).memory_count).toBe(0);
  });

  test('attempts a request again when its answer is lost, and nothing is done twice', async () => {
    const { client, engine, targets } = await connect({ around: losingAnswers(3) });
    const { memory_id } = await client.store({ content: 'once' });
    expect(targets).toHaveLength(4);
    expect(await engine.get(memory_id)).toBeDefined();
    expect((await client.health()).memory_count).toBe(1);
  });

  test('takes a memory that is gone for deleted when the answer of the first attempt was lost', async () => {
    let isBroken = false;
    const { client } = await connect({
      around: async (send, ...request) => {
        const answer = await send(...request);
        if (!isBroken) return answer;
        isBroken = false;
        throw new TypeError('the connection broke');
      },
    });
    const { memory_id } = await client.store({ content: 'to go' });
    isBroken = true;
    expect(await client.remove(memory_id)).toEqual({ status: 'success', memory_id });
    await expect(client.remove(memory_id)).rejects.toMatchObject({ status: 404 });
  });

  test('says what the service refused, at once', async () => {
    const { client, targets } = await connect();
    const failure = await client.store({ content: ' ' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngraphError);
    expect(failure).toMatchObject({ status: 400, field: 'content', message: expect.stringContaining('content') });
    expect(targets).toHaveLength(1);
    const stranger = await connect({ token: 'wrong' });
    await expect(stranger.client.get(UNKNOWN_ID)).rejects.toMatchObject({ status: 401, details: expect.any(String) });
  });

  test.each([
    ['throws', () => Promise.reject(new TypeError('refused')), undefined],
    ['answers 503', () => new Response('{"message":"away"}', { status: 503 }), 503],
    ['answers in words that are no JSON', () => new Response('<html>', { status: 200 }), 500],
  ])('gives up after three further attempts at a service that %s', async (_, around, status) => {
    const { client, targets } = await connect({ around });
    await expect(client.get(UNKNOWN_ID)).rejects.toMatchObject({ name: 'EngraphError', status });
    expect(targets).toHaveLength(4);
  });

  test('resolves for the health of a degraded service', async () => {
    const { client } = await connect({ around: () => new Response('{"status":"degraded"}', { status: 503 }) });
    expect(await client.health()).toEqual({ status: 'degraded' });
  });

  test('gives up when its time is over', async () => {
    const { client, targets } = await connect({
      timeoutMs: 1,
      around: (_send, _url, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    await expect(client.get(UNKNOWN_ID)).rejects.toMatchObject({ status: undefined });
    expect(targets).toHaveLength(1);
  });
});

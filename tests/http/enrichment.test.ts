/** Enrichment over REST: its status, repeated enrichment, and the admin token (docs/decisions.md, "Status codes"). */
import { afterAll, describe, expect, it, test } from 'vitest';
import { openTestApp, UNKNOWN_ID } from './test-app.js';

const API = 'the api token';
const ADMIN = 'the admin token';
const { call, close, engine } = await openTestApp({ apiToken: API, adminToken: ADMIN });
afterAll(close);

const withApi = { 'x-api-key': API };
const asAdmin = { ...withApi, 'x-admin-token': ADMIN };
const reprocess = (json: unknown, headers: Record<string, string> = asAdmin, query = '') =>
  call(`POST /enrichment/reprocess${query}`, { ...(json !== undefined && { json }), headers });

async function store(content: string): Promise<string> {
  return (await call('POST /memory', { json: { content }, headers: withApi })).body.memory_id;
}

describe('POST /enrichment/reprocess', () => {
  it('queues enriched memories again, and returns all given ids in sorted order, even unknown ones', async () => {
    const ids = [await store('Anna uses Redis'), await store('Ben left')];
    await engine.idle();
    expect((await engine.health()).enrichment).toMatchObject({ successes: 2, backlog: { pending: 0 } });
    const { status, body } = await reprocess({ ids: [...ids, UNKNOWN_ID] });
    expect(status).toBe(202);
    expect(body).toEqual({ status: 'queued', count: 3, ids: [...ids, UNKNOWN_ID].sort() });
    expect((await engine.health()).enrichment).toMatchObject({ backlog: { pending: 2 } });
    await engine.idle();
    expect((await engine.health()).enrichment).toMatchObject({ successes: 4, backlog: { pending: 0 } });
  });

  it('accepts ids as comma-separated text, in the body or the query string', async () => {
    const id = await store('Cleo wrote a book');
    expect((await reprocess({ ids: `${id}, ${UNKNOWN_ID}` })).body.count).toBe(2);
    expect((await reprocess(undefined, asAdmin, `?ids=${id}`)).body.ids).toEqual([id]);
  });

  it.each([
    ['no body', undefined],
    ['no ids', {}],
    ['an empty array', { ids: [] }],
    ['blank ids', { ids: [' ', ''] }],
    ['an id that is not a text', { ids: [7] }],
    ['an id that is not a UUID', { ids: ['abc'] }],
    ['a number', { ids: 7 }],
  ])('refuses a request with %s and names the field', async (_, json) => {
    const { status, body } = await reprocess(json);
    expect([status, body.field]).toEqual([400, 'ids']);
  });
});

describe('the admin token', () => {
  const ids = [UNKNOWN_ID];

  it.each([
    ['X-Admin-Token', { 'x-admin-token': ADMIN }, ''],
    ['X-Admin-Api-Key', { 'x-admin-api-key': ADMIN }, ''],
    ['admin_token', {}, `?admin_token=${encodeURIComponent(ADMIN)}`],
  ])('may be sent as %s', async (_, headers, query) => {
    expect((await reprocess({ ids }, { ...withApi, ...headers }, query)).status).toBe(202);
  });

  it.each([
    ['missing', {}],
    ['wrong', { 'x-admin-token': 'nope' }],
    ['equal to the API token', { 'x-admin-token': API }],
    ['empty', { 'x-admin-token': '' }],
  ])('is refused when %s', async (_, headers) => {
    const { status, body } = await reprocess({ ids }, { ...withApi, ...headers } as Record<string, string>);
    expect([status, body.error]).toEqual([401, 'Admin authorization required']);
  });

  it('does not replace the API token', async () => {
    const { status, body } = await reprocess({ ids }, { 'x-admin-token': ADMIN });
    expect([status, body.error]).toEqual([401, 'Unauthorized']);
  });

  it('is required even without a configured API token, and is refused without a configured admin token', async () => {
    const open = await openTestApp({ adminToken: ADMIN });
    const none = await openTestApp();
    const route = 'POST /enrichment/reprocess';
    expect((await open.call(route, { json: { ids } })).status).toBe(401);
    const { status, body } = await none.call(route, { json: { ids }, headers: { 'x-admin-token': ADMIN } });
    expect([status, body.error]).toEqual([403, 'Admin token not configured']);
    await open.close();
    await none.close();
  });
});

test('GET /enrichment/status counts enriched memories', async () => {
  await engine.idle();
  const before = (await call('GET /enrichment/status', { headers: withApi })).body;
  await store('We decided to use Postgres');
  await store('zzz');
  const { body } = await call('GET /enrichment/status', { headers: withApi });
  expect(body).toMatchObject({ status: 'running', queue_size: 2, pending: 2, inflight: 0, max_attempts: 3 });
  await engine.idle();
  const after = (await call('GET /enrichment/status', { headers: withApi })).body;
  expect(after.stats.successes - before.stats.successes).toBe(2);
  expect(after.classification.pattern_classifications - before.classification.pattern_classifications).toBe(1);
  expect(after.classification.fallbacks - before.classification.fallbacks).toBe(1);
  expect(after.language_model).toBeNull();
});

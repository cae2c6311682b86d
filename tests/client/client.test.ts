/** The typed client with the real application: its operations, and refused requests. */
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient, EngraphError } from '../../src/client/client.js';
import { UNKNOWN_ID } from '../http/test-app.js';
import { connect } from './connect.js';

describe('the client', () => {
  test('makes a valid id for a memory where the browser has no randomUUID', async () => {
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(255) });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { client } = await connect();
    const { memory_id } = await client.store({ content: 'Stored from a page over plain HTTP' });
    expect(memory_id).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  });

  test('stores, links, finds, changes and removes memories, and runs the tasks of an operator', async () => {
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
    expect((await client.analyze()).analytics.memory_types).toMatchObject({ Context: { count: 2 } });
    expect((await client.startupRecall()).summary).toBe('Recalled 0 lesson(s) and 0 system rule(s)');
    expect((await client.removeByTag(['db'])).deleted_count).toBe(1);
    expect((await client.remove(other)).memory_id).toBe(other);
    expect((await client.health()).memory_count).toBe(0);
  });

  test('has every operation of consolidation', async () => {
    const { client, targets } = await connect();
    const old = { content: 'The printer jams on Mondays', importance: 0.1, timestamp: '2020-01-01' };
    const { memory_id } = await client.store(old);
    const { consolidation } = await client.consolidate({ mode: 'decay', dry_run: false });
    const { run_id = '' } = consolidation as { run_id?: string };
    const { run, changes } = await client.consolidationRun(run_id);
    expect([run.updates, changes[0]?.memory_ids]).toEqual([1, [memory_id]]);
    expect((await client.consolidationRun(run_id, 1)).changes).toEqual([]);
    expect((await client.consolidationStatus()).history.map(each => each.run_id)).toEqual([run_id]);
    expect((await client.undoConsolidation(run_id)).undone).toBe(1);
    expect(Object.keys((await client.consolidate()).consolidation)).toContain('forget');
    expect((await client.bin(5)).memories).toEqual([]);
    expect((await client.restore([UNKNOWN_ID])).unknown).toEqual([UNKNOWN_ID]);
    expect((await client.proposals(5)).proposals).toEqual([]);
    const failure = await client.settleProposal('a/b', 'accept').catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 404, message: 'There is no proposal a/b' });
    expect(targets.at(-1)).toBe('POST /consolidate/proposals/a%2Fb');
  });

  test('passes on a refusal of the service without a retry', async () => {
    const { client, targets } = await connect();
    const failure = await client.store({ content: ' ' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngraphError);
    expect(failure).toMatchObject({ status: 400, field: 'content', message: expect.stringContaining('content') });
    expect(targets).toHaveLength(1);
    const stranger = await connect({ token: 'wrong' });
    await expect(stranger.client.get(UNKNOWN_ID)).rejects.toMatchObject({ status: 401, details: expect.any(String) });
  });

  test('rejects a health request when a proxy cannot reach the service', async () => {
    const body = { status: 'error', code: 503, message: 'The owner does not answer', details: 'Restart it.' };
    const { client } = await connect({ around: () => Response.json(body, { status: 503 }) });
    await expect(client.health()).rejects.toMatchObject({ status: 503, message: body.message, details: body.details });
  });

  test('resolves a health request when the service is degraded', async () => {
    const { client } = await connect({ around: () => new Response('{"status":"degraded"}', { status: 503 }) });
    expect(await client.health()).toEqual({ status: 'degraded' });
  });

  test.each([401, 403, 413])('keeps the status of a %d whose body is not JSON, and does not retry', async status => {
    const { client, targets } = await connect({ around: () => new Response('Go away', { status }) });
    await expect(client.get(UNKNOWN_ID)).rejects.toMatchObject({
      status,
      message: expect.stringContaining('Go away'),
    });
    expect(targets).toHaveLength(1);
  });

  test('keeps the status of a refusal whose body is incomplete', async () => {
    const broken = () => new ReadableStream({ start: stream => stream.error(new TypeError('the connection broke')) });
    const { client, targets } = await connect({ around: () => new Response(broken(), { status: 413 }) });
    await expect(client.get(UNKNOWN_ID)).rejects.toMatchObject({ status: 413 });
    expect(targets).toHaveLength(1);
  });
});

describe('a list in the query string', () => {
  test.each([[['a,b']], [['a,b', 'c']]])('keeps the commas in the tags %j', async tags => {
    const { client } = await connect();
    const stored = [
      { content: 'First', tags: ['a'] },
      { content: 'Second', tags: ['b'] },
      { content: 'Third', tags: ['a,b'] },
    ];
    const { memory_ids } = await client.storeMany(stored);
    const [, , third] = memory_ids;
    expect((await client.listByTag({ tags })).results.map(({ id }) => id)).toEqual([third]);
    expect((await client.recall({ tags })).results.map(({ id }) => id)).toEqual([third]);
    expect((await client.recall({ exclude_tags: tags })).results).toHaveLength(2);
    expect((await client.removeByTag(tags)).deleted_count).toBe(1);
    expect((await client.health()).memory_count).toBe(2);
  });

  test('keeps the commas in queries, and the service does not split them', async () => {
    const { client } = await connect();
    const queries = ['billing, machines', 'backups, nights'];
    expect((await client.recall({ queries })).queries).toEqual(queries);
  });
});

describe('an address', () => {
  test.each(['127.0.0.1:8001', '', 'ftp://127.0.0.1', undefined])('%j is rejected when the client is created', url => {
    expect(() => createClient({ url: url as string })).toThrow(expect.objectContaining({ field: 'url' }));
  });

  test('without a listener makes a call fail with the reason', async () => {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise(resolve => server.close(resolve));
    const client = createClient({ url: `http://127.0.0.1:${port}`, retryDelaysMs: [] });
    await expect(client.health()).rejects.toThrow(/gave no answer \(ECONNREFUSED\)/);
  });
});

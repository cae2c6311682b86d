/**
 * Drift between the stores is detected by comparing ids, then reported and repaired. Vectors can be computed again
 * (docs/decisions.md, "Comparing the stores").
 */
import { describe, expect, it } from 'vitest';
import type { VectorStore } from '../../src/stores/vector-store.js';
import { openForTest } from '../engine/open-engine.js';
import { type Call, createTestApp, send } from '../http/test-app.js';
import { idOf } from '../support/records.js';
import { openGraphOf, openVectorsOf, settingsForVectorsApart } from '../support/test-engine.js';
import { vectorPayload } from '../support/vector-payloads.js';

const ADMIN = 'the admin token';
const AS_ADMIN = { headers: { 'x-admin-token': ADMIN } };
const ORPHAN = idOf(999);
const DIMENSIONS = 64;

/** Opens an engine with REST access. By default it reports drift but does not repair it. */
async function openDrifting(env: Record<string, string> = {}) {
  const apart = await settingsForVectorsApart();
  const test = await openForTest({ SYNC_CHECK_INTERVAL_SECONDS: '0', ...apart, ...env });
  await test.engine.idle();
  const settings = { adminToken: ADMIN };
  const call = (route: string, request: Call = {}) =>
    send(createTestApp({ engine: test.engine, settings, log: test.log }), route, request);
  return {
    test,
    call,
    admin: (path: string, json: unknown = {}) => call(`POST /admin/${path}`, { json, ...AS_ADMIN }),
    health: async () => (await call('GET /health')).body,
    /** Stores memories with their vectors, and returns their ids. */
    addAll: async (...contents: string[]) => {
      const { memories } = await test.storeMany(contents.map(content => ({ content })));
      await test.engine.idle();
      return memories.map(({ id }) => id);
    },
    /** Changes the vectors without the engine's knowledge. */
    tamper: (change: (vectors: VectorStore) => Promise<void>) =>
      test.reopen(async () => {
        const vectors = openVectorsOf(test.config);
        await change(vectors);
        await vectors.close();
      }),
  };
}

function orphan(number: number) {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => 1);
  return { id: idOf(number), vector, payload: vectorPayload({ timestampMs: 0 }) };
}

describe('drift', () => {
  it('is detected when one vector is missing and another is orphaned, although the totals are equal', async () => {
    const { addAll, tamper, health, admin } = await openDrifting();
    const [first = ''] = await addAll('apples', 'pears');
    expect((await health()).sync_status).toBe('synced');
    await tamper(async vectors => {
      await vectors.remove([first]);
      await vectors.upsert([orphan(999)]);
    });
    expect(await health()).toMatchObject({ memory_count: 2, vector_count: 2, sync_status: 'drift_detected' });
    const { status, body } = await admin('sync', { dry_run: true });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'dry_run',
      falkordb_count: 2,
      qdrant_count: 2,
      missing_count: 1,
      orphaned_count: 1,
      missing_sample: [first],
      orphaned_sample: [ORPHAN],
    });
    expect((await admin('sync', { dry_run: true })).body).toEqual(body);
  });

  it('is repaired without losing data, and orphans are removed only on request', async () => {
    const { addAll, tamper, health, admin, test } = await openDrifting();
    const [first = '', second = '', third = ''] = await addAll('apples', 'pears', 'plums');
    await tamper(async vectors => {
      await vectors.remove([first, third]);
      await vectors.upsert([orphan(999)]);
    });
    expect((await admin('sync', { batch_size: 1 })).body).toEqual({
      status: 'complete',
      falkordb_count: 3,
      qdrant_count: 2,
      synced: 2,
      failed: 0,
      orphaned_count: 1,
      orphaned_removed: 0,
    });
    expect(await health()).toMatchObject({ vector_count: 4, sync_status: 'orphaned_vectors' });
    expect((await admin('sync', { remove_orphans: true })).body).toMatchObject({
      status: 'already_synced',
      synced: 0,
      orphaned_count: 1,
      orphaned_removed: 1,
    });
    expect(await health()).toMatchObject({ memory_count: 3, vector_count: 3, sync_status: 'synced' });
    for (const [id, content] of Object.entries({ [first]: 'apples', [second]: 'pears', [third]: 'plums' })) {
      expect((await test.engine.get(id)).memory).toMatchObject({ content });
    }
    await test.engine.close();
    const vectors = openVectorsOf(test.config);
    expect(await vectors.present([first, second, third, ORPHAN])).toEqual(new Set([first, second, third]));
    await vectors.close();
  });

  it('does not include memories that wait to be embedded', async () => {
    const { test, health, admin } = await openDrifting();
    await test.add({ content: 'apples' });
    expect((await admin('sync', { dry_run: true })).body).toMatchObject({ falkordb_count: 1, missing_count: 0 });
    expect((await health()).sync_status).toBe('synced');
  });

  it('includes a memory whose embedding failed permanently, and repairing the drift embeds it again', async () => {
    const { addAll, admin, test } = await openDrifting();
    const [id = ''] = await addAll('apples');
    await test.reopen(async () => {
      const graph = openGraphOf(test.config);
      const [claim] = await graph.claimWork({ kind: 'embed', limit: 1, nowMs: 0, leaseMs: 1, ids: [id] });
      await graph.releaseWork([claim?.token ?? ''], { error: 'no', dueMs: null });
      await graph.close();
      const vectors = openVectorsOf(test.config);
      await vectors.remove([id]);
      await vectors.close();
    });
    expect((await admin('sync', { dry_run: true })).body).toMatchObject({ missing_sample: [id] });
    expect((await admin('sync')).body).toMatchObject({ status: 'complete', synced: 1, failed: 0 });
    expect((await admin('sync')).body).toMatchObject({ status: 'already_synced' });
  });

  it('is repaired automatically after the check interval, except that orphaned vectors stay', async () => {
    const { addAll, tamper, health, test } = await openDrifting({
      SYNC_CHECK_INTERVAL_SECONDS: '100',
    });
    const [first = ''] = await addAll('apples', 'pears');
    await tamper(async vectors => {
      await vectors.remove([first]);
      await vectors.upsert([orphan(999)]);
    });
    expect((await health()).sync_status).toBe('drift_detected');
    // The next check is scheduled when the one before has ended, which may still be running on a busy machine.
    const afterInterval = async () => {
      test.clock.advance(100_000);
      return (await health()).sync_status;
    };
    await expect.poll(afterInterval).toBe('orphaned_vectors');
    await test.engine.idle();
    expect((await health()).vector_count).toBe(3);
  });

  it('is found and repaired completely when the memories fill several pages', async () => {
    const { test, tamper, admin } = await openDrifting();
    const ids: string[] = [];
    for (let page = 0; page < 3; page++) {
      const contents = Array.from({ length: 400 }, (_, index) => ({ content: `number ${page} ${index}` }));
      ids.push(...(await test.storeMany(contents)).memories.map(({ id }) => id));
    }
    expect((await admin('reembed', { batch_size: 500 })).body).toMatchObject({ processed: 1200, failed: 0 });
    const missing = ids.filter((_, index) => index % 100 === 7);
    await tamper(async vectors => {
      await vectors.remove(missing);
      await vectors.upsert(Array.from({ length: 12 }, (_, index) => orphan(900 + index)));
    });
    expect((await admin('sync', { dry_run: true })).body).toMatchObject({
      falkordb_count: 1200,
      qdrant_count: 1200,
      missing_count: 12,
      orphaned_count: 12,
    });
    const { body } = await admin('sync', { remove_orphans: true });
    expect(body).toMatchObject({ synced: 12, orphaned_removed: 12 });
    expect((await admin('sync', { dry_run: true })).body).toMatchObject({ missing_count: 0, orphaned_count: 0 });
  });
});

describe('embedding again', () => {
  it('skips memories that have their vector, unless forced, and keeps the tags and times of vectors', async () => {
    const { addAll, admin, test } = await openDrifting();
    await addAll('apples');
    await test.add({ content: 'pears', tags: ['fruit'], timestamp: '2020-01-01' });
    expect((await admin('reembed')).body).toEqual({
      status: 'complete',
      processed: 1,
      failed: 0,
      total: 2,
      batch_size: 32,
      metadata_preserved: true,
    });
    expect((await admin('reembed')).body).toMatchObject({ processed: 0 });
    expect((await admin('reembed', { force: true, batch_size: 1 })).body).toMatchObject({
      processed: 2,
      batch_size: 1,
    });
    const { results } = await test.recall({ query: 'pears', tags: 'fruit', end: '2020-12-31' });
    expect(results.map(({ foundBy }) => foundBy.includes('vector'))).toEqual([true]);
  });

  it('starts with the newest memories, up to the limit, even if many have the same instant', async () => {
    const { admin, test } = await openDrifting();
    const { memories: old } = await test.storeMany([{ content: 'old', timestamp: '2020-01-01' }]);
    const contents = Array.from({ length: 500 }, (_, index) => ({ content: `new ${index}` }));
    await test.storeMany(contents);
    await test.storeMany(contents.slice(0, 100).map(({ content }) => ({ content: `${content} too` })));
    expect((await admin('reembed', { limit: 600 })).body).toMatchObject({ processed: 600, total: 601 });
    expect((await test.engine.get(old[0]?.id ?? '')).memory.embedded_by).toBeUndefined();
    expect((await admin('reembed', {})).body).toMatchObject({ processed: 1 });
  });

  it.each([
    ['no admin token', undefined, 401],
    ['a wrong admin token', { 'x-admin-token': 'guess' }, 401],
  ])('is refused with %s, and so is a comparison of the stores', async (_, headers, status) => {
    const { call } = await openDrifting();
    for (const path of ['reembed', 'sync']) {
      expect((await call(`POST /admin/${path}`, { json: {}, ...(headers && { headers }) })).status).toBe(status);
    }
  });

  it.each([
    ['reembed', { batch_size: 'many' }, 'batch_size'],
    ['reembed', { limit: 1.5 }, 'limit'],
    ['reembed', { force: 'perhaps' }, 'force'],
    ['sync', { dry_run: 7 }, 'dry_run'],
    ['sync', { remove_orphans: [1] }, 'remove_orphans'],
  ])('%s refuses %j and names the field', async (path, json, field) => {
    const { admin } = await openDrifting();
    const { status, body } = await admin(path, json);
    expect([status, body.field]).toEqual([400, field]);
  });

  it('sync accepts an object, or no body for the defaults, and rejects other JSON', async () => {
    const { call, admin } = await openDrifting();
    expect((await call('POST /admin/sync', AS_ADMIN)).body.status).toBe('already_synced');
    expect((await admin('sync', [])).status).toBe(400);
  });

  it('is refused with 409 while another reembed or sync is running', async () => {
    const { admin, addAll } = await openDrifting();
    await addAll('apples', 'pears');
    const runs = [admin('reembed', { force: true }), admin('sync'), admin('reembed', { force: true })];
    const statuses = (await Promise.all(runs)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect((await admin('sync')).status).toBe(200);
  });
});

/** Consolidation over REST: validation, defaults and access. */
import { afterAll, describe, expect, it } from 'vitest';
import { openTestApp, UNKNOWN_ID } from './test-app.js';

const ADMIN = { 'x-admin-token': 'admin' };
const { call, close, engine } = await openTestApp({ adminToken: 'admin' });
afterAll(close);

describe('consolidation requests', () => {
  it.each<[string, unknown, string, RegExp]>([
    ['POST /consolidate', { mode: 'everything' }, 'mode', /must be one of decay, creative, cluster, forget, full/],
    ['POST /consolidate', { mode: 7 }, 'mode', /must be one of/],
    ['POST /consolidate', { dry_run: 'perhaps' }, 'dry_run', /must be true or false/],
    [`GET /consolidate/runs/${UNKNOWN_ID}?page=first`, undefined, 'page', /whole number/],
    [`GET /consolidate/runs/${'x'.repeat(101)}`, undefined, 'id', /at most 100 characters/],
    ['GET /consolidate/runs/%20', undefined, 'id', /must not be blank/],
    ['POST /consolidate/undo', {}, 'run_id', /is required/],
    ['POST /consolidate/undo', { run_id: 'the last one' }, 'run_id', /UUID/],
    ['GET /admin/bin?limit=all', undefined, 'limit', /whole number/],
    ['POST /admin/restore', {}, 'ids', /at least one|is required/],
    ['POST /admin/restore', { ids: [] }, 'ids', /at least one|is required/],
    ['POST /admin/restore', { ids: ['x'] }, 'ids', /UUID/],
    ['GET /consolidate/proposals?limit=many', undefined, 'limit', /whole number/],
    [`POST /consolidate/proposals/${UNKNOWN_ID}`, {}, 'action', /accept, dismiss/],
    [`POST /consolidate/proposals/${UNKNOWN_ID}`, { action: 'perhaps' }, 'action', /accept, dismiss/],
  ])('%s with %j is refused with the name of the field', async (route, json, field, sentence) => {
    const { status, body } = await call(route, { ...(json !== undefined && { json }), headers: ADMIN });
    expect([status, body.field, body.message]).toEqual([400, field, expect.stringMatching(sentence)]);
  });

  it.each([
    [`GET /consolidate/runs/${UNKNOWN_ID}`, undefined, `There is no run ${UNKNOWN_ID}`],
    ['POST /consolidate/undo', { run_id: UNKNOWN_ID }, `There is no run ${UNKNOWN_ID}`],
    [`POST /consolidate/proposals/${UNKNOWN_ID}`, { action: 'accept' }, `There is no proposal ${UNKNOWN_ID}`],
  ])('%s with %j gets a 404', async (route, json, sentence) => {
    const { status, body } = await call(route, { ...(json && { json }), headers: ADMIN });
    expect([status, body.error]).toEqual([404, sentence]);
  });

  it.each([
    ['no body', {}],
    ['an empty body', { json: {} }],
    ['blank values', { json: { mode: ' ', dry_run: null } }],
    ['texts', { json: { mode: ' FULL ', dry_run: 'yes' } }],
  ])('POST /consolidate with %s is a dry run of all tasks', async (_, given) => {
    const { status, body } = await call('POST /consolidate', given);
    expect(status).toBe(200);
    for (const task of ['decay', 'creative', 'cluster', 'forget']) {
      expect(body.consolidation[task]).not.toHaveProperty('run_id');
    }
    expect((await call('GET /consolidate/status')).body.history).toEqual([]);
  });

  it('restoring unknown ids restores nothing and reports them', async () => {
    const { status, body } = await call('POST /admin/restore', { json: { ids: [UNKNOWN_ID] }, headers: ADMIN });
    expect([status, body]).toEqual([200, { status: 'success', restored: [], unknown: [UNKNOWN_ID] }]);
  });
});

describe('consolidation access', () => {
  it('the status is public, and all other routes require a token', async () => {
    const guarded = await openTestApp({ apiToken: 'secret', adminToken: 'admin' });
    expect((await guarded.call('GET /consolidate/status')).status).toBe(200);
    for (const route of ['POST /consolidate', 'GET /consolidate/proposals', `GET /consolidate/runs/${UNKNOWN_ID}`]) {
      expect([route, (await guarded.call(route)).status]).toEqual([route, 401]);
    }
    for (const route of ['GET /admin/bin', 'POST /admin/restore', 'POST /consolidate/undo']) {
      const { status, body } = await guarded.call(route, { headers: { 'x-api-key': 'secret' } });
      expect([route, status, body.error]).toEqual([route, 401, 'Admin authorization required']);
    }
    await guarded.close();
  });

  it('a read-only service shows status and proposals, and refuses to consolidate, undo or restore', async () => {
    await engine.store({ content: 'An old note', importance: 0.1, timestamp: '2020-01-01', metadata: {} });
    const { body } = await call('POST /consolidate', { json: { mode: 'decay', dry_run: false } });
    const reader = await openTestApp({ isReadOnly: true });
    for (const route of ['POST /consolidate', 'POST /consolidate/undo', 'POST /admin/restore']) {
      expect([route, (await reader.call(route, { json: {} })).status]).toEqual([route, 403]);
    }
    expect((await reader.call('GET /consolidate/status')).status).toBe(200);
    expect((await reader.call('GET /consolidate/proposals')).status).toBe(200);
    expect((await reader.call(`GET /consolidate/runs/${UNKNOWN_ID}`)).status).toBe(404);
    await reader.close();
    const run = await call(`GET /consolidate/runs/${body.consolidation.run_id}`);
    expect(run.body.changes).toHaveLength(1);
  });
});

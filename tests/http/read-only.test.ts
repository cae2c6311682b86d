/** A read-only service refuses every write operation, whatever a request contains. Reading records no accesses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperations } from '../../src/api/operations.js';
import type { Engine } from '../../src/engine/engine.js';
import { readOnly } from '../../src/engine/read-only.js';
import { openTestEngine, type TestEngine } from '../support/test-engine.js';
import { testLimits } from '../support/test-limits.js';
import { createTestApp, openTestApp, recordingLog, send, UNKNOWN_ID } from './test-app.js';
import { type Form, formsOf, NO_TOKEN } from './token-forms.js';

const TOKEN = 'correct horse';
const ADMIN = { 'x-admin-token': 'battery staple' };
const TEA = { id: UNKNOWN_ID, content: 'Ann prefers tea.', tags: [], metadata: {}, importance: 0.5 };
const operations = createOperations(testLimits()).map(({ method, path, name, access }) => ({
  name,
  route: `${method} ${path.replace(':id', UNKNOWN_ID)}`,
  isWrite: method !== 'GET',
  access,
}));
const WRITES = operations.filter(({ isWrite }) => isWrite);

const app = await openTestApp({ apiToken: TOKEN, adminToken: ADMIN['x-admin-token'], isReadOnly: true });
afterAll(() => app.close());

describe.each(operations)('read-only: $route', ({ route, isWrite, access }) => {
  const forms = [NO_TOKEN, ...formsOf('wrong', false), ...formsOf(TOKEN, true)];
  it.each(forms.map(form => [form.name, form] as const))(
    'with %s allows each read that the token permits, and refuses every write',
    async (_, { headers, query, isRight }: Form) => {
      for (const isAdmin of [false, true]) {
        const { status, body } = await app.call(`${route}?${query}`, {
          headers: { ...headers, ...(isAdmin && ADMIN) },
        });
        if (!isRight && access !== 'public') expect(status).toBe(401);
        else if (isWrite)
          expect([status, body.message]).toEqual([403, 'This memory is read-only here; nothing was changed']);
        else if (access === 'admin' && !isAdmin) expect(status).toBe(401);
        else expect([401, 403]).not.toContain(status);
      }
    },
  );
});

it('read-only: a write is refused before its body is read', async () => {
  const headers = { 'x-api-key': TOKEN };
  const { status, body } = await app.call('POST /memory', { headers, body: '{"content":' });
  expect([status, body.details]).toEqual([403, 'The service was started with ENGRAPH_READ_ONLY.']);
});

it('read-only: the metrics and the API documentation are available', async () => {
  const headers = { 'x-api-key': TOKEN };
  for (const path of ['/metrics', '/docs', '/openapi.json']) {
    expect((await app.call(`GET ${path}`, { headers })).status).toBe(200);
  }
});

describe('the read-only engine', () => {
  let test: TestEngine;
  let guarded: Engine;
  beforeAll(async () => {
    test = await openTestEngine();
    guarded = readOnly(test.engine);
  });
  afterAll(() => test.close());

  it('has all engine methods', () => expect(Object.keys(guarded).sort()).toEqual(Object.keys(test.engine).sort()));

  it('refuses every write even when the routes would allow it', async () => {
    await test.engine.store(TEA);
    const { id } = TEA;
    const bodies: Record<string, object> = {
      store: { content: 'x' },
      storeMany: { memories: [{ content: 'x' }] },
      update: { importance: 1 },
      restoreVersion: { version: 1 },
      associate: { memory1_id: id, memory2_id: id.replace(/0$/, '1'), type: 'RELATES_TO', strength: 1 },
      reprocess: { ids: [id] },
      reembed: {},
      sync: {},
      undoConsolidation: { run_id: id },
      restore: { ids: [id] },
      settleProposal: { action: 'accept' },
      noteProject: { project: 'acme/shop' },
      hookSessionStart: { session_id: 's' },
      hookPrompt: { session_id: 's', prompt: 'x' },
      hookStop: { session_id: 's' },
      hookPreCompact: { session_id: 's' },
      hookSessionEnd: { session_id: 's' },
      importPage: { records: [] },
    };
    const inner = createTestApp({
      engine: guarded,
      settings: { adminToken: 'battery staple' },
      log: recordingLog().log,
    });
    for (const { name, route } of WRITES) {
      const query = name === 'removeByTag' ? '?tags=a' : '';
      const json = bodies[name];
      const { status } = await send(inner, `${route}${query}`, { headers: ADMIN, ...(json && { json }) });
      expect([name, status]).toEqual([name, 403]);
    }
    expect((await send(inner, `GET /memory/${id}`)).status).toBe(200);
  });
});

it('read-only: reading records no accesses', async () => {
  for (const isReadOnly of [false, true]) {
    const test = await openTestEngine();
    const reader = isReadOnly ? readOnly(test.engine) : test.engine;
    await test.engine.store({ ...TEA, tags: ['drinks'] });
    await test.engine.idle();
    const accessed = async () => (await test.engine.get(TEA.id)).memory.last_accessed;
    const before = await accessed();
    // An access is recorded only once a day, so the clock moves by a day.
    test.clock.advance(86_400_000);
    await reader.recall({ query: 'tea' });
    await test.engine.idle();
    expect([isReadOnly, (await accessed()) === before]).toEqual([isReadOnly, isReadOnly]);
    await test.close();
  }
});

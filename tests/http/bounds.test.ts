/** Bounds on memories and queries. A request that exceeds a bound gets a 400 that names the field, before any work. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReprocessing } from '../../src/api/maintenance.js';
import { readNewMemory } from '../../src/api/memory-requests.js';
import { readRecall } from '../../src/api/recall-request.js';
import { testLimits } from '../support/test-limits.js';
import { openTestApp, UNKNOWN_ID } from './test-app.js';

const ADMIN = { 'x-admin-token': 'admin' };
const { call, engine, close } = await openTestApp({ adminToken: 'admin', bodyLimitBytes: 33_554_432 });
afterAll(close);

const keysOf = (count: number, prefix = 'key') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]));

/** An array that throws when an item is read. */
function untouchable(length: number): unknown[] {
  return new Proxy(new Array(length), {
    get: (target, key) => {
      if (key === 'length') return target.length;
      throw new Error(`${String(key)} was read`);
    },
  });
}

describe('an array that is too long', () => {
  const limits = testLimits();
  it('is refused because of its length, and no item is read', () => {
    const expected = { code: 'invalid', message: expect.stringMatching(/at most \d+ items, but has 2000000/) };
    const items = untouchable(2_000_000);
    expect(() => readNewMemory({ content: 'x', tags: items }, limits)).toThrow(expect.objectContaining(expected));
    for (const name of ['tags', 'exclude_tags', 'queries', 'context_tags', 'context_types', 'priority_ids']) {
      expect(() => readRecall({ [name]: items }, limits), name).toThrow(
        expect.objectContaining({ ...expected, field: name }),
      );
    }
    expect(() => readReprocessing({ ids: items }, {})).toThrow(expect.objectContaining({ ...expected, field: 'ids' }));
  });

  it.each([
    ['tags of a memory', 'POST /memory', { content: 'x', tags: Array(100_000).fill('t') }, 'tags'],
    ['tags as a text', 'POST /memory', { content: 'x', tags: 't,'.repeat(100_000) }, 'tags'],
    ['associations', 'POST /associate', { associations: Array(100_000).fill({}) }, 'associations'],
    ['ids', 'POST /enrichment/reprocess', { ids: Array(1_001).fill(UNKNOWN_ID) }, 'ids'],
    ['ids as a text', 'POST /enrichment/reprocess', { ids: `${UNKNOWN_ID},`.repeat(1_001) }, 'ids'],
  ])('for %s is refused with 400', async (_, route, json, field) => {
    const { status, body } = await call(route, { json, headers: ADMIN });
    expect([status, body.field]).toEqual([400, field]);
    expect(body.message).toMatch(/at most \d+ (?:items|characters), but has \d+/);
  });

  it.each(['tags', 'exclude_tags', 'queries', 'context_tags', 'context_types', 'priority_ids'])(
    'as %s of a recall is refused, whether the parameter is repeated or the items are joined by commas',
    async name => {
      const items = Array.from({ length: 101 }, (_, index) => `${name}=item${index}`);
      const { status, body } = await call(`GET /recall?${items.join('&')}`);
      expect([status, body.field]).toEqual([400, name]);
      const joined = await call(`GET /recall?${name}=${Array.from({ length: 101 }, (_, index) => index).join()}`);
      expect([joined.status, joined.body.field]).toEqual([400, name]);
    },
  );
});

describe('a text parameter of a recall', () => {
  it.each([
    ['query', 20_000],
    ['queries', 20_000],
    ['context', 20_000],
    ['language', 100],
    ['lang', 100],
    ['active_path', 4_096],
    ['focus_path', 4_096],
    ['time_query', 200],
  ])('%s has at most %i characters', async (name, max) => {
    const tooLong = 'x'.repeat(100_000);
    const { status, body } = await call(`GET /recall?${name}=${tooLong}`);
    expect([status, body.field]).toEqual([400, name]);
    expect(body.message).toBe(`'${name}' must have at most ${max} characters, but has 100000`);
  });

  it('is accepted at its maximum length', async () => {
    const longest = `query=${'x'.repeat(20_000)}&context=${'y'.repeat(20_000)}&language=${'z'.repeat(100)}`;
    expect((await call(`GET /recall?${longest}`)).status).toBe(200);
  });
});

describe('an update of metadata', () => {
  const create = async (metadata: object): Promise<string> =>
    (await call('POST /memory', { json: { content: 'grows', metadata } })).body.memory_id;

  it('cannot exceed the bounds in several steps', async () => {
    const id = await create({ a: 'x'.repeat(40_000) });
    const grown = await call(`PATCH /memory/${id}`, { json: { metadata: { b: 'y'.repeat(40_000) } } });
    expect([grown.status, grown.body.field]).toEqual([400, 'metadata']);
    expect(grown.body.message).toContain('at most 65536 bytes of JSON, but would have 80015 with this change');
    expect((await call(`GET /memory/${id}`)).body.metadata).toEqual({ a: 'x'.repeat(40_000) });
    const keys = await create(keysOf(600));
    const more = await call(`PATCH /memory/${keys}`, { json: { metadata: keysOf(600, 'other') } });
    expect([more.status, more.body.message]).toEqual([
      400,
      "'metadata' must have at most 1000 keys, nested ones included, but would have 1200 with this change",
    ]);
  });

  it('may replace existing metadata, up to the bounds', async () => {
    const id = await create({ a: 'x'.repeat(60_000) });
    expect((await call(`PATCH /memory/${id}`, { json: { metadata: { a: 'y'.repeat(65_528) } } })).status).toBe(200);
  });
});

describe('metadata that already exceed the bounds', () => {
  const large = { small: 'kept', ...keysOf(1_500), text: 'z'.repeat(5_000_000), last: { kept: true } };
  const bytes = Buffer.byteLength(JSON.stringify(large));
  let id: string;
  beforeAll(async () => {
    // An earlier release could store such metadata.
    const { memory } = await engine.store({
      content: 'An elephant of metadata',
      tags: ['elephant'],
      importance: 0.5,
      metadata: large,
    });
    id = memory.id;
  });

  it('are shown in full when read by id', async () => {
    expect((await call(`GET /memory/${id}`)).body.metadata).toEqual(large);
  });

  it.each(['GET /recall?query=elephant', 'GET /memory/by-tag?tags=elephant'])('are shortened by %s', async route => {
    const { body } = await call(route);
    for (const memory of [body.results[0].memory, ...(body.memories ?? [])]) {
      expect(memory).toMatchObject({ metadata_truncated: true, metadata_bytes: bytes });
      expect(memory.metadata).toMatchObject({ small: 'kept' });
      expect(memory.metadata).not.toHaveProperty('text');
      expect(Buffer.byteLength(JSON.stringify(memory.metadata))).toBeLessThanOrEqual(16_384);
      expect(Buffer.byteLength(JSON.stringify(memory.metadata))).toBeGreaterThan(16_300);
    }
  });

  it('may shrink or be deleted but not grow, and other fields may be updated', async () => {
    expect((await call(`PATCH /memory/${id}`, { json: { importance: 0.9, tags: ['mouse'] } })).status).toBe(200);
    const grown = await call(`PATCH /memory/${id}`, { json: { metadata: { more: 1 } } });
    expect([grown.status, grown.body.field]).toEqual([400, 'metadata']);
    expect((await call(`PATCH /memory/${id}`, { json: { metadata: { text: null, small: 'still' } } })).status).toBe(
      200,
    );
    expect((await call(`DELETE /memory/${id}`)).status).toBe(200);
  });
});

it('a recall returns metadata within the limit in full, and without metadata_truncated', async () => {
  const { body } = await call('POST /memory', { json: { content: 'A gnat', tags: ['gnat'], metadata: keysOf(100) } });
  const { memory } = (await call('GET /recall?query=gnat')).body.results[0];
  expect(memory.id).toBe(body.memory_id);
  expect(memory.metadata).toEqual(keysOf(100));
  expect(memory).not.toHaveProperty('metadata_truncated');
});

/** POST /memory, POST /memory/batch and GET, PATCH, DELETE /memory/:id. */
import { afterAll, describe, expect, it } from 'vitest';
import { openTestApp, UNKNOWN_ID } from './test-app.js';

const { call, engine, clock, close } = await openTestApp();
afterAll(close);

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function create(memory: object): Promise<string> {
  const { status, body } = await call('POST /memory', { json: memory });
  expect(status).toBe(201);
  return body.memory_id;
}

describe('POST /memory', () => {
  it('answers 201 with the stored memory', async () => {
    const { status, body } = await call('POST /memory', {
      json: {
        content: ' Tabs, not spaces. ',
        type: 'style',
        tags: 'lang:ts, Lang:TS ,x',
        metadata: { source: 'notes' },
      },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'success',
      type: 'Style',
      confidence: 0.9,
      enrichment: 'queued',
      embedding: 'stored',
      embedding_status: 'stored',
      tags: ['lang:ts', 'x'],
      metadata: { source: 'notes' },
    });
    expect(body.memory_id).toMatch(UUID);
    for (const field of ['stored_at', 'timestamp', 'updated_at', 'last_accessed']) expect(body[field]).toMatch(ISO);
    expect(body.query_time_ms).toBeTypeOf('number');
    expect((await call(`GET /memory/${body.memory_id}`)).body.content).toBe('Tabs, not spaces.');
  });

  it('stores a supplied embedding', async () => {
    const embedding = Array.from({ length: engine.limits.vectorSize }, (_, index) => Math.sin(index + 1));
    const { status, body } = await call('POST /memory', { json: { content: 'with a vector', embedding } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ embedding: 'stored', embedding_status: 'provided' });
  });

  it('accepts an id and a repeated request from the caller, and refuses another memory with this id', async () => {
    const id = 'AAAAAAAA-0000-4000-8000-000000000001';
    const first = await call('POST /memory', { json: { id, content: 'mine' } });
    const replay = await call('POST /memory', { json: { id, content: 'mine' } });
    const other = await call('POST /memory', { json: { id, content: 'not mine' } });
    expect([first.status, replay.status, other.status]).toEqual([201, 201, 409]);
    expect(first.body.memory_id).toBe(id.toLowerCase());
    expect(replay.body.memory_id).toBe(id.toLowerCase());
    expect(other.body).toMatchObject({ status: 'error', code: 409 });
    expect((await call(`GET /memory/${id}`)).body.content).toBe('mine');
  });

  it.each([
    ['content', {}],
    ['content', { content: '   ' }],
    ['content', { content: 7 }],
    ['content', { content: 'x'.repeat(50_001) }],
    ['type', { content: 'x', type: 'Bogus' }],
    ['confidence', { content: 'x', confidence: 1.1 }],
    ['importance', { content: 'x', importance: true }],
    ['importance', { content: 'x', importance: 'nan' }],
    ['tags', { content: 'x', tags: [1] }],
    ['metadata', { content: 'x', metadata: [1] }],
    ['embedding', { content: 'x', embedding: [1, 2] }],
    ['id', { content: 'x', id: 'not-a-uuid' }],
    ['timestamp', { content: 'x', timestamp: 'soon' }],
    ['updated_at', { content: 'x', updated_at: '2026-02-30' }],
    ['last_accessed', { content: 'x', last_accessed: 1 }],
    ['t_valid', { content: 'x', t_valid: '2026-02-30' }],
    ['t_invalid', { content: 'x', t_valid: '2026-02-01', t_invalid: '2026-01-01' }],
  ])('names the invalid field: %s in %j', async (field, json) => {
    const { status, body } = await call('POST /memory', { json });
    expect(status).toBe(400);
    expect(body).toEqual({ status: 'error', code: 400, error: body.message, message: expect.any(String), field });
    expect(body.message).toContain(field);
  });

  it.each([[[]], [[{ content: 'x' }]], ['text'], [null], [7]])('refuses %j, which is not an object', async json => {
    const { status, body } = await call('POST /memory', { json });
    expect([status, body.code]).toEqual([400, 400]);
  });
});

describe('POST /memory/batch', () => {
  it.each([
    ['a bare array', false],
    ['an object with memories', true],
  ])('accepts %s', async (_, isWrapped) => {
    const memories = [{ content: 'first of a batch' }, { content: 'second of a batch', tags: ['b'] }];
    const { status, body } = await call('POST /memory/batch', { json: isWrapped ? { memories } : memories });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'success', stored: 2, enrichment: 'queued' });
    expect(['ok', 'queued', 'unavailable']).toContain(body.qdrant);
    const contents = [];
    for (const id of body.memory_ids) contents.push((await call(`GET /memory/${id}`)).body.content);
    expect(contents).toEqual(['first of a batch', 'second of a batch']);
  });

  it('stores nothing when one element is invalid, and names its position', async () => {
    const tags = ['all-or-nothing'];
    const json = [
      { content: 'good', tags },
      { content: 'bad', tags, importance: 2 },
    ];
    const { status, body } = await call('POST /memory/batch', { json });
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'error', code: 400, field: 'importance', index: 1 });
    expect(body.error).toContain('index 1');
    expect((await call('GET /memory/by-tag?tags=all-or-nothing')).body.count).toBe(0);
  });

  it.each([[[]], [{}], [{ memories: [] }], [{ memories: 'x' }], ['x']])('refuses %j', async json => {
    const { status, body } = await call('POST /memory/batch', { json });
    expect(status).toBe(400);
    expect(body.field).toBe('memories');
  });

  it('accepts 500 memories and refuses 501 with 413', async () => {
    const batch = (size: number) => Array.from({ length: size }, (_, index) => ({ content: `memory ${index}` }));
    const largest = await call('POST /memory/batch', { json: batch(500) });
    const tooLarge = await call('POST /memory/batch', { json: batch(501) });
    expect([largest.status, largest.body.stored]).toEqual([201, 500]);
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.body).toMatchObject({ status: 'error', code: 413, details: 'Split the batch.' });
  });
});

describe('GET /memory/:id', () => {
  it('returns the fields of the memory at the top level, with its relations', async () => {
    const id = await create({ content: 'flat', type: 'Insight', tags: ['x:y'], importance: 0.8, metadata: { a: 1 } });
    const { status, body } = await call(`GET /memory/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'success',
      id,
      content: 'flat',
      type: 'Insight',
      tags: ['x:y'],
      tag_prefixes: ['x', 'x:y'],
      importance: 0.8,
      confidence: 0.9,
      metadata: { a: 1 },
    });
    expect(body.relations).toBeInstanceOf(Array);
    for (const field of ['timestamp', 'updated_at', 'last_accessed']) expect(body[field]).toMatch(ISO);
  });

  it('ignores the case of the id', async () => {
    const id = await create({ content: 'case' });
    expect((await call(`GET /memory/${id.toUpperCase()}`)).body.id).toBe(id);
  });

  it('accepts a JSON content type without a body', async () => {
    const id = await create({ content: 'typed' });
    const headers = { 'content-type': 'application/json' };
    expect((await call(`GET /memory/${id}`, { headers })).status).toBe(200);
    expect((await call(`DELETE /memory/${id}`, { headers })).status).toBe(200);
  });
});

describe('PATCH /memory/:id', () => {
  it('changes the given fields and keeps the others', async () => {
    const id = await create({ content: 'before', tags: ['old'], metadata: { keep: 1, drop: 2 }, importance: 0.3 });
    const before = (await call(`GET /memory/${id}`)).body;
    clock.advance(60_000);
    const json = { content: 'after', tags: ['new:tag'], metadata: { drop: null, add: 3 }, id: UNKNOWN_ID };
    const { status, body } = await call(`PATCH /memory/${id}`, { json });
    expect([status, body]).toEqual([200, { status: 'success', memory_id: id }]);
    const after = (await call(`GET /memory/${id}`)).body;
    expect(after).toMatchObject({ id, content: 'after', tags: ['new:tag'], tag_prefixes: ['new', 'new:tag'] });
    expect(after.importance).toBe(0.3);
    expect(after.metadata).toMatchObject({ keep: 1, add: 3 });
    expect(after.metadata).not.toHaveProperty('drop');
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(after.timestamp).toBe(before.timestamp);
  });

  it('names the invalid field and changes nothing', async () => {
    const id = await create({ content: 'stays', importance: 0.4 });
    const { status, body } = await call(`PATCH /memory/${id}`, { json: { content: 'gone', importance: 'high' } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'error', code: 400, field: 'importance' });
    expect((await call(`GET /memory/${id}`)).body).toMatchObject({ content: 'stays', importance: 0.4 });
  });

  it('reports a missing memory before an invalid field', async () => {
    const { status } = await call(`PATCH /memory/${UNKNOWN_ID}`, { json: { importance: 'high' } });
    expect(status).toBe(404);
  });

  it('refuses a body that is not an object', async () => {
    const id = await create({ content: 'no object' });
    expect((await call(`PATCH /memory/${id}`, { json: [] })).status).toBe(400);
  });
});

describe('DELETE /memory/:id', () => {
  it('deletes a memory, and answers 404 when it is deleted again', async () => {
    const id = await create({ content: 'short life' });
    const first = await call(`DELETE /memory/${id}`);
    expect([first.status, first.body]).toEqual([200, { status: 'success', memory_id: id }]);
    expect((await call(`GET /memory/${id}`)).status).toBe(404);
    expect((await call(`DELETE /memory/${id}`)).status).toBe(404);
  });
});

describe.each(['GET', 'PATCH', 'DELETE'])('%s /memory/:id', method => {
  const json = method === 'PATCH' ? { json: { importance: 0.1 } } : {};

  it('answers 404 for an unknown id', async () => {
    const { status, body } = await call(`${method} /memory/${UNKNOWN_ID}`, json);
    expect(status).toBe(404);
    expect(body).toEqual({ status: 'error', code: 404, error: body.message, message: expect.any(String) });
  });

  it.each(['nonsense', '%E0%A4%A', '%00', `${UNKNOWN_ID}0`])('answers 400 for the id %s', async id => {
    const { status, body } = await call(`${method} /memory/${id}`, json);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'error', code: 400, field: 'memory_id' });
  });
});

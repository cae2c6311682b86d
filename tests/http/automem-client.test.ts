/** The requests of AutoMem's MCP client, and the answer fields that it reads. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, UNKNOWN_ID } from './test-app.js';

const { call, engine, close } = await openTestApp({ apiToken: 'key' });
afterAll(close);
const headers = { authorization: 'Bearer key' };
const send = (route: string, json?: unknown) => call(route, { headers, ...(json !== undefined && { json }) });
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

let old = '';
let current = '';

beforeAll(async () => {
  const first = await send('POST /memory', { content: 'Billing runs on MySQL.', tags: ['billing', 'db'] });
  expect(first.status).toBe(201);
  old = first.body.memory_id;
  current = (await send('POST /memory', { content: 'Billing runs on PostgreSQL.', tags: ['billing'] })).body.memory_id;
  await engine.idle();
});

test('AutoMem client: storing returns the id and the states of the vector and of enrichment', async () => {
  const fields = {
    content: 'Ann likes short answers.',
    tags: ['ann'],
    importance: 0.8,
    metadata: { source: 'chat' },
    timestamp: '2026-02-01T00:00:00Z',
    type: 'Preference',
    confidence: 0.9,
  };
  const { status, body } = await send('POST /memory', fields);
  expect(status).toBe(201);
  expect(body).toMatchObject({ memory_id: expect.any(String), qdrant: expect.any(String), enrichment: 'queued' });
});

test('AutoMem client: a batch is an object, and the answer has ids and counts', async () => {
  const { status, body } = await send('POST /memory/batch', { memories: [{ content: 'a' }, { content: 'b' }] });
  expect(status).toBe(201);
  expect(body).toMatchObject({ stored: 2, memory_ids: [expect.any(String), expect.any(String)] });
  expect(body).toMatchObject({ qdrant: expect.any(String), enrichment: 'queued', query_time_ms: expect.any(Number) });
});

test('AutoMem client: a recall with all client parameters returns every field that the client reads', async () => {
  const query = [
    'query=what+does+billing+run+on',
    'tags=billing&tags=db',
    'tag_mode=any&tag_match=prefix',
    'limit=5&format=text&offset=0',
    'expand_entities=true&expand_relations=true&expansion_limit=5&relation_limit=5',
    'auto_decompose=false&state_mode=current&recency_bias=off&min_score=0&adaptive_floor=false',
    'context=databases&language=sql&active_path=src/a.sql&context_tags=db&context_types=Decision',
  ].join('&');
  const { status, body } = await send(`GET /recall?${query}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'success',
    count: expect.any(Number),
    sort: 'score',
    query_time_ms: expect.any(Number),
  });
  expect(body).toMatchObject({ tag_mode: 'any', tag_match: 'prefix', state_mode: 'current', tags: ['billing', 'db'] });
  expect(body).toMatchObject({ dedup_removed: 0, expansion: { enabled: true }, entity_expansion: { enabled: true } });
  expect(body).toMatchObject({ state_filter: {}, vector_search: { enabled: true }, query: 'what does billing run on' });
  expect(body.results.map(({ id }: { id: string }) => id)).toContain(current);
  for (const { id, memory, ...result } of body.results) {
    expect(id).toBe(memory.memory_id);
    expect(memory).toMatchObject({
      content: expect.any(String),
      tags: expect.any(Array),
      importance: expect.any(Number),
    });
    expect(memory).toMatchObject({ type: expect.any(String), confidence: expect.any(Number), metadata: {} });
    for (const time of ['timestamp', 'created_at', 'updated_at', 'last_accessed']) expect(memory[time]).toMatch(ISO);
    expect(result).toMatchObject({
      final_score: expect.any(Number),
      score: result.final_score,
      relations: expect.any(Array),
    });
    expect(result).toMatchObject({ match_type: expect.any(String), match_score: expect.any(Number) });
    expect(result).toMatchObject({ source: expect.any(String), score_components: { vector: expect.any(Number) } });
  }
});

test('AutoMem client: a memory read by id is a flat object, and a missing memory gets a 404', async () => {
  const { body } = await send(`GET /memory/${current}`);
  expect(body).toMatchObject({
    id: current,
    content: 'Billing runs on PostgreSQL.',
    timestamp: expect.stringMatching(ISO),
  });
  expect(body).toMatchObject({ updated_at: expect.stringMatching(ISO), relations: expect.any(Array), metadata: {} });
  const missing = await send(`GET /memory/${UNKNOWN_ID}`);
  expect([missing.status, missing.body.message]).toEqual([404, expect.any(String)]);
});

test('AutoMem client: a page by tag contains memories as flat objects and says whether more follow', async () => {
  const { body } = await send('GET /memory/by-tag?tags=billing&limit=1&offset=0');
  expect(body).toMatchObject({ count: 1, limit: 1, offset: 0, has_more: true, tags: ['billing'] });
  expect(body.memories[0]).toMatchObject({
    id: expect.any(String),
    timestamp: expect.stringMatching(ISO),
    tags: expect.arrayContaining(['billing']),
  });
});

test('AutoMem client: an update and an INVALIDATED_BY edge supersede a memory', async () => {
  const { body: before } = await send(`GET /memory/${old}`);
  const metadata = {
    ...before.metadata,
    deprecated: true,
    superseded_by: current,
    supersede_relation: 'INVALIDATED_BY',
  };
  const changed = await send(`PATCH /memory/${old}`, { t_invalid: '2026-03-01T12:00:00Z', metadata });
  expect([changed.status, changed.body.memory_id]).toEqual([200, old]);
  const edge = { memory1_id: old, memory2_id: current, type: 'INVALIDATED_BY', strength: 0.9 };
  const associated = await send('POST /associate', { ...edge, reason: 'it has moved' });
  expect(associated.status).toBe(201);
  expect(associated.body).toMatchObject({
    message: expect.any(String),
    relation_type: 'INVALIDATED_BY',
    strength: 0.9,
  });
  const { body } = await send('GET /recall?query=billing+runs+on&tags=billing');
  expect(body.results.map(({ id }: { id: string }) => id)).toEqual([current]);
});

test('AutoMem client: a batch of associations counts successes and failures', async () => {
  const good = { memory1_id: current, memory2_id: old, type: 'RELATES_TO' };
  const { status, body } = await send('POST /associate', { associations: [good, { ...good, memory2_id: UNKNOWN_ID }] });
  expect(status).toBe(207);
  expect(body).toMatchObject({ created_count: 1, failed_count: 1, summary: expect.any(String) });
  expect(body).toMatchObject({ succeeded: [{ index: 0 }], failed: [{ index: 1, reason: expect.any(String) }] });
});

test('AutoMem client: health has the fields that the installer and the health tool check', async () => {
  const { body } = await call('GET /health');
  expect(body).toMatchObject({ status: expect.any(String), falkordb: 'connected', qdrant: 'connected' });
  expect(body).toMatchObject({ memory_count: expect.any(Number), enrichment: { status: expect.any(String) } });
});

test('AutoMem client: deletion returns the id, or the number of memories deleted by tag', async () => {
  expect((await send(`DELETE /memory/${current}`)).body).toMatchObject({ memory_id: current });
  expect((await send('DELETE /memory/by-tag?tags=db')).body).toMatchObject({ deleted_count: 1, tags: ['db'] });
  expect((await send(`DELETE /memory/${current}`)).status).toBe(404);
});

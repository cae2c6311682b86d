/** The exact bodies of the REST interface. */
import { describe, expect, test } from 'vitest';
import { axis, NOON_ISO, openForTest } from '../engine/open-engine.js';
import { type Call, createTestApp, send } from '../http/test-app.js';
import { idOf } from '../support/records.js';

const NO_SCORE = {
  vector: 0,
  keyword: 0,
  exact: 0,
  confidence: 0,
  recency: 0,
  tag: 0,
  relation: 0,
  relevance: 0,
  lexical: 0,
  meaning: 0,
  neighbour: 0,
  context: 0,
  newer: 0,
  inherited: 0,
};

async function openApp() {
  const { engine, clock, log, config } = await openForTest();
  const app = createTestApp({ engine, log });
  return { engine, clock, config, call: async (route: string, call?: Call) => (await send(app, route, call)).body };
}

test('storing one memory returns the expected body', async () => {
  const { call } = await openApp();
  const fields = { id: idOf(1), content: ' Ann likes tea. ', tags: 'People, people:ann', metadata: { source: 'chat' } };
  expect(await call('POST /memory', { json: fields })).toEqual({
    status: 'success',
    memory_id: idOf(1),
    type: 'Preference',
    confidence: 0.6,
    enrichment: 'queued',
    embedding: 'stored',
    embedding_status: 'stored',
    qdrant: 'stored',
    stored_at: NOON_ISO,
    timestamp: NOON_ISO,
    updated_at: NOON_ISO,
    last_accessed: NOON_ISO,
    tags: ['People', 'people:ann', 'entity:people:ann'],
    metadata: { source: 'chat', entities: { people: ['Ann'] } },
    query_time_ms: 0,
  });
  expect(await call('POST /memory', { json: { content: 'own vector', embedding: axis(3) } })).toMatchObject({
    embedding: 'stored',
    embedding_status: 'provided',
    qdrant: 'stored',
  });
});

test('storing many memories returns the expected body', async () => {
  const { call } = await openApp();
  const items = [1, 2].map(number => ({ id: idOf(number), content: `memory ${number}` }));
  expect(await call('POST /memory/batch', { json: items })).toEqual({
    status: 'success',
    stored: 2,
    memory_ids: [idOf(1), idOf(2)],
    qdrant: 'ok',
    enrichment: 'queued',
    query_time_ms: 0,
  });
  const supplied = { content: 'own vector', embedding: axis(3) };
  expect(await call('POST /memory/batch', { json: [supplied] })).toMatchObject({ qdrant: 'ok' });
});

describe('the body of a memory', () => {
  const openFilled = async () => {
    const { call } = await openApp();
    const fields = { content: 'Ann likes tea.', tags: ['People:Ann'], importance: 0.7, type: 'Habit' };
    await call('POST /memory', { json: { id: idOf(1), ...fields } });
    return call;
  };
  const record = {
    id: idOf(1),
    content: 'Ann likes tea.',
    type: 'Habit',
    confidence: 0.9,
    tags: ['People:Ann', 'entity:people:ann'],
    tag_prefixes: ['people', 'people:ann', 'entity', 'entity:people', 'entity:people:ann'],
    importance: 0.7,
    metadata: { entities: { people: ['Ann'] } },
    timestamp: NOON_ISO,
    updated_at: NOON_ISO,
    last_accessed: NOON_ISO,
    enriched: false,
    archived: false,
    embedded_by: 'hash-v3-64',
  };

  test('in an answer to a read by id is flat and includes the relations', async () => {
    const call = await openFilled();
    expect(await call(`GET /memory/${idOf(1)}`)).toEqual({ status: 'success', ...record, relations: [] });
  });

  test('in a listing by tag is in `results` with a score, and in `memories` without a score', async () => {
    const call = await openFilled();
    const { tag_prefixes: _, enriched: _enriched, archived: _archived, embedded_by: _model, ...shown } = record;
    expect(await call('GET /memory/by-tag?tags=people/ann')).toEqual({
      status: 'success',
      tags: ['people/ann'],
      count: 1,
      limit: 20,
      offset: 0,
      has_more: false,
      results: [
        {
          id: idOf(1),
          memory: { memory_id: idOf(1), ...shown, created_at: NOON_ISO },
          score: 0.7,
          final_score: 0.7,
          match_score: 0.7,
          match_type: 'tag',
          source: 'graph',
          score_components: { ...NO_SCORE, importance: 0.7 },
          relations: [],
        },
      ],
      memories: [record],
      query_time_ms: 0,
    });
  });

  test('is absent from the answers to an update, a deletion by id and a deletion by tag', async () => {
    const call = await openFilled();
    const id = { status: 'success', memory_id: idOf(1) };
    expect(await call(`PATCH /memory/${idOf(1)}`, { json: { importance: 1 } })).toEqual(id);
    expect(await call(`DELETE /memory/${idOf(1)}`)).toEqual(id);
    expect(await call('DELETE /memory/by-tag?tags=people:ann')).toEqual({
      status: 'success',
      tags: ['people:ann'],
      deleted_count: 0,
    });
  });
});

test('reading the health of an empty memory returns the expected body', async () => {
  const { call, clock, engine } = await openApp();
  await engine.idle();
  clock.advance(3_000);
  expect(await call('GET /health')).toEqual({
    status: 'healthy',
    falkordb: 'connected',
    qdrant: 'connected',
    memory_count: 0,
    vector_count: 0,
    sync_status: 'synced',
    vector_dimensions: { configured: 64, effective: 64, collection: null, mismatch: false },
    enrichment: {
      status: 'running',
      queue_depth: 0,
      pending: 0,
      inflight: 0,
      processed: 0,
      failed: 0,
      behind_seconds: 0,
    },
    embedding: { model: 'hash-v3-64', status: 'healthy', embedded: 0, pending: 0, failed: 0, behind_seconds: 0 },
    storage: {
      last_read: { at: expect.any(String), age_seconds: expect.any(Number) },
      last_write: { at: NOON_ISO, age_seconds: 3 },
      failures_last_minute: 0,
      integrity: 'unchecked',
      disk_free_bytes: expect.any(Number),
    },
    consolidation: { proposals: 0 },
    backend: {
      graph: 'embedded SQLite',
      vectors: 'embedded SQLite',
      embedding: expect.stringMatching(/hash.*lexical/),
      embedding_reason: 'EMBEDDING_PROVIDER=hash',
    },
    graph: 'memories',
    timestamp: '2026-03-01T12:00:03.000Z',
  });
});

test('reading the status of the background work returns the expected body', async () => {
  const { call, engine } = await openApp();
  await call('POST /memory', { json: { id: idOf(1), content: 'apples', type: 'Context' } });
  expect(await call('GET /enrichment/status')).toMatchObject({ queue_size: 1, pending: 1, inflight: 0 });
  await engine.idle();
  expect(await call('GET /enrichment/status')).toEqual({
    status: 'running',
    queue_size: 0,
    pending: 0,
    inflight: 0,
    max_attempts: 3,
    stats: {
      processed_total: 1,
      successes: 1,
      failures: 0,
      failed: 0,
      last_success_id: idOf(1),
      last_success_at: NOON_ISO,
      last_error: null,
      last_error_at: null,
    },
    classification: {
      pattern_classifications: 0,
      llm_attempts: 0,
      llm_successes: 0,
      fallbacks: 0,
      last_error: null,
    },
    language_model: null,
  });
});

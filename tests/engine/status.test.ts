/** Health and the state of background work (decisions D36). */
import { describe, expect, test } from 'vitest';
import { NOON_ISO, openForTest } from './open-engine.js';

describe('health', () => {
  test('of an empty memory', async () => {
    const { engine, config } = await openForTest();
    const { falkordb } = config.stores;
    expect(await engine.health()).toEqual({
      status: 'healthy',
      falkordb: 'connected',
      qdrant: 'connected',
      memory_count: 0,
      vector_count: 0,
      sync_status: 'synced',
      vector_dimensions: { configured: 64, effective: 64, collection: 64, mismatch: false },
      enrichment: {
        status: 'running',
        queue_depth: 0,
        pending: 0,
        inflight: 0,
        processed: 0,
        failed: 0,
        behind_seconds: 0,
      },
      embedding: { model: 'hash-v1-64', embedded: 0, pending: 0, failed: 0, behind_seconds: 0 },
      storage: {
        last_read: { at: NOON_ISO, age_seconds: 0 },
        last_write: expect.toSatisfy(write => write === null || write.at === NOON_ISO),
        failures_last_minute: 0,
        integrity: 'unchecked',
        disk_free_bytes: expect.any(Number),
      },
      backend: {
        graph: falkordb ? `FalkorDB at ${falkordb.url.replace('unix://', '')}` : 'embedded SQLite',
        vectors: 'embedded SQLite',
        embedding: expect.stringMatching(/hash.*lexical/),
        embedding_reason: 'EMBEDDING_PROVIDER=hash',
      },
      graph: falkordb?.graph ?? 'memories',
      timestamp: NOON_ISO,
    });
  });

  test('counts what there is and what is still to be done', async () => {
    const { engine, storeMany } = await openForTest();
    await storeMany([{ content: 'a' }, { content: 'b' }, { content: 'c' }]);
    expect(await engine.health()).toMatchObject({
      memory_count: 3,
      vector_count: 0,
      sync_status: 'synced',
      enrichment: { queue_depth: 3, pending: 3, inflight: 0, processed: 0 },
    });
    await engine.idle();
    expect(await engine.health()).toMatchObject({
      memory_count: 3,
      vector_count: 3,
      sync_status: 'synced',
      enrichment: { queue_depth: 0, pending: 0, processed: 3, failed: 0 },
    });
  });

  test('sees no drift while a vector is made again', async () => {
    const { engine, add, patch } = await openForTest();
    const id = await add({ content: 'old' });
    await add({ content: 'other' });
    await engine.idle();
    await patch(id, { content: 'new' });
    expect(await engine.health()).toMatchObject({ memory_count: 2, vector_count: 1, sync_status: 'synced' });
  });
});

describe('the state of background work', () => {
  test('is told in numbers, the last success by name', async () => {
    const { engine, add, clock } = await openForTest();
    expect(await engine.workStatus()).toEqual({
      status: 'running',
      queue_size: 0,
      pending: 0,
      inflight: 0,
      max_attempts: 3,
      stats: {
        processed_total: 0,
        successes: 0,
        failures: 0,
        failed: 0,
        last_success_id: null,
        last_success_at: null,
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
    await add({ content: 'a' });
    const last = await add({ content: 'b' });
    expect(await engine.workStatus()).toMatchObject({ queue_size: 2, pending: 2 });
    clock.advance(1_000);
    await engine.idle();
    expect(await engine.workStatus()).toMatchObject({
      queue_size: 0,
      stats: {
        processed_total: 2,
        successes: 2,
        last_success_id: last,
        last_success_at: '2026-03-01T12:00:01.000Z',
        last_error: null,
      },
    });
  });

  test('knows the configured number of attempts', async () => {
    const { engine } = await openForTest({ ENRICHMENT_MAX_ATTEMPTS: '7' });
    expect(await engine.workStatus()).toMatchObject({ max_attempts: 7 });
  });
});

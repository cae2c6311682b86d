/** Health and the state of background work (docs/decisions.md, "Health and drift"). */
import { describe, expect, test } from 'vitest';
import { startLaterVectors } from '../support/later-vectors.js';
import { NOON_ISO, openForTest } from './open-engine.js';

const NOON_MS = Date.parse(NOON_ISO);
const NO_BACKLOG = { pending: 0, inFlight: 0, failed: 0, behindMs: 0 };

describe('health', () => {
  test('of an empty memory has every field', async () => {
    const { engine, config } = await openForTest();
    const { falkordb } = config.stores;
    expect(await engine.health()).toEqual({
      reasons: [],
      graph: {
        name: falkordb?.graph ?? 'memories',
        description: falkordb ? `FalkorDB at ${falkordb.url.replace('unix://', '')}` : 'embedded SQLite',
        isReachable: true,
        memoryCount: 0,
      },
      vectors: { description: 'embedded SQLite', isReachable: true, vectorCount: 0, dimensions: null },
      hasLengthMismatch: false,
      consistency: 'inSync',
      embedder: {
        model: 'hash-v3-64',
        description: expect.stringMatching(/hash.*lexical/),
        choiceReason: 'EMBEDDING_PROVIDER=hash',
        configuredDimensions: 64,
        dimensions: 64,
      },
      embedding: { embeddedCount: 0, backlog: NO_BACKLOG },
      enrichment: { isRunning: true, successes: 0, backlog: NO_BACKLOG },
      storage: {
        lastReadMs: NOON_MS,
        lastWriteMs: expect.toSatisfy(writeMs => writeMs === null || writeMs === NOON_MS),
        recentFailures: 0,
        integrity: 'unchecked',
        freeBytes: expect.any(Number),
      },
      consolidation: { problems: [], openProposals: 0 },
      takenAtMs: NOON_MS,
    });
  });

  test('counts memories, vectors and waiting work', async () => {
    const { settings } = await startLaterVectors();
    const { engine, storeMany } = await openForTest(settings);
    await storeMany([{ content: 'a' }, { content: 'b' }, { content: 'c' }]);
    expect(await engine.health()).toMatchObject({
      graph: { memoryCount: 3 },
      vectors: { vectorCount: 0 },
      consistency: 'inSync',
      enrichment: { successes: 0, backlog: { pending: 3, inFlight: 0 } },
    });
    await engine.idle();
    expect(await engine.health()).toMatchObject({
      graph: { memoryCount: 3 },
      vectors: { vectorCount: 3 },
      consistency: 'inSync',
      enrichment: { successes: 3, backlog: { pending: 0, inFlight: 0, failed: 0 } },
    });
  });

  test('reports no drift while a vector is made again', async () => {
    const { settings } = await startLaterVectors();
    const { engine, add, patch } = await openForTest(settings);
    const id = await add({ content: 'old' });
    await add({ content: 'other' });
    await engine.idle();
    await patch(id, { content: 'new' });
    expect(await engine.health()).toMatchObject({
      graph: { memoryCount: 2 },
      vectors: { vectorCount: 1 },
      consistency: 'inSync',
    });
  });
});

describe('the status of background work', () => {
  test('contains counts, and the id and time of the last success', async () => {
    const { engine, add, clock } = await openForTest();
    expect(await engine.workStatus()).toEqual({
      isRunning: true,
      pending: 0,
      inFlight: 0,
      failed: 0,
      maxAttempts: 3,
      worker: {
        successes: 0,
        failures: 0,
        lastSuccessId: null,
        lastSuccessAt: null,
        lastError: null,
        lastErrorAt: null,
      },
      classifier: { patternClassifications: 0, modelAttempts: 0, modelSuccesses: 0, fallbacks: 0, lastError: null },
    });
    await add({ content: 'a' });
    const last = await add({ content: 'b' });
    expect(await engine.workStatus()).toMatchObject({ pending: 2, inFlight: 0 });
    clock.advance(1_000);
    await engine.idle();
    expect(await engine.workStatus()).toMatchObject({
      pending: 0,
      worker: {
        successes: 2,
        failures: 0,
        lastSuccessId: last,
        lastSuccessAt: '2026-03-01T12:00:01.000Z',
        lastError: null,
      },
    });
  });

  test('contains the configured maximum number of attempts', async () => {
    const { engine } = await openForTest({ ENRICHMENT_MAX_ATTEMPTS: '7' });
    expect(await engine.workStatus()).toMatchObject({ maxAttempts: 7 });
  });
});

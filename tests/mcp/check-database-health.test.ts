/** `check_database_health` reports the health of the memory to a model, and succeeds in every state of the memory. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { systemClock } from '../../src/engine/clock.js';
import type { Forward } from '../../src/http/memory-app.js';
import { createHandlers } from '../../src/mcp/handlers.js';
import { createMemoryClient } from '../../src/sharing/memory.js';
import { createTestApp } from '../http/test-app.js';
import { EXAMPLE_PROPOSAL } from '../support/example-requests.js';
import { startLaterVectors } from '../support/later-vectors.js';
import { openGraphOf, openTestEngine } from '../support/test-engine.js';
import { testLimits } from '../support/test-limits.js';
import { CONTENT_TIERS, connectClient, faultyEngine, recordingLog, structuredOf, textOf } from './connected-client.js';

async function openHealthy(settings: Record<string, string> = {}) {
  const test = await openTestEngine(settings);
  const connected = await connectClient(test.engine);
  onTestFinished(async () => {
    await connected.close();
    await test.close();
  });
  return { engine: test.engine, call: connected.call };
}

/** Calls the tool in a process that forwards its requests. */
async function checkBy(forward: Forward) {
  const { log } = recordingLog();
  const shared = { isReadOnly: false, reach: async () => ({ forward }) };
  const memory = createMemoryClient({ memory: shared, clock: systemClock, log, retryDelaysMs: [] });
  const parts = { memory, limits: testLimits(), content: CONTENT_TIERS, log };
  return createHandlers(parts).callTool({ name: 'check_database_health' });
}

describe('check_database_health', () => {
  it('reports that calls without a token are refused, although GET /health needs no token', async () => {
    const { engine } = await openHealthy();
    const app = createTestApp({ engine, settings: { apiToken: 'secret' }, log: recordingLog().log });
    const result = await checkBy(async ({ url, headers }) =>
      app.request(url.replace('memory', '127.0.0.1'), { headers }),
    );
    expect(textOf(result)).toMatch(/^Memory: unreachable\nUnauthorized\n/);
  });

  it('reports a healthy memory with its counts, stores and model', async () => {
    const { settings } = await startLaterVectors();
    const { engine, call } = await openHealthy(settings);
    await call('store_memory', { content: 'Ann likes tea.' });
    const waiting = await call('check_database_health', {});
    expect(textOf(waiting)).toContain('Waiting to be embedded: 1');
    await engine.idle();
    const result = await call('check_database_health', {});
    expect(result.isError).toBeFalsy();
    expect(textOf(result).split('\n')).toEqual([
      'Memory: healthy',
      'Memories: 1; vectors: 1 (synced)',
      'Graph store: connected, embedded SQLite',
      expect.stringMatching(/^Vector store: connected, /),
      expect.stringMatching(/^Embedding model: /),
      'Waiting to be embedded: 0',
      'Waiting to be enriched: 0',
      'Proposals of consolidation that wait for an answer: 0',
    ]);
    expect(structuredOf(result)).toMatchObject({ status: 'healthy', memory_count: 1, falkordb: 'connected' });
  });

  it('reports vectors that cannot be stored, with their lengths', async () => {
    const { settings, server } = await startLaterVectors();
    const { engine, call } = await openHealthy(settings);
    server.on('/v1/embeddings', { json: { data: [{ index: 0, embedding: Array(96).fill(0.5) }] } });
    await call('store_memory', { content: 'Ann likes tea.' });
    await engine.idle();
    expect(textOf(await call('check_database_health', {}))).toContain(
      'Vectors cannot be stored because their lengths differ: VECTOR_SIZE is 64, the model returns 96',
    );
  });

  it('reports the number of waiting proposals, and why a consolidation run changed nothing', async () => {
    const thresholds = { CONSOLIDATION_ARCHIVE_THRESHOLD: '1', CONSOLIDATION_MAX_CHANGE_SHARE: '0.1' };
    const test = await openTestEngine(thresholds);
    await test.reopen(async () => {
      const graph = openGraphOf(test.config);
      await graph.saveNode(EXAMPLE_PROPOSAL);
      await graph.close();
    });
    const { call, close } = await connectClient(test.engine);
    onTestFinished(async () => {
      await close();
      await test.close();
    });
    const { older_id, newer_id } = EXAMPLE_PROPOSAL.properties;
    for (const id of [older_id, newer_id]) {
      const given = { id: String(id), content: `Note ${id}`, timestamp: '2020-01-01' };
      await test.engine.store({ ...given, importance: 0.1, metadata: {} });
    }
    await test.engine.consolidation.run({ mode: 'forget', isDryRun: false });
    const result = await call('check_database_health', {});
    expect(textOf(result).split('\n').slice(-2)).toEqual([
      'Proposals of consolidation that wait for an answer: 1',
      expect.stringMatching(/^- The last run of forget was stopped: 2 of 2 memories would be /),
    ]);
    expect(structuredOf(result)).toMatchObject({
      status: 'healthy',
      consolidation: { proposals: 1, problems: [expect.stringContaining('was stopped')] },
    });
  });

  it('takes no parameters, and succeeds when the memory is degraded', async () => {
    const { engine, call } = await openHealthy();
    expect((await call('check_database_health', { deep: true })).isError).toBe(true);
    const report = { ...(await engine.health()), reasons: ['The disk is full.', 'Writes fail.'] };
    const { call: callDegraded, close } = await connectClient(faultyEngine({ health: async () => report }));
    const result = await callDegraded('check_database_health', {});
    await close();
    expect(result.isError).toBeFalsy();
    expect(textOf(result)).toMatch(/^Memory: degraded\n- The disk is full\.\n- Writes fail\.\n/);
    expect(structuredOf(result)).toMatchObject({ status: 'degraded', reasons: report.reasons });
  });

  it('names the process to restart when that process does not answer', async () => {
    const refusal = new MemoryError('unavailable', 'Process 42 has the memory open and does not answer', {
      hint: 'Restart the program that runs process 42, then try again.',
    });
    const body = {
      status: 'error',
      code: 503,
      error: refusal.message,
      message: refusal.message,
      details: refusal.hint,
    };
    const result = await checkBy(async () => Response.json(body, { status: 503 }));
    expect(result.isError).toBeFalsy();
    expect(textOf(result)).toBe(`Memory: unreachable\n${refusal.message}\n${refusal.hint}`);
    expect(structuredOf(result)).toEqual({ status: 'unreachable', message: refusal.message, hint: refusal.hint });
  });

  it('says what to restart when nothing answers', async () => {
    const unanswered = new MemoryError('unavailable', 'http://memory gave no answer (ECONNREFUSED)');
    const result = await checkBy(() => Promise.reject(unanswered));
    expect(result.isError).toBeFalsy();
    expect(textOf(result)).toMatch(/^Memory: unreachable\nhttp:\/\/memory gave no answer \(ECONNREFUSED\)\nRestart /);
  });

  it('succeeds even if the health check itself fails', async () => {
    const { call, close } = await connectClient(
      faultyEngine({ health: () => Promise.reject(new Error('/srv/secret')) }),
    );
    const result = await call('check_database_health', {});
    await close();
    expect(result.isError).toBeFalsy();
    expect(textOf(result)).toMatch(/^Memory: unreachable/);
    expect(JSON.stringify(result)).not.toContain('secret');
  });
});

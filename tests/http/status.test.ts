/** GET /health and GET /enrichment/status. */
import { afterAll, describe, expect, it } from 'vitest';
import { openBrokenApp, openTestApp, send } from './test-app.js';

const { app, call, engine, close } = await openTestApp();
afterAll(close);

describe('GET /health', () => {
  it('answers 200 with all fields of the specification', async () => {
    await call('POST /memory', { json: { content: 'counted' } });
    await engine.idle();
    const { status, body } = await call('GET /health');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'healthy',
      falkordb: 'connected',
      memory_count: 1,
      sync_status: expect.any(String),
      vector_dimensions: { configured: engine.limits.vectorSize, effective: expect.any(Number), mismatch: false },
      enrichment: { status: 'running', queue_depth: 0, pending: 0, inflight: 0, failed: 0 },
      graph: expect.any(String),
      timestamp: expect.any(String),
    });
    expect(body.vector_dimensions).toHaveProperty('collection');
  });

  it('answers 503 with the same fields and with the reasons when the memory is degraded', async () => {
    const sound = await engine.health();
    const reasons = ['The graph store does not answer: gone.'];
    const report = { ...sound, reasons, graph: { ...sound.graph, isReachable: false } };
    const { app } = openBrokenApp(engine, { health: async () => report });
    const { status, body } = await send(app, 'GET /health');
    const healthy = await call('GET /health');
    expect(healthy.status).toBe(200);
    expect([status, body]).toEqual([
      503,
      { ...healthy.body, status: 'degraded', reasons, falkordb: 'disconnected', storage: expect.any(Object) },
    ]);
  });

  it('answers HEAD without a body', async () => {
    const response = await app.request('/health', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('GET /enrichment/status', () => {
  it('returns the state of the worker', async () => {
    const { status, body } = await call('GET /enrichment/status');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: expect.stringMatching(/^(running|stopped)$/),
      queue_size: expect.any(Number),
      pending: expect.any(Number),
      inflight: expect.any(Number),
      max_attempts: expect.any(Number),
      stats: expect.any(Object),
    });
  });
});

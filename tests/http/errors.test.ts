/** Every kind of failure has the same error body (docs/decisions.md, "One error body"). */
import { HTTPException } from 'hono/http-exception';
import { afterAll, describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { openBrokenApp, openTestApp, send, UNKNOWN_ID } from './test-app.js';

const { call, engine, close } = await openTestApp();
afterAll(close);

/** An application whose recall throws the given value. */
function failingApp(thrown: unknown) {
  return openBrokenApp(engine, { recall: () => Promise.reject(thrown) });
}

describe('routes', () => {
  it.each(['GET /web', 'GET /nowhere', 'POST /memory/', 'GET /memory/a/b', 'GET //health', 'GET /health/'])(
    'unknown route %s is a 404',
    async route => {
      const { status, body } = await call(route);
      expect(status).toBe(404);
      expect(body).toEqual({ status: 'error', code: 404, error: 'No such route', message: 'No such route' });
    },
  );

  it.each([
    ['GET /memory', 'POST'],
    ['OPTIONS /memory', 'POST'],
    ['GET /memory/batch', 'POST'],
    ['DELETE /memory/batch', 'POST'],
    ['POST /memory/by-tag', 'GET, HEAD, DELETE'],
    ['PATCH /memory/by-tag', 'GET, HEAD, DELETE'],
    [`PUT /memory/${UNKNOWN_ID}`, 'GET, HEAD, PATCH, DELETE'],
    ['POST /recall', 'GET, HEAD'],
    ['DELETE /health', 'GET, HEAD'],
    ['POST /enrichment/status', 'GET, HEAD'],
    ['PROPFIND /recall', 'GET, HEAD'],
  ])('unsupported method %s gets a 405 with the allowed methods %s', async (route, allowed) => {
    const { status, body, headers } = await call(route);
    expect(status).toBe(405);
    expect(body).toMatchObject({ status: 'error', code: 405, error: body.message });
    expect(headers.get('allow')).toBe(allowed);
  });
});

describe('failures of the engine', () => {
  it('answer 503 when the graph store is unavailable, and log the reason', async () => {
    const cause = new Error('connect ECONNREFUSED 192.0.2.1:6379');
    const { app, logged } = failingApp(new MemoryError('unavailable', 'The graph store is unavailable', { cause }));
    const { status, body } = await send(app, 'GET /recall');
    const message = 'The graph store is unavailable';
    expect([status, body]).toEqual([503, { status: 'error', code: 503, error: message, message }]);
    expect(logged).toMatchObject([{ level: 'warn', message: `GET /recall: ${message}`, details: cause.message }]);
  });

  it.each([
    ['an error', new Error('SELECT secret FROM /home/someone')],
    ['a string', 'secret'],
    ['nothing', undefined],
    ['an object', { secret: true }],
    ['an error that looks like ours', Object.assign(new Error('secret'), { code: 'invalid', status: 400 })],
  ])('do not show %s in the answer, and log it once with the request id of the answer', async (_, thrown) => {
    const { app, logged } = failingApp(thrown);
    const { status, body } = await send(app, 'GET /recall?api_key=secret');
    expect(status).toBe(500);
    expect(body).toEqual({
      status: 'error',
      code: 500,
      error: 'Internal server error',
      message: 'Internal server error',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({ level: 'error', details: thrown, requestId: body.request_id });
    expect(logged[0]?.message).toContain('GET /recall');
    expect(logged[0]?.message).not.toContain('secret');
  });

  it('write one line to the log, even if the path contains a line break', async () => {
    const { app, logged } = openBrokenApp(engine, { get: () => Promise.reject(new Error('fault')) });
    expect((await send(app, `GET /memory/${UNKNOWN_ID}%0A`)).status).toBe(500);
    expect(logged[0]?.message).toContain('%0A');
    expect(logged[0]?.message).not.toContain('\n');
  });

  it('keep the status of an HTTP exception in the standard body', async () => {
    const stated = await send(failingApp(new HTTPException(418, { message: 'I am a teapot' })).app, 'GET /recall');
    const silent = await send(failingApp(new HTTPException(415)).app, 'GET /recall');
    expect(stated.body).toEqual({ status: 'error', code: 418, error: 'I am a teapot', message: 'I am a teapot' });
    expect([silent.status, silent.body.error]).toEqual([415, 'Unsupported Media Type']);
  });
});

/** The API token on every registered route (docs/decisions.md, "Tokens"). */
import { afterAll, describe, expect, it } from 'vitest';
import { openTestApp, UNKNOWN_ID } from './test-app.js';

const TOKEN = 'correct horse battery staple';
const WRONG = 'wrong horse battery staple';

const { app, call, close, engine } = await openTestApp({ apiToken: TOKEN });
afterAll(close);

/** Method and path of every registered route except middleware. `ALL` represents the refused methods of a path. */
const registered = [
  ...new Set(app.routes.filter(route => route.path !== '/*').map(route => `${route.method} ${route.path}`)),
];
/**
 * All registered routes except `POST /web/session`, which requires a code instead of the token. The tests of that route
 * are in tests/http/page-codes.test.ts.
 */
const routes = registered.filter(route => route !== 'POST /web/session');
const PAGE = ['GET /', 'GET /web/page.js', 'GET /web/page.css'];
const PUBLIC = ['GET /health', 'GET /startup-recall', 'GET /consolidate/status', ...PAGE];
const isPublic = (route: string) => PUBLIC.includes(route);
/** Routes that answer 403 without a configured admin token, whatever the request contains. */
const isPrivileged = (route: string) =>
  /^(GET|POST) \/(enrichment\/reprocess|consolidate\/undo|admin\/|export)/.test(route);
const sendable = (route: string) => route.replace(/^ALL/, 'PUT').replace(':id', UNKNOWN_ID);

const encoded = encodeURIComponent(TOKEN);
const RIGHT_TOKENS: [string, Record<string, string>, string][] = [
  ['a bearer token', { authorization: `Bearer ${TOKEN}` }, ''],
  ['a bearer token in lower case', { authorization: `bearer ${TOKEN}` }, ''],
  ['X-API-Key', { 'x-api-key': TOKEN }, ''],
  ['api_key', {}, `?api_key=${encoded}`],
  ['a right bearer token and a wrong X-API-Key', { authorization: `Bearer ${TOKEN}`, 'x-api-key': WRONG }, ''],
  ['another scheme beside X-API-Key', { authorization: 'Basic eDp5', 'x-api-key': TOKEN }, ''],
];
const WRONG_TOKENS: [string, Record<string, string>, string][] = [
  ['no token', {}, ''],
  ['a wrong bearer token', { authorization: `Bearer ${WRONG}` }, ''],
  ['a wrong X-API-Key', { 'x-api-key': WRONG }, ''],
  ['a wrong api_key', {}, `?api_key=${encodeURIComponent(WRONG)}`],
  ['an empty token in every form', { authorization: 'Bearer ', 'x-api-key': '' }, '?api_key='],
  ['the token in another scheme', { authorization: `Basic ${TOKEN}` }, ''],
  ['a prefix of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, ''],
  [
    'a wrong bearer token beside right other forms',
    { authorization: `Bearer ${WRONG}`, 'x-api-key': TOKEN },
    `?api_key=${encoded}`,
  ],
];

it('the token tests cover the routes of the specification', () => {
  expect(registered.filter(route => !route.startsWith('ALL')).sort()).toEqual(
    [
      ...PAGE,
      'POST /web/codes',
      'POST /web/session',
      'GET /openapi.json',
      'GET /docs',
      'POST /memory',
      'POST /memory/batch',
      'GET /memory/:id',
      'PATCH /memory/:id',
      'DELETE /memory/:id',
      'GET /memory/:id/history',
      'POST /memory/:id/restore',
      'GET /memory/by-tag',
      'DELETE /memory/by-tag',
      'POST /associate',
      'GET /memories/:id/related',
      'GET /recall',
      'GET /recall/why-not',
      'GET /health',
      'GET /analyze',
      'GET /analyze/credentials',
      'GET /startup-recall',
      'GET /projects',
      'POST /projects',
      'POST /hooks/session-start',
      'POST /hooks/prompt',
      'POST /hooks/stop',
      'GET /hooks/log',
      'POST /hooks/pre-compact',
      'POST /hooks/session-end',
      'GET /hooks/try',
      'GET /metrics',
      'GET /enrichment/status',
      'POST /enrichment/reprocess',
      'POST /admin/reembed',
      'POST /admin/sync',
      'POST /consolidate',
      'GET /consolidate/status',
      'GET /consolidate/runs/:id',
      'POST /consolidate/undo',
      'GET /consolidate/proposals',
      'POST /consolidate/proposals/:id',
      'GET /admin/bin',
      'POST /admin/restore',
      'GET /export',
      'GET /admin/export',
      'POST /admin/import',
    ].sort(),
  );
});

describe.each(routes)('%s', route => {
  it.each(WRONG_TOKENS)('fails the token check with %s, unless the route is public', async (_, headers, query) => {
    const { status, body, headers: answered } = await call(sendable(route) + query, { headers });
    if (isPublic(route)) {
      expect(status).toBe(200);
      return;
    }
    expect(status).toBe(401);
    expect(body).toMatchObject({ status: 'error', code: 401, error: 'Unauthorized', message: 'Unauthorized' });
    expect(answered.get('www-authenticate')).toBe('Bearer');
  });

  it.each(RIGHT_TOKENS)('passes the token check with %s', async (_, headers, query) => {
    const { status } = await call(sendable(route) + query, { headers });
    // Most routes refuse a request without parameters or a body, but no route refuses the token.
    expect([200, 201, 400, 403, 404, 405]).toContain(status);
    expect(status === 403).toBe(isPrivileged(route));
    expect(status === 405).toBe(route.startsWith('ALL'));
  });
});

describe('the API token', () => {
  it('is checked before the route is looked up', async () => {
    expect((await call('GET /nowhere')).status).toBe(401);
    expect((await call('GET /web/')).status).toBe(401);
    expect((await call('GET /health/')).status).toBe(401);
    expect((await call('GET /nowhere', { headers: { 'x-api-key': TOKEN } })).status).toBe(404);
  });

  it('is required for all methods on /health except GET and HEAD', async () => {
    expect((await app.request('/health', { method: 'HEAD' })).status).toBe(200);
    expect((await call('POST /health')).status).toBe(401);
  });

  it('is checked before the body is read', async () => {
    let pulls = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          pulls += 1;
          controller.enqueue(new Uint8Array(1024));
        },
      },
      { highWaterMark: 0 },
    );
    expect((await call('POST /memory', { body, headers: { 'content-type': 'application/json' } })).status).toBe(401);
    expect(pulls).toBe(0);
  });

  it('is required to store a memory, so a request without the token stores nothing', async () => {
    await call('POST /memory', { json: { content: 'smuggled', tags: ['smuggled'] } });
    expect((await engine.listByTag({ tags: ['smuggled'], limit: 1, offset: 0 })).memories).toEqual([]);
  });
});

describe('startup recall', () => {
  it('answers requests without a valid token by default, but refuses pages of other origins', async () => {
    await call('POST /memory', {
      json: { content: 'Read the log first.', tags: ['lesson'] },
      headers: { 'x-api-key': TOKEN },
    });
    for (const [, headers] of WRONG_TOKENS) {
      const { status, body } = await call('GET /startup-recall', { headers });
      expect([status, body.lesson_count]).toEqual([200, 1]);
    }
    for (const route of ['POST /startup-recall', 'GET /startup-recall/', 'GET /startup-recall/x']) {
      expect((await call(route)).status).toBe(401);
    }
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { host: 'evil.example' },
    ];
    for (const headers of foreign) expect((await call('GET /startup-recall', { headers })).status).toBe(403);
  });

  it('requires the token if its setting is on, and the OpenAPI document states this', async () => {
    const closed = await openTestApp({ apiToken: TOKEN, startupRecallNeedsToken: true });
    for (const [, headers, query] of WRONG_TOKENS) {
      const { status, body } = await closed.call(`GET /startup-recall${query}`, { headers });
      expect([status, body.error]).toEqual([401, 'Unauthorized']);
    }
    for (const [, headers, query] of RIGHT_TOKENS) {
      expect((await closed.call(`GET /startup-recall${query}`, { headers })).status).toBe(200);
    }
    expect((await closed.call('GET /health')).status).toBe(200);
    const securityOf = async (server: Pick<typeof closed, 'call'>) => {
      const { body } = await server.call('GET /openapi.json', { headers: { 'x-api-key': TOKEN } });
      return body.paths['/startup-recall'].get.security.length;
    };
    expect([await securityOf({ call }), await securityOf(closed)]).toEqual([0, 3]);
    await closed.close();
  });
});

describe('without a configured API token', () => {
  it('no route answers 401', async () => {
    const open = await openTestApp();
    for (const route of routes) expect((await open.call(sendable(route))).status).not.toBe(401);
    await open.close();
  });
});

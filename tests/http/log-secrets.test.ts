/** Tokens never appear in the log, wherever a request carries them and however the request ends. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { createLogger, LOG_FORMATS } from '../../src/log.js';
import { openTestEngine } from '../support/test-engine.js';
import { createTestApp, OPEN_SETTINGS, UNKNOWN_ID } from './test-app.js';

const API = 'api-token-Kx81';
const ADMIN = 'admin-token-Qz27';
const WRONG = 'wrong-token-Jv53';
const SECRET = /Kx81|Qz27|Jv53/;

/** Every place where a request can carry a token, with right and wrong tokens. Admin tokens need the API token too. */
const PLACES = [API, WRONG].flatMap((token): { headers?: Record<string, string>; query?: string }[] => [
  { headers: { authorization: `Bearer ${token}` } },
  { headers: { authorization: `Basic ${token}` } },
  { headers: { 'x-api-key': token } },
  { query: `api_key=${token}` },
  { headers: { 'x-api-key': API, 'x-admin-token': token } },
  { headers: { 'x-api-key': API, 'x-admin-token': ADMIN } },
  { headers: { 'x-api-key': API, 'x-admin-api-key': ADMIN, 'x-request-id': 'trace' } },
  { headers: { 'x-api-key': API, 'x-admin-api-key': token } },
  { headers: { 'x-api-key': API }, query: `admin_token=${ADMIN}` },
  { headers: { 'x-api-key': API }, query: `admin_token=${token}` },
]);

const ROUTES = [
  'GET /health',
  'GET /metrics',
  'GET /recall?query=herons',
  'GET /recall?limit=none',
  'GET /nowhere',
  `GET /memory/${UNKNOWN_ID}`,
  'DELETE /memory/by-tag?tags=a',
  'GET /enrichment/status',
  'POST /memory',
  'POST /enrichment/reprocess',
  'POST /admin/sync',
  'PUT /admin/sync',
];

afterEach(() => vi.restoreAllMocks());

describe.each(LOG_FORMATS)('log format %s', format => {
  test('shows no token of a request', async () => {
    const lines: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation(chunk => lines.push(String(chunk)) > 0);
    const { engine, close } = await openTestEngine();
    const log = createLogger('debug', format);
    const settings = { ...OPEN_SETTINGS, apiToken: API, adminToken: ADMIN };
    const broken = {
      ...engine,
      listByTag: engine.listByTag,
      recall: () => Promise.reject(new Error('fault')),
      workStatus: () => Promise.reject(new MemoryError('unavailable', 'away', { cause: new Error('cause') })),
    };
    const statuses = new Set<number>();
    for (const each of [engine, broken]) {
      const app = createTestApp({ engine: each, settings, log });
      for (const route of ROUTES) {
        const [method = '', path = ''] = route.split(' ');
        for (const { headers = {}, query } of PLACES) {
          const url = query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
          statuses.add((await app.request(url, { method, headers })).status);
        }
      }
    }
    await close();
    expect([...statuses].sort()).toEqual([200, 400, 401, 404, 405, 500, 503]);
    expect(lines.filter(line => line.includes('answered a request'))).toHaveLength(2 * ROUTES.length * PLACES.length);
    expect(lines.filter(line => line.includes('failed unexpectedly')).length).toBeGreaterThan(0);
    expect(lines.filter(line => SECRET.test(line))).toEqual([]);
  });
});

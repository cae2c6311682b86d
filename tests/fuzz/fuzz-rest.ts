/** Sends any number of random requests to a real engine, and checks each answer. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { createOperations } from '../../src/api/operations.js';
import { createTestApp, OPEN_SETTINGS, recordingLog } from '../http/test-app.js';
import { openTestEngine } from '../support/test-engine.js';
import { type FuzzRequest, fuzzRequests } from './rest-requests.js';
import { knownMemories } from './values.js';
import { withinTime } from './within-time.js';

export interface FuzzRun {
  seed: number;
  cases: number;
  /** Time limit for one case. Without a limit, a case may take any time. */
  maxMs?: number;
}

/** Number of cases after which the test waits for background work and restores deleted memories. */
const RENEWED_EVERY = 200;
const ERROR_KEYS = new Set(['status', 'code', 'error', 'message', 'field', 'index', 'details']);

/** Runs the cases and returns the number of answers with each status. */
export async function fuzzRest({ seed, cases, maxMs }: FuzzRun): Promise<Map<number, number>> {
  const test = await openTestEngine();
  const { log, entries } = recordingLog();
  const settings = { ...OPEN_SETTINGS, adminToken: 'admin', bodyLimitBytes: 4_000_000 };
  const app = createTestApp({ engine: test.engine, settings, log });
  const statuses = new Map<number, number>();
  let sent = 0;
  const send = async (request: FuzzRequest) => {
    const { path, operation: _, ...init } = request;
    const response = await app.request(`http://localhost${path}`, init);
    return { response, body: request.method === 'HEAD' ? undefined : ((await response.json()) as unknown) };
  };
  const renew = async () => {
    await test.engine.idle();
    const headers = { 'content-type': 'application/json' };
    for (const memory of knownMemories()) {
      await app.request('http://localhost/memory', { method: 'POST', body: JSON.stringify(memory), headers });
    }
  };
  const property = fc.asyncProperty(fuzzRequests(createOperations(test.engine.limits)), async request => {
    if (sent++ % RENEWED_EVERY === 0) await renew();
    const { response, body } = await withinTime(() => send(request), maxMs);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    // Clear the log. After a failure fast-check tries smaller cases, and each of them must be judged alone.
    expect(entries.splice(0).filter(({ level }) => level === 'error')).toEqual([]);
    expectSound(response, body);
    expectDescribed(request, response, body);
  });
  try {
    await fc.assert(property, { seed, numRuns: cases });
    await test.engine.idle();
    expect((await app.request('http://localhost/health')).status).toBe(200);
    return statuses;
  } finally {
    await test.close();
  }
}

/** Checks that an answer has every required field of its schema, and no undocumented field. */
function expectDescribed({ operation, method }: FuzzRequest, { status }: Response, body: unknown): void {
  if (method !== operation.method) return;
  const schema = operation.answers[status as keyof typeof operation.answers];
  if (status < 300) expect(schema, `${operation.name} answers ${status}`).toBeDefined();
  // The schema of status 503 describes a degraded service. An error with this status has another body.
  if ((body as { status?: string }).status === 'error') return;
  expect(schema?.safeParse(body).error?.issues, operation.name).toBeUndefined();
}

function expectSound({ status, headers }: Response, body: unknown): void {
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(status < 500 || status === 503, `status ${status}`).toBe(true);
  if (status < 400 || body === undefined) return;
  expect(body).toMatchObject({ status: 'error', code: status, error: expect.any(String), message: expect.any(String) });
  expect(Object.keys(body as object).filter(key => !ERROR_KEYS.has(key))).toEqual([]);
  expect(JSON.stringify(body).length).toBeLessThan(2_000);
}

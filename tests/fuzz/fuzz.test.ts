/**
 * Sends a few hundred random requests and calls, the same in every run. None of them causes an internal error, and
 * every refusal has its documented shape.
 */
import { expect, test } from 'vitest';
import { fuzzMcp } from './fuzz-mcp.js';
import { fuzzRest } from './fuzz-rest.js';

const SEED = 20_260_301;

test('the REST interface gives a documented answer to any request', { timeout: 60_000 }, async () => {
  const statuses = await fuzzRest({ seed: SEED, cases: 800 });
  // These statuses show that the requests were not all refused for the same reason.
  for (const status of [200, 201, 207, 400, 404, 405]) expect([...statuses.keys()]).toContain(status);
});

test('the tools give a documented answer to any call', { timeout: 60_000 }, async () => {
  const { succeeded, refused } = await fuzzMcp({ seed: SEED, cases: 400 });
  expect(succeeded).toBeGreaterThan(80);
  expect(refused).toBeGreaterThan(80);
});

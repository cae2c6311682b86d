/** Tens of thousands of random requests and calls: no fault, none over a second, every refusal in its documented shape. */
import { expect, test } from 'vitest';
import { fuzzMcp } from './fuzz-mcp.js';
import { fuzzRest } from './fuzz-rest.js';

/** Repeat a run with ENGRAPH_TEST_SEED. */
const SEED = Number(process.env.ENGRAPH_TEST_SEED ?? Date.now() % 1_000_000_000);
const REST_CASES = 50_000;
const MCP_CASES = 20_000;
const MAX_MS = 1_000;
const HOUR_MS = 3_600_000;

test(`${REST_CASES} requests to the REST interface (seed ${SEED})`, { timeout: HOUR_MS }, async () => {
  const statuses = await fuzzRest({ seed: SEED, cases: REST_CASES, maxMs: MAX_MS });
  for (const status of [200, 201, 207, 400, 404, 405, 415]) expect([...statuses.keys()]).toContain(status);
});

test(`${MCP_CASES} calls of the tools (seed ${SEED})`, { timeout: HOUR_MS }, async () => {
  const { succeeded, refused } = await fuzzMcp({ seed: SEED, cases: MCP_CASES, maxMs: MAX_MS });
  expect(succeeded).toBeGreaterThan(MCP_CASES / 5);
  expect(refused).toBeGreaterThan(MCP_CASES / 5);
});

/**
 * Sends tens of thousands of random requests and calls. None of them causes an internal error or takes longer than a
 * second, and every refusal has its documented shape.
 */
import { expect, test } from 'vitest';
import { fuzzMcp } from './fuzz-mcp.js';
import { type FuzzRun, fuzzRest } from './fuzz-rest.js';

/** Set ENGRAPH_TEST_SEED to the seed of an earlier run to repeat that run. */
const SEED = Number(process.env.ENGRAPH_TEST_SEED ?? Date.now() % 1_000_000_000);
const REST_CASES = 50_000;
const MCP_CASES = 20_000;
const MAX_MS = 1_000;
/** Number of cases on one store. It is limited because operations on a whole store get slower as the store fills. */
const CASES_PER_STORE = 5_000;
const HOUR_MS = 3_600_000;

/** Splits the cases into runs. Each run has a new store and its own seed. */
function rounds(cases: number): FuzzRun[] {
  return Array.from({ length: cases / CASES_PER_STORE }, (_, index) => ({
    seed: SEED + index,
    cases: CASES_PER_STORE,
    maxMs: MAX_MS,
  }));
}

test(`${REST_CASES} REST requests get documented answers in time (seed ${SEED})`, { timeout: HOUR_MS }, async () => {
  for (const run of rounds(REST_CASES)) {
    const statuses = await fuzzRest(run);
    for (const status of [200, 201, 207, 400, 404, 405, 415]) expect([...statuses.keys()]).toContain(status);
  }
});

test(`${MCP_CASES} tool calls get documented answers in time (seed ${SEED})`, { timeout: HOUR_MS }, async () => {
  for (const run of rounds(MCP_CASES)) {
    const { succeeded, refused } = await fuzzMcp(run);
    expect(succeeded).toBeGreaterThan(run.cases / 5);
    expect(refused).toBeGreaterThan(run.cases / 5);
  }
});

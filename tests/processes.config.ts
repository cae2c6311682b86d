/**
 * Slow tests that start processes and servers, which `npm run test:processes` runs, and the slowest tests, which
 * `npm run test:release` runs.
 */
import { defineConfig } from 'vitest/config';
import { compiledThreads } from './support/compiled-threads.js';
import { folderInMemory } from './support/folder-in-memory.js';
import { POLL_TIMEOUT_MS, PROCESS_TESTS, RELEASE_TESTS, TEST_TIMEOUT_MS } from './support/suites.js';

/** These tests start many processes, which takes several times as long on a busy machine. */
const PROCESS_TEST_TIMEOUT_MS = 3 * TEST_TIMEOUT_MS;

export default defineConfig(({ mode }) => ({
  plugins: [compiledThreads()],
  test: {
    include: mode === 'release' ? RELEASE_TESTS : PROCESS_TESTS,
    isolate: false,
    env: folderInMemory(),
    expect: { poll: { timeout: POLL_TIMEOUT_MS } },
    testTimeout: PROCESS_TEST_TIMEOUT_MS,
  },
}));

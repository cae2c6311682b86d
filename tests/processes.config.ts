/** Slow tests that start processes and servers. `npm run test:processes` runs them, and `npm test` runs all others. */
import { defineConfig } from 'vitest/config';
import { compiledThreads } from './support/compiled-threads.js';
import { folderInMemory } from './support/folder-in-memory.js';
import { PROCESS_TESTS, TEST_TIMEOUT_MS } from './support/suites.js';

export default defineConfig({
  plugins: [compiledThreads()],
  test: { include: PROCESS_TESTS, isolate: false, env: folderInMemory(), testTimeout: TEST_TIMEOUT_MS },
});

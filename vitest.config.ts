import { configDefaults, defineConfig } from 'vitest/config';
import { compiledThreads } from './tests/support/compiled-threads.js';
import { folderInMemory } from './tests/support/folder-in-memory.js';
import { POLL_TIMEOUT_MS, PROCESS_TESTS, RELEASE_TESTS, TEST_TIMEOUT_MS } from './tests/support/suites.js';

export default defineConfig({
  plugins: [compiledThreads()],
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...PROCESS_TESTS, ...RELEASE_TESTS],
    // The test files of a worker share their imports. Loading the imports for each file took a third of the time.
    isolate: false,
    env: folderInMemory(),
    expect: { poll: { timeout: POLL_TIMEOUT_MS } },
    testTimeout: TEST_TIMEOUT_MS,
  },
});

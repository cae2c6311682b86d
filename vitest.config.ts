import { configDefaults, defineConfig } from 'vitest/config';
import { compiledThreads } from './tests/support/compiled-threads.js';
import { folderInMemory } from './tests/support/folder-in-memory.js';
import { PROCESS_TESTS, RELEASE_TESTS, TEST_TIMEOUT_MS } from './tests/support/suites.js';

export default defineConfig({
  plugins: [compiledThreads()],
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...PROCESS_TESTS, ...RELEASE_TESTS],
    // The test files of a worker share their imports. Loading the imports for each file took a third of the time.
    isolate: false,
    env: folderInMemory(),
    testTimeout: TEST_TIMEOUT_MS,
  },
});

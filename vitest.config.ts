import { defineConfig } from 'vitest/config';
import { compiledThreads } from './tests/support/compiled-threads.js';
import { folderInMemory } from './tests/support/folder-in-memory.js';
import { DURABILITY, TEST_TIMEOUT_MS as testTimeout } from './tests/support/suites.js';

/** What runs other test files once more. */
const ALONE = ['tests/engine/*-on-falkordb.test.ts'];
const env = folderInMemory();

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [compiledThreads()],
        test: {
          name: 'shared',
          include: ['tests/**/*.test.ts'],
          exclude: [...ALONE, DURABILITY],
          // The files of a worker share what they import: loading it anew for each took a third of the time.
          isolate: false,
          env,
          testTimeout,
        },
      },
      { plugins: [compiledThreads()], test: { name: 'alone', include: ALONE, env, testTimeout } },
    ],
  },
});

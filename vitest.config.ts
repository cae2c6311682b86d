import { defineConfig } from 'vitest/config';
import { compiledThreads } from './tests/support/compiled-threads.js';
import { folderInMemory } from './tests/support/folder-in-memory.js';

/** What starts servers and processes of its own, or runs other test files once more. */
const ALONE = ['tests/durability/**/*.test.ts', 'tests/engine/*-on-falkordb.test.ts'];
const env = folderInMemory();
/** Longer than the default of vitest: other programs may be busy on the machine. */
const testTimeout = 15_000;

export default defineConfig({
  test: {
    projects: [
      // The files of a worker share what they import: loading it anew for each took a third of the time.
      { plugins: [compiledThreads()], test: { name: 'shared', include: ['tests/**/*.test.ts'], exclude: ALONE, isolate: false, env, testTimeout } },
      { plugins: [compiledThreads()], test: { name: 'alone', include: ALONE, env, testTimeout } },
    ],
  },
});

import { defineConfig } from 'vitest/config';

/** What starts servers and processes of its own, or runs other test files once more. */
const ALONE = ['tests/durability/**/*.test.ts', 'tests/engine/*-on-falkordb.test.ts'];

export default defineConfig({
  test: {
    projects: [
      // The files of a worker share what they import: loading it anew for each took a third of the time.
      { test: { name: 'shared', include: ['tests/**/*.test.ts'], exclude: ALONE, isolate: false } },
      { test: { name: 'alone', include: ALONE } },
    ],
  },
});

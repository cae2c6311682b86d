/** Real processes that are killed, starved or left alone: `npm run test:durability` runs them, and `npm test` all others. */
import { defineConfig } from 'vitest/config';
import { compiledThreads } from './support/compiled-threads.js';
import { folderInMemory } from './support/folder-in-memory.js';
import { DURABILITY, TEST_TIMEOUT_MS } from './support/suites.js';

export default defineConfig({
  plugins: [compiledThreads()],
  test: { include: [DURABILITY], env: folderInMemory(), testTimeout: TEST_TIMEOUT_MS },
});

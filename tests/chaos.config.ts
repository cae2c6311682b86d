/** Long runs, which `npm run test:chaos` starts and `npm test` leaves out: every file named `*.chaos.ts`. */
import { defineConfig } from 'vitest/config';
import { compiledThreads } from './support/compiled-threads.js';
import { folderInMemory } from './support/folder-in-memory.js';

export default defineConfig({
  plugins: [compiledThreads()],
  test: { include: ['tests/**/*.chaos.ts'], fileParallelism: false, reporters: ['verbose'], env: folderInMemory() },
});

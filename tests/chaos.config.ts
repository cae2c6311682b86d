/** Long runs, which `npm run test:chaos` starts and `npm test` leaves out: every file named `*.chaos.ts`. */
import { defineConfig } from 'vitest/config';
import { folderInMemory } from './support/folder-in-memory.js';

export default defineConfig({
  test: { include: ['tests/**/*.chaos.ts'], fileParallelism: false, reporters: ['verbose'], env: folderInMemory() },
});

/** `npm run test:hosts`: the real command lines of hosts, which it installs from npm, against stand-ins of their models. */
import { defineConfig } from 'vitest/config';

/** Two sessions of a slow host one after the other, and the wait for their processes. */
const HOST_TEST_TIMEOUT_MS = 180_000;

export default defineConfig({
  test: {
    include: ['tests/hosts/**/*.hosts.ts'],
    fileParallelism: false,
    reporters: ['verbose'],
    testTimeout: HOST_TEST_TIMEOUT_MS,
    hookTimeout: HOST_TEST_TIMEOUT_MS,
  },
});

/** `npm run test:hosts`: the real command lines of hosts, which it installs from npm, against stand-ins of their models. */
import { defineConfig } from 'vitest/config';

/** A minute of making 10,000 memories, or six sessions of a host, on a busy machine. */
const HOST_TEST_TIMEOUT_MS = 600_000;

export default defineConfig({
  test: {
    include: ['tests/hosts/**/*.hosts.ts'],
    fileParallelism: false,
    reporters: ['verbose'],
    testTimeout: HOST_TEST_TIMEOUT_MS,
    hookTimeout: HOST_TEST_TIMEOUT_MS,
  },
});

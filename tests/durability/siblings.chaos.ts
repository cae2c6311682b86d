/** Runs siblings.test.ts with two thousand writes through four processes. The owner is killed ten times. */
process.env.ENGRAPH_TEST_SIBLING_WRITES ??= '2000';
process.env.ENGRAPH_TEST_SIBLING_KILLS ??= '10';
await import('./siblings.test.js');

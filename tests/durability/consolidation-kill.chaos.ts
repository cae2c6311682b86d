/** A hundred kills of consolidation. */
process.env.ENGRAPH_TEST_ROUNDS ??= '100';
await import('./consolidation-kill.test.js');

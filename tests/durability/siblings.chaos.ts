/** Two thousand writes through five clients of one memory, whose owner is killed ten times meanwhile. */
process.env.ENGRAPH_TEST_SIBLING_WRITES ??= '2000';
process.env.ENGRAPH_TEST_SIBLING_KILLS ??= '10';
await import('./siblings.test.js');

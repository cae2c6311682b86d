/** Runs kill.test.ts with two hundred kills. After each kill every vector is compared. */
process.env.ENGRAPH_TEST_ROUNDS ??= '200';
await import('./kill.test.js');

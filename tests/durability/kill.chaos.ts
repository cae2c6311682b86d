/** Runs kill.test.ts with two hundred rounds. Each round ends with a kill and a comparison of every vector. */
process.env.ENGRAPH_TEST_ROUNDS ??= '200';
await import('./kill.test.js');

/** Two hundred kills, with every vector compared after each. */
process.env.ENGRAPH_TEST_ROUNDS ??= '200';
await import('./kill.test.js');

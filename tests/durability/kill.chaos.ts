/** Two hundred kills; every vector is compared after each. */
process.env.ENGRAPH_TEST_ROUNDS ??= '200';
await import('./kill.test.js');

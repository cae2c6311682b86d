/** Kills consolidation a hundred times. */
process.env.ENGRAPH_TEST_ROUNDS ??= '100';
await import('./consolidation-kill.test.js');

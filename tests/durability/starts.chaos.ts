/** Runs starts.test.ts with a thousand starts. Half of the processes are killed. */
process.env.ENGRAPH_TEST_STARTS ??= '1000';
await import('./starts.test.js');

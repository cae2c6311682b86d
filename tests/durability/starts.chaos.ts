/** A thousand starts, half of them killed. */
process.env.ENGRAPH_TEST_STARTS ??= '1000';
await import('./starts.test.js');

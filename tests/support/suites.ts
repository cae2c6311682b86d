/** Names the tests that run separately, and sets the maximum duration of a test. */

/**
 * Tests that start processes, servers or browsers and keep them busy, such as the commands of the real binary, its
 * durability, the engine on FalkorDB, the web page and the examples of the documents. Also tests that keep a
 * core busy for more than five seconds, so that `npm test` stays under two minutes.
 */
export const PROCESS_TESTS = [
  'tests/cli/{connect,connect-hooks,connect-unlisted,consolidation,doctor,hook,other-users,packed,serve,slow-bodies,stdio,store-and-recall,transfer,unusable-folder,usage,view}.test.ts',
  'tests/durability/**/*.test.ts',
  'tests/engine/*-on-falkordb.test.ts',
  'tests/stores/falkordb-{plans,large,limits,outage}.test.ts',
  'tests/embedding/local/{encoder-process,local}.test.ts',
  'tests/maintenance/migrate.test.ts',
  'tests/mcp/credentials-time.test.ts',
  'tests/recall/{linear,text-memory}.test.ts',
  'tests/transfer/other-stores.test.ts',
  'tests/bench/**/run.test.ts',
  'tests/docs/{examples,picture}.test.ts',
  'tests/package/installed.test.ts',
  'tests/web/{journey,history,hostile-memories,review-lists,view}.test.ts',
];
/** Longer than the default of vitest, because other programs may be busy on the machine. */
export const TEST_TIMEOUT_MS = 15_000;

/** Names the tests that run separately, and sets the maximum duration of a test. */

/**
 * Tests that take longer than is worth waiting for after each change, and that a release runs: damage to files and kills
 * in many places, the growth of time and memory with the input, large stores, other users of the machine, the page from its
 * first to its last step, and on FalkorDB all of the engine but the writing of memories.
 */
export const RELEASE_TESTS = [
  'tests/bench/**/run.test.ts',
  'tests/cli/{other-users,slow-bodies}.test.ts',
  'tests/consolidation/{large-store,many-memories}.test.ts',
  'tests/docs/picture.test.ts',
  'tests/durability/{consolidation-kill,cut-log,enrichment-kill,falkordb-chaos,falkordb-processes,falkordb-vectors,read-only-folder,starts,word-upkeep-kill}.test.ts',
  'tests/engine/{consolidation,insight,upkeep}-on-falkordb.test.ts',
  'tests/mcp/credentials-time.test.ts',
  'tests/recall/{linear,text-memory}.test.ts',
  'tests/regular-expressions.test.ts',
  'tests/stores/falkordb-{large,limits}.test.ts',
  'tests/web/{hostile-memories,journey}.test.ts',
];

/**
 * Tests that start processes, servers or browsers and keep them busy, such as the commands of the real binary, its
 * durability, the writing of memories on FalkorDB, the web page and the examples of the documents. Also tests that keep a
 * core busy for more than five seconds, so that `npm test` stays short.
 */
export const PROCESS_TESTS = [
  'tests/cli/{connect,connect-hooks,connect-unlisted,consolidation,doctor,hook,packed,serve,stdio,store-and-recall,transfer,unusable-folder,usage,view}.test.ts',
  'tests/durability/{full-disk,kill,lost-vectors,siblings}.test.ts',
  'tests/engine/writing-on-falkordb.test.ts',
  'tests/stores/falkordb-{plans,outage}.test.ts',
  'tests/embedding/local/{encoder-process,local}.test.ts',
  'tests/maintenance/migrate.test.ts',
  'tests/transfer/other-stores.test.ts',
  'tests/docs/examples.test.ts',
  'tests/package/installed.test.ts',
  'tests/web/{history,review-lists,view}.test.ts',
];
/** Longer than the defaults of vitest, because other programs may be busy on the machine. */
export const TEST_TIMEOUT_MS = 15_000;
export const POLL_TIMEOUT_MS = 10_000;

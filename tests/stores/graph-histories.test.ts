/** SQLite and FalkorDB do what the graph in memory does, in random histories. The seed is fixed: a failure is repeatable. */
import { test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { compareHistories } from '../contracts/graph-histories.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SEED = Number(process.env.HISTORY_SEED ?? 1);
const LIMIT_MS = 240_000;

test(
  'random histories in SQLite end as in memory',
  async () => {
    const open = async () => {
      const folder = temporaryFolder();
      const store = openSqliteStore(folder.path);
      const dispose = async () => {
        await store.close();
        folder.remove();
      };
      return { store, dispose };
    };
    await compareHistories(open, { numRuns: Number(process.env.HISTORY_RUNS ?? 40), seed: SEED });
  },
  LIMIT_MS,
);

describeFalkor('FalkorDB', { isForgetful: true }, suite => {
  test(
    'random histories in FalkorDB end as in memory',
    async () => {
      const open = async () => {
        const store = suite.open();
        return { store, dispose: () => store.close() };
      };
      await compareHistories(open, { numRuns: Number(process.env.HISTORY_RUNS ?? 8), seed: SEED });
    },
    LIMIT_MS,
  );
});

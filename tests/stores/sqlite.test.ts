import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { lockFolder } from '../../src/stores/sqlite/folder-lock.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { describeGraphStore } from '../contracts/graph-store.js';
import { memory, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describeGraphStore('embedded SQLite', async () => {
  const folder = temporaryFolder();
  let store = openSqliteStore(folder.path);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = openSqliteStore(folder.path);
      return store;
    },
    dispose: async () => {
      await store.close();
      folder.remove();
    },
  };
});

describe('embedded SQLite', () => {
  test('refuses a file that a newer version made, and leaves it alone', () => {
    const folder = temporaryFolder();
    const database = new Database(join(folder.path, 'memories.db'));
    database.exec('PRAGMA user_version = 999');
    database.close();
    expect(() => openSqliteStore(folder.path)).toThrow(/schema version 999/);
    const again = new Database(join(folder.path, 'memories.db'));
    expect(again.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: 999 });
    again.close();
    folder.remove();
  });

  test('lists in every order by an index, so that a page costs the same however many memories there are', async () => {
    const folder = temporaryFolder();
    const store = openSqliteStore(folder.path);
    await store.saveMemories([{ memory: memory(1), work: [] }]);
    await store.close();
    const database = new Database(join(folder.path, 'memories.db'));
    for (const [order, index] of [
      ['importance DESC, timestamp_ms DESC, id', 'memories_by_importance'],
      ['updated_ms DESC, timestamp_ms DESC, id', 'memories_by_update'],
      ['updated_ms, timestamp_ms, id', 'memories_by_update'],
    ]) {
      const statement = `EXPLAIN QUERY PLAN SELECT id FROM memories WHERE archived = 0 ORDER BY ${order} LIMIT 5`;
      const steps = database.prepare(statement).all() as { detail: string }[];
      expect(steps.map(({ detail }) => detail)).toContain(`SCAN memories USING INDEX ${index}`);
    }
    database.close();
    folder.remove();
  });

  test('refuses a file that is no database with a clear error', () => {
    const folder = temporaryFolder();
    const lock = lockFolder(folder.path);
    lock.release();
    expect(() => openSqliteStore(join(folder.path, 'absent'))).toThrow(
      expect.objectContaining({ code: 'unavailable' }),
    );
    folder.remove();
  });

  test('frees what an earlier owner had claimed when it ended, however long its lease', async () => {
    const folder = temporaryFolder();
    const request = { kind: 'embed', limit: 10, nowMs: NOON, leaseMs: 3_600_000 } as const;
    const first = openSqliteStore(folder.path);
    await first.saveMemories([{ memory: memory(1), work: ['embed'] }]);
    const [before] = await first.claimWork(request);
    await first.close();
    const second = openSqliteStore(folder.path);
    expect(await second.workCounts('embed')).toEqual({ pending: 1, inFlight: 0, failed: 0 });
    expect(await second.settleWork([before?.token ?? ''], { embeddedBy: 'm' })).toEqual([]);
    expect(await second.claimWork(request)).toHaveLength(1);
    await second.close();
    folder.remove();
  });

  test('gives a folder to one owner at a time, and says who has it', () => {
    const folder = temporaryFolder();
    const lock = lockFolder(folder.path);
    expect(() => lockFolder(folder.path)).toThrow(
      new RegExp(`in use by another Engraph process \\(pid ${process.pid}\\)`),
    );
    lock.release();
    lockFolder(folder.path).release();
    folder.remove();
  });
});

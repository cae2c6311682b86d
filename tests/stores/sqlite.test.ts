import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import Database from 'libsql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type MemoryFilter, passesFilter } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';
import { tagPrefixes } from '../../src/domain/tags.js';
import { queryTerms } from '../../src/domain/text/terms.js';
import { havingAny } from '../../src/engine/read.js';
import { lockFolder } from '../../src/stores/data-folder/lock.js';
import { openSqliteStore, sqlitePath } from '../../src/stores/sqlite/store.js';
import { BLOCK_BITS } from '../../src/stores/sqlite/tags.js';
import { tagged } from '../contracts/graph-harness.js';
import { describeGraphStore } from '../contracts/graph-store.js';
import { readIndex, writeFormerWords } from '../support/former-words.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, memory, NOON } from '../support/records.js';
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

/** Compares the counts of terms and tags with the rows that they count. The store must be closed. */
function expectCountsToAgree(folder: string): void {
  const database = new Database(join(folder, 'memories.db'));
  database.exec("CREATE VIRTUAL TABLE temp.recounted USING fts5vocab (main, 'memory_text', 'row')");
  const rows = (statement: string) => database.prepare(statement).raw().all();
  expect(rows('SELECT term, count FROM term_counts ORDER BY term')).toEqual(
    rows('SELECT term, doc FROM temp.recounted ORDER BY term'),
  );
  expect(rows('SELECT block, count FROM memory_blocks ORDER BY block')).toEqual(
    rows(`SELECT row >> ${BLOCK_BITS} AS block, count(*) FROM memories GROUP BY block ORDER BY block`),
  );
  expect(rows('SELECT block, key, count FROM tag_blocks ORDER BY block, key')).toEqual(
    rows(`SELECT memory >> ${BLOCK_BITS} AS block, key, count(*) FROM memory_tags
      GROUP BY block, key ORDER BY block, key`),
  );
  database.close();
}

describe('embedded SQLite', () => {
  test('work on one memory keeps the other records cached, and shows its own change', async () => {
    const folder = temporaryFolder();
    const store = openSqliteStore(folder.path);
    onTestFinished(async () => {
      await store.close();
      folder.remove();
    });
    await store.saveMemories([
      { memory: memory(1), work: [] },
      { memory: memory(2), work: ['embed'] },
    ]);
    const read = async (id: string) => (await store.getMemories([id])).get(id);
    const [cached] = [await read(idOf(1)), await read(idOf(2))];
    const request = { kind: 'embed', limit: 5, nowMs: NOON, leaseMs: 1_000 } as const;
    const [claim] = await store.claimWork(request);
    expect(await store.claimWork(request)).toEqual([]);
    await store.settleWork([claim?.token ?? ''], { embeddedBy: 'some-model' });
    expect((await read(idOf(2)))?.embedded_by).toBe('some-model');
    expect(await read(idOf(1))).toBe(cached);
  });

  test('saves a memory whose tags differ only in characters that SQLite replaces', async () => {
    const folder = temporaryFolder();
    const store = openSqliteStore(folder.path);
    const tags = ['odd\ud800', 'odd\ud801'];
    const record = memory(1, { tags });
    await store.saveMemories([{ memory: record, work: [] }]);
    await store.updateMemory(idOf(1), current => ({ memory: { ...current, importance: 0.9 }, work: [] }));
    expect((await store.getMemories([idOf(1)])).get(idOf(1))?.tags).toEqual(tags);
    const filter = { tags: { keys: ['odd\ufffd'], mode: 'any', match: 'exact' } as const };
    expect(await store.list({ filter, order: 'importance', limit: 5 })).toEqual([idOf(1)]);
    await store.deleteMemories([idOf(1)]);
    await store.close();
    expectCountsToAgree(folder.path);
    folder.remove();
  });

  /** Makes a file with a memory and another version, which is only in the log, as after the kill of a process. */
  async function fileOfVersion(version: number) {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const store = openSqliteStore(folder.path);
    await store.saveMemories([{ memory: memory(1), work: [] }]);
    await store.close();
    const path = sqlitePath(folder.path);
    const database = new Database(path);
    database.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = ${version}`);
    const contents = () => [path, `${path}-wal`].map(file => readFileSync(file));
    const before = contents();
    onTestFinished(() => void database.close());
    return { folder: folder.path, contents, before };
  }

  test.each([
    [1, /^The memory file has schema version 1, from before the first release/, /^Export the memory with the build/],
    [13, /^The memory file has schema version 13, from before the first release/, /set ENGRAPH_DATA_DIR/],
    [999, /^The memory file has schema version 999, but this Engraph knows only up to 14/, /^Update Engraph/],
  ])('refuses a file of schema version %i, and does not change it', async (version, message, hint) => {
    const { folder, contents, before } = await fileOfVersion(version);
    const refusal = { code: 'unavailable', message: expect.stringMatching(message), hint: expect.stringMatching(hint) };
    for (const isReadOnly of [false, true])
      expect(() => openSqliteStore(folder, { isReadOnly })).toThrow(expect.objectContaining(refusal));
    const acceptsLoss = { clock: createManualClock(), acceptsLoss: true, onLoss: () => {}, onFailure: () => {} };
    expect(() => openSqliteStore(folder, { watch: acceptsLoss })).toThrow(expect.objectContaining(refusal));
    expect(contents()).toEqual(before);
  });

  test('refuses a file of another program, and does not change it', () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const database = new Database(sqlitePath(folder.path));
    database.exec('CREATE TABLE notes (text)');
    database.close();
    const before = readFileSync(sqlitePath(folder.path));
    expect(() => openSqliteStore(folder.path)).toThrow(/schema version 0/);
    expect(readFileSync(sqlitePath(folder.path))).toEqual(before);
  });

  test('finds memories by words and tags after single writes, and counts them right', async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const store = openSqliteStore(folder.path);
    const content = 'We moved the database';
    const tags = ['Team:Core'];
    for (const [index, importance] of [0.2, 0.9].entries())
      await store.saveMemories([{ memory: memory(index + 1, { content, tags, importance }), work: [] }]);
    const { hits } = await store.searchText({ terms: queryTerms('moving databases'), filter: {}, limit: 5 });
    expect(hits.map(({ id }) => id).sort()).toEqual([idOf(1), idOf(2)]);
    const { statistics } = await store.searchText({ terms: queryTerms('moved core'), filter: {}, limit: 5 });
    expect([...statistics.frequencies.values()]).toEqual([2, 2]);
    expect(await store.list({ filter: { excludedTagKeys: ['team'] }, order: 'newest', limit: 5 })).toEqual([]);
    const filter = { tags: { keys: ['team'], mode: 'any', match: 'prefix' } as const };
    expect((await store.searchText({ terms: ['core'], filter, limit: 5 })).hits).toHaveLength(2);
    const listed = { filter: havingAny(['team:core']), order: 'importance', limit: 1 } as const;
    expect(await store.list(listed)).toEqual([idOf(2)]);
    await store.saveMemories([{ memory: memory(3, { tags: ['Team:Core', 'new'] }), work: [] }]);
    await store.updateMemory(idOf(1), () => ({ memory: memory(1, { tags: ['team'] }), work: [] }));
    await store.deleteMemories([idOf(2)]);
    await store.close();
    expectCountsToAgree(folder.path);
  });

  test.each([1, 99])('analyzes all memories again whose words version %i of the analyzer wrote', async version => {
    const folder = temporaryFolder();
    const open = () => openSqliteStore(folder.path);
    const first = open();
    await first.saveMemories([1, 2].map(number => ({ memory: memory(number, { content: 'harbour' }), work: [] })));
    await first.close();
    const config = { dataDir: folder.path };
    const fresh = await readIndex(config);
    await writeFormerWords(config, version);
    // The version is noted when the file is opened, so that words written before the first page need no version.
    await open().close();
    const store = open();
    expect(await store.countOutdatedWords()).toEqual({ outdatedCount: 2, hasNewer: false });
    expect(await store.rewriteOutdatedWords({ limit: 5 })).toEqual({ rewrittenCount: 2 });
    expect((await store.countOutdatedWords()).outdatedCount).toBe(0);
    await store.close();
    expect(await readIndex(config)).toEqual(fresh);
    folder.remove();
  });

  test('counts the memories behind the last page, in whatever blocks they are', async () => {
    const folder = temporaryFolder();
    const first = openSqliteStore(folder.path);
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
    await first.saveMemories(numbers.map(number => ({ memory: memory(number), work: [] })));
    await first.deleteMemories([idOf(3), idOf(40), idOf(99)]);
    await first.close();
    await writeFormerWords({ dataDir: folder.path });
    const store = openSqliteStore(folder.path);
    const counts: number[] = [];
    for (let next: number | undefined = 0; next !== undefined; ) {
      ({ next } = await store.rewriteOutdatedWords({ limit: 30 }));
      counts.push((await store.countOutdatedWords()).outdatedCount);
    }
    expect(counts).toEqual([67, 37, 7, 0]);
    await store.close();
    folder.remove();
  });

  test('uses an index to list by importance or update time, so a page costs the same at any store size', async () => {
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
      const statement = `EXPLAIN QUERY PLAN
        SELECT id FROM memories INDEXED BY ${index} WHERE archived = 0 ORDER BY ${order} LIMIT 5`;
      const steps = database.prepare(statement).all() as { detail: string }[];
      expect(steps.map(({ detail }) => detail)).toEqual([
        `SCAN memories USING INDEX ${index}`,
        expect.stringMatching(/^USE TEMP B-TREE FOR (LAST TERM|RIGHT PART) OF ORDER BY$/),
      ]);
    }
    database.close();
    folder.remove();
  });

  test('keeps correct counts of terms and tags after any sequence of writes', async () => {
    const operation = fc.record({
      kind: fc.constantFrom('save', 'update', 'delete'),
      number: fc.integer({ min: 1, max: 4 }),
      content: fc.constantFrom('alpha beta', 'beta beta gamma', '…'),
      tags: fc.subarray(['a', 'a:b', 'beta', 'c/d/e']),
      timestamp: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async operations => {
        const folder = temporaryFolder();
        const store = openSqliteStore(folder.path);
        for (const { kind, number, ...input } of operations) {
          const changed = memory(number, input);
          if (kind === 'save') await store.saveMemories([{ memory: changed, work: [] }]).catch(() => undefined);
          if (kind === 'update') await store.updateMemory(idOf(number), () => ({ memory: changed, work: [] }));
          if (kind === 'delete') await store.deleteMemories([idOf(number)]);
        }
        await store.close();
        expectCountsToAgree(folder.path);
        folder.remove();
      }),
      { numRuns: 40 },
    );
  });

  test('counts a memory with a blank tag once', async () => {
    const folder = temporaryFolder();
    const store = openSqliteStore(folder.path);
    const tags = [' ', 'kept'];
    await store.saveMemories([{ memory: { ...memory(1), tags, tag_prefixes: tagPrefixes(tags) }, work: [] }]);
    expectCountsToAgree(folder.path);
    await store.close();
    const again = openSqliteStore(folder.path);
    expect(await again.countMemories()).toBe(1);
    expect((await again.getMemories([idOf(1)])).get(idOf(1))?.tags).toEqual(tags);
    await again.close();
    folder.remove();
  });

  test('finds the few memories that lack a frequent tag, although they are in different blocks of rows', async () => {
    const folder = temporaryFolder();
    const store = openSqliteStore(folder.path);
    const lacking = [2, 33, 1_500, 2_499];
    const records = Array.from({ length: 2_500 }, (_, index) => ({
      memory: memory(index + 1, {
        content: 'the common words',
        tags: lacking.includes(index + 1) ? [] : ['team:core'],
      }),
      work: [],
    }));
    await store.saveMemories(records);
    const filter = { excludedTagKeys: ['team', 'absent'] };
    const expected = lacking.map(idOf).sort();
    expect((await store.list({ filter, order: 'newest', limit: 10 })).sort()).toEqual(expected);
    const { hits } = await store.searchText({ terms: ['common'], filter, limit: 10 });
    expect(hits.map(({ id }) => id).sort()).toEqual(expected);
    await store.close();
    expectCountsToAgree(folder.path);
    folder.remove();
  });

  test('lists the memories of a large tag that meet further conditions', async () => {
    const folder = temporaryFolder();
    const store = openSqliteStore(folder.path);
    const memories = Array.from({ length: 8_000 }, (_, index) =>
      memory(index + 1, {
        tags: [index < 7_500 ? 'old' : 'new', index % 7 === 0 ? 'seven' : 'other'],
        importance: (index % 10) / 10,
        timestamp: new Date(NOON + index * 1_000).toISOString(),
        // The first memories in each order do not pass.
        ...((index > 7_800 || index % 10 === 9) && { t_invalid: new Date(NOON).toISOString() }),
      }),
    );
    await store.saveMemories(memories.map(each => ({ memory: each, work: [] })));
    const valid = { validAtMs: NOON + 1 };
    const many = (name: string) => Array.from({ length: 199 }, (_, index) => `${name}${index}`);
    const filters: MemoryFilter[] = [
      { ...tagged('exact', 'any', 'old'), ...valid },
      { ...tagged('prefix', 'any', 'old', 'new'), ...valid },
      { ...tagged('exact', 'all', 'old', 'other'), ...valid },
      { ...tagged('prefix', 'any', 'old', ...many('b')), excludedTagKeys: many('a'), ...valid },
      { ...tagged('exact', 'any', 'old'), excludedTagKeys: ['other', 'new'], ...valid },
      { ...tagged('exact', 'any', 'other'), fromMs: NOON + 90_000, toMs: NOON + 6_000_000, ...valid },
    ];
    const byTime = (a: Memory, b: Memory) => b.timestamp.localeCompare(a.timestamp);
    const orders = {
      newest: byTime,
      importance: (a: Memory, b: Memory) => b.importance - a.importance || byTime(a, b),
    };
    for (const filter of filters) {
      for (const order of ['newest', 'importance'] as const) {
        const passing = memories.filter(each => passesFilter(each, filter)).sort(orders[order]);
        const expected = passing.slice(0, 20).map(({ id }) => id);
        expect(await store.list({ filter, order, limit: 20 }), JSON.stringify([order, filter])).toEqual(expected);
      }
    }
    expect(await store.countMemories({ tagKeys: ['old'] })).toBe(7_500);
    await store.close();
    folder.remove();
  });

  const COMMON_WORDS = ['alpha', 'bravo', 'delta', 'gamma', 'kappa', 'omega', 'sigma', 'theta'];
  test.each([
    { every: 250, words: ['common'] },
    { every: 250, words: COMMON_WORDS },
    { every: 10, words: COMMON_WORDS },
  ])('finds the memories with a tag by common words alone: %j', async ({ every, words }) => {
    const folder = temporaryFolder();
    const store = openSqliteStore(folder.path);
    const records = Array.from({ length: 7_000 }, (_, index) => ({
      memory: memory(index + 1, {
        content: `${words.join(' ')}${index % 100 === 0 ? ' lighthouse' : ''}`,
        tags: index % every === 0 ? ['project'] : [],
      }),
      work: [],
    }));
    await store.saveMemories(records);
    const search = { terms: ['lighthous', ...words], filter: tagged('exact', 'any', 'project'), limit: 1_000 };
    const { hits } = await store.searchText(search);
    const tag = records.filter(({ memory: { tags } }) => tags.length > 0).map(({ memory: { id } }) => id);
    expect(hits.map(({ id }) => id).sort()).toEqual(tag);
    await store.close();
    folder.remove();
  });

  test('refuses to open a folder that does not exist', () => {
    const folder = temporaryFolder();
    const lock = lockFolder(folder.path);
    lock.release();
    expect(() => openSqliteStore(join(folder.path, 'absent'))).toThrow(
      expect.objectContaining({ code: 'unavailable' }),
    );
    folder.remove();
  });

  test('releases the claims and leases of an earlier owner at the next start, even before they expire', async () => {
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
    const lease = { name: 'upkeep', nowMs: NOON, untilMs: NOON + 3_600_000 };
    expect(await second.takeLease({ ...lease, holder: 'a' })).toBe(true);
    await second.close();
    const third = openSqliteStore(folder.path);
    expect(await third.takeLease({ ...lease, holder: 'b' })).toBe(true);
    await third.close();
    folder.remove();
  });

  test('lets only one process at a time use a folder, and names that process in the error for others', () => {
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

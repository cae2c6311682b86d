/** The SQLite file: what is synced to disk, how long its log gets, and what is checked when it is opened. */

import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { filterValuesOf } from '../../src/domain/filter.js';

import { connect, connectReader } from '../../src/stores/database/connection.js';
import { createWriteQueue } from '../../src/stores/database/write-queue.js';
import { createFilterFields, filterNumbersOf, numericFilter } from '../../src/stores/embedded-vectors/vector-filter.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openSqlitePair, openSqliteStore, type SqlitePair, sqlitePath } from '../../src/stores/sqlite/store.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, memory, NOON, relation } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function openStore(): { path: string; store: GraphStore } {
  const folder = temporaryFolder();
  const store = openSqliteStore(folder.path);
  onTestFinished(async () => {
    await store.close();
    folder.remove();
  });
  return { path: folder.path, store };
}

const save = (store: GraphStore, ...numbers: number[]) =>
  store.saveMemories(numbers.map(number => ({ memory: memory(number), work: [] })));

test('after a deleted memory is stored again, an edge still leads to the memory that has its former row', async () => {
  const { store } = openStore();
  await save(store, 1);
  await save(store, 2);
  await store.getMemories([idOf(2)]);
  await store.deleteMemories([idOf(2)]);
  // SQLite gives this memory the row that memory 2 had.
  await save(store, 3);
  await save(store, 2);
  await store.getMemories([idOf(2)]);
  await store.saveRelations([relation(1, 'RELATES_TO', 3)]);
  const request = { ids: [idOf(1)], limit: 5 };
  expect((await store.relationsOf(request)).get(idOf(1))?.map(({ to }) => to)).toEqual([idOf(3)]);
  expect([...(await store.relationsWithEnds(request)).ends.keys()]).toEqual([idOf(3)]);
});

describe('while another program holds the write lock', () => {
  async function openLocked() {
    const folder = temporaryFolder();
    const pair = openSqlitePair(folder.path, { dimensions: 4, clock: createManualClock() });
    const other = connect(sqlitePath(folder.path));
    await save(pair.graph, 1);
    onTestFinished(async () => {
      other.close();
      await pair.vectors.close();
      await pair.graph.close();
      folder.remove();
    });
    other.execute('BEGIN IMMEDIATE');
    return { ...pair, other, path: sqlitePath(folder.path) };
  }

  const later = '2026-04-01T00:00:00.000Z';
  const vector = Float32Array.of(1, 0, 0, 0);
  const payload = { model: 'm', ...filterValuesOf(memory(1)) };
  const node = { kind: 'Pattern', id: 'p', properties: {}, updated_at: later } as const;
  const writes: [string, (pair: SqlitePair) => Promise<unknown>][] = [
    ['a memory is stored', ({ graph }) => save(graph, 2)],
    ['an access is recorded', ({ graph }) => graph.annotate([{ id: idOf(1), lastAccessed: later }])],
    ['a node is saved', ({ graph }) => graph.saveNode(node)],
    ['work is made due', ({ graph }) => graph.makeWorkDue('embed', 0)],
    ['a vector is stored', ({ vectors }) => vectors.upsert([{ id: idOf(1), vector, payload }])],
    ['a vector is changed', ({ vectors }) => vectors.updatePayloads([{ id: idOf(1), payload }])],
    ['a vector is removed', ({ vectors }) => vectors.remove([idOf(1)])],
  ];

  test.each(writes)('%s only after the lock is released, and this thread does not wait', async (_, write) => {
    const { other, ...pair } = await openLocked();
    const startedMs = performance.now();
    const writing = write(pair);
    await yieldToEventLoop();
    expect(await pair.graph.list({ filter: {}, order: 'newest', limit: 5 })).toEqual([idOf(1)]);
    // If the thread waited, it would wait for five seconds.
    expect(performance.now() - startedMs).toBeLessThan(2_500);
    other.execute('COMMIT');
    await writing;
  });

  test('writes fail after five seconds, and all writes succeed when the lock is released', async () => {
    const { other, ...pair } = await openLocked();
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 500));
    onTestFinished(() => clock.mockRestore());
    const outcomes = await Promise.allSettled(writes.map(([, write]) => write(pair)));
    expect(outcomes.map(({ status }) => status)).toEqual(writes.map(() => 'rejected'));
    expect(outcomes[0]).toMatchObject({ reason: { code: 'unavailable' } });
    other.execute('COMMIT');
    await save(pair.graph, 3, 4, 5, 6, 7, 8, 9, 10);
    for (const [, write] of writes) await write(pair);
    expect(await pair.graph.countMemories()).toBe(10);
  });

  test('a write that fails for another reason is not repeated', async () => {
    const { other, path } = await openLocked();
    const connection = connect(path);
    onTestFinished(() => connection.close());
    let attempts = 0;
    const write = () => {
      attempts += 1;
      throw new MemoryError('unavailable', 'failed', { cause: { code: 'SQLITE_FULL' } });
    };
    await expect(createWriteQueue(connection).run(write)).rejects.toThrow('failed');
    expect(attempts).toBe(1);
    other.execute('COMMIT');
  });
});

test('the last known facts include a batch within the same second, although nothing else is written', async () => {
  const folder = temporaryFolder();
  const clock = createManualClock();
  const watch = { clock, acceptsLoss: false, onLoss: () => {}, onFailure: () => {} };
  const { graph, vectors } = openSqlitePair(folder.path, { dimensions: 4, clock }, { watch });
  onTestFinished(async () => {
    await vectors.close();
    await graph.close();
    folder.remove();
  });
  await save(graph, ...Array.from({ length: 20 }, (_, index) => index + 1));
  clock.advance(500);
  const known = () => JSON.parse(readFileSync(join(folder.path, 'last-known.json'), 'utf8')) as { memories: number };
  await expect.poll(() => known().memories).toBe(20);
});

describe('a connection', () => {
  const open = () => {
    const folder = temporaryFolder();
    const connection = connect(join(folder.path, 'a.db'));
    onTestFinished(() => {
      connection.close();
      folder.remove();
    });
    connection.execute('CREATE TABLE t (a)');
    return connection;
  };
  const FULL = 2;
  const NORMAL = 1;

  test('syncs every commit to disk except relaxed ones', () => {
    const connection = open();
    const level = () => connection.get<{ synchronous: number }>('PRAGMA synchronous')?.synchronous;
    expect(level()).toBe(FULL);
    connection.relaxedTransaction(() => {
      connection.run('INSERT INTO t VALUES (1)');
      expect(level()).toBe(NORMAL);
    });
    expect(level()).toBe(FULL);
    expect(() =>
      connection.relaxedTransaction(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(level()).toBe(FULL);
    // A relaxed transaction inside a durable one is durable.
    connection.transaction(() => connection.relaxedTransaction(() => expect(level()).toBe(FULL)));
  });

  test('runs actions after the commit, and never those of a rolled-back transaction', () => {
    const connection = open();
    const ran: string[] = [];
    const failing = () =>
      connection.transaction(() => {
        connection.afterCommit(() => ran.push('rolled back'));
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    connection.transaction(() => connection.afterCommit(() => ran.push('committed')));
    connection.transaction(() => connection.run('INSERT INTO t VALUES (1)'));
    expect(ran).toEqual(['committed']);
  });
});

describe('the write-ahead log', () => {
  const MIB = 2 ** 20;
  const long = (number: number) => ({ memory: memory(number, { content: 'x'.repeat(MIB / 2) }), work: [] });
  const logOf = (path: string) => `${sqlitePath(path)}-wal`;

  /** Returns the salt, which SQLite changes when it begins the log anew. */
  const saltOf = (path: string) => {
    const header = Buffer.alloc(24);
    const file = openSync(logOf(path), 'r');
    readSync(file, header, 0, header.length, 0);
    closeSync(file);
    return header.toString('hex', 16);
  };

  test('begins anew during many single writes', async () => {
    const { path, store } = openStore();
    await store.saveMemories([long(1)]);
    const before = saltOf(path);
    let number = 1;
    const saltAfterNext = async () => {
      number += 1;
      await store.saveMemories([long(number)]);
      return saltOf(path);
    };
    await expect.poll(saltAfterNext, { interval: 20, timeout: 30_000 }).not.toBe(before);
  });

  test('stays short during many batches', async () => {
    const { path, store } = openStore();
    for (let batch = 0; batch < 16; batch++)
      await store.saveMemories(Array.from({ length: 6 }, (_, index) => long(batch * 6 + index + 1)));
    expect(statSync(logOf(path)).size).toBeLessThan(24 * MIB);
  });

  test('does not delay closing while another program reads the file', async () => {
    const { path, store } = openStore();
    await save(store, 1);
    const reader = connectReader(sqlitePath(path));
    reader.execute('BEGIN');
    reader.all('SELECT id FROM memories');
    await save(store, 2);
    const busyMs = 5_000;
    const startedMs = performance.now();
    await store.close();
    expect(performance.now() - startedMs).toBeLessThan(busyMs);
    reader.execute('COMMIT');
    reader.close();
    const again = openSqliteStore(path);
    expect(await again.countMemories()).toBe(2);
    await again.close();
  });
});

test.each([
  { limit: 3_000, filter: { tags: { keys: ['a'], mode: 'any', match: 'prefix' } as const }, marked: 'a', others: '' },
  { limit: 500, filter: { excludedTagKeys: ['a'] }, marked: '', others: 'a' },
])(
  'the oldest memory is listed although $limit + 1 memories pass the filter',
  async ({ limit, filter, marked, others }) => {
    const { store } = openStore();
    const tagsOf = (tag: string) => (tag === '' ? [] : [tag]);
    const at = (number: number) => new Date(NOON + number * 1_000).toISOString();
    const record = (number: number, tag: string) => ({
      memory: memory(number, { tags: tagsOf(tag), timestamp: at(number) }),
      work: [],
    });
    const passing = limit + 1;
    const all = Array.from({ length: 2 * passing + 2 }, (_, index) =>
      record(index + 1, index < passing ? marked : others),
    );
    for (let start = 0; start < all.length; start += 500) await store.saveMemories(all.slice(start, start + 500));
    expect(await store.list({ filter, order: 'oldest', limit: 1 })).toEqual([idOf(1)]);
    expect(await store.list({ filter, order: 'oldest', limit: passing + 1 })).toHaveLength(passing);
  },
);

test('a filter that needs all of some tags selects the slots that have them, also after a slot has moved', () => {
  const fields = createFilterFields();
  const tagsOf = (slot: number) => [['a'], ['b'], ['a', 'b'], []][slot % 4] ?? [];
  for (let slot = 0; slot < 400; slot++)
    fields.set(slot, filterNumbersOf(filterValuesOf(memory(slot, { tags: tagsOf(slot) }))));
  const filter = numericFilter({ tags: { keys: ['a', 'b'], mode: 'all', match: 'exact' } });
  const expected = Array.from({ length: 100 }, (_, index) => 4 * index + 2);
  expect([...fields.select(filter)]).toEqual(expected);
  // The last slot has no tags.
  fields.moveLastTo(2);
  expect([...fields.select(filter)]).toEqual(expected.slice(1));
});

describe('when a file with vectors is opened, a memory has embedded_by exactly when the file has its vector', () => {
  const clock = createManualClock();
  const pair = (path: string, dimensions = 4) => openSqlitePair(path, { dimensions, clock });
  const close = async ({ graph, vectors }: ReturnType<typeof openSqlitePair>) => {
    await vectors.close();
    await graph.close();
  };
  const vector = Float32Array.of(1, 0, 0, 0);
  async function stored(embedded_by: string): Promise<string> {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const first = pair(folder.path);
    const embedding = embedded_by === 'supplied' ? { embedding: vector } : {};
    await first.graph.saveMemories([{ memory: { ...memory(1), embedded_by }, vector, ...embedding, work: [] }]);
    await close(first);
    return folder.path;
  }
  async function stateAfterReopening(path: string, dimensions?: number) {
    const again = pair(path, dimensions);
    const embeddedBy = (await again.graph.getMemories([idOf(1)])).get(idOf(1))?.embedded_by;
    const state = {
      embeddedBy,
      vectors: await again.vectors.count(),
      queued: await again.graph.requeueOutdated(['m', 'supplied']),
    };
    await close(again);
    return state;
  }
  test('after the vectors were in another store', async () => {
    const path = await stored('m');
    await openSqliteStore(path).close();
    expect(await stateAfterReopening(path)).toEqual({ embeddedBy: undefined, vectors: 0, queued: 1 });
  });
  test('after a vector was left without its memory', async () => {
    const path = await stored('m');
    const connection = connect(sqlitePath(path));
    connection.run('UPDATE memories SET embedded_by = NULL');
    connection.close();
    expect(await stateAfterReopening(path)).toEqual({ embeddedBy: undefined, vectors: 0, queued: 1 });
  });
  test('after VECTOR_SIZE has changed, a supplied vector is removed, and the memory is embedded from its text', async () => {
    const path = await stored('supplied');
    expect(await stateAfterReopening(path, 8)).toEqual({ embeddedBy: undefined, vectors: 0, queued: 1 });
  });
});

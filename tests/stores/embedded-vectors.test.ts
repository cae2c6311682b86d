import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { connect } from '../../src/stores/database/connection.js';
import { SCAN_CODE } from '../../src/stores/embedded-vectors/scan-code.js';
import { createSearchThread } from '../../src/stores/embedded-vectors/search-thread.js';
import { openEmbeddedVectors, vectorsPath } from '../../src/stores/embedded-vectors/store.js';
import { numericFilter } from '../../src/stores/embedded-vectors/vector-filter.js';
import { openSqlitePair } from '../../src/stores/sqlite/store.js';
import type { VectorRecord } from '../../src/stores/vector-store.js';
import { startThread } from '../../src/thread.js';
import { CONTRACT_DIMENSIONS, describeVectorStore } from '../contracts/vector-store.js';
import { compileScan } from '../support/compile-scan.mjs';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { vectorPayload } from '../support/vector-payloads.js';

const DIMENSIONS = 48;

describeVectorStore('embedded, in a file of their own', async () => {
  const folder = temporaryFolder();
  const open = () => openEmbeddedVectors(folder.path, { dimensions: CONTRACT_DIMENSIONS, clock: createManualClock() });
  let store = open();
  return {
    store,
    reopen: async () => {
      await store.close();
      store = open();
      return store;
    },
    dispose: async () => {
      await store.close();
      folder.remove();
    },
  };
});

/** This store cannot be reopened, because the next start would remove vectors without memories. */
describeVectorStore('embedded, in the file of the memories', async () => {
  const folder = temporaryFolder();
  const { graph, vectors } = openSqlitePair(folder.path, {
    dimensions: CONTRACT_DIMENSIONS,
    clock: createManualClock(),
  });
  return {
    store: vectors,
    dispose: async () => {
      await vectors.close();
      await graph.close();
      folder.remove();
    },
  };
});

function openForTest() {
  const folder = temporaryFolder();
  const clock = createManualClock();
  const store = openEmbeddedVectors(folder.path, { dimensions: DIMENSIONS, clock });
  onTestFinished(async () => {
    await store.close();
    folder.remove();
  });
  return { store, clock, folder: folder.path };
}

/** Returns a function that creates vectors. The same seed gives the same vectors. */
function createVectors(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return () => Float32Array.from({ length: DIMENSIONS }, next);
}

function records(count: number, next: () => Float32Array, first = 1): VectorRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    id: idOf(first + index),
    vector: next(),
    payload: vectorPayload({ tags: [`t${index % 7}`], timestampMs: NOON + index }),
  }));
}

function cosine(one: Float32Array, other: Float32Array): number {
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

describe('the embedded vector search', () => {
  test('finds exactly the nearest vectors, in order, across several blocks and after removals', async () => {
    const { store } = openForTest();
    const next = createVectors(7);
    const all = records(3_000, next);
    await store.upsert(all);
    const removed = new Set(all.filter((_, index) => index % 3 === 1).map(({ id }) => id));
    await store.remove([...removed]);
    const moved = all.slice(0, 50).map(record => ({ ...record, vector: next() }));
    await store.upsert(moved);
    const current = new Map(
      [...all, ...moved].filter(({ id }) => !removed.has(id) || id <= idOf(50)).map(r => [r.id, r]),
    );
    for (let round = 0; round < 20; round++) {
      const query = next();
      const expected = [...current.values()]
        .map(({ id, vector }) => ({ id, similarity: cosine(query, vector) }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, 10);
      const hits = await store.search({ vector: query, limit: 10, filter: {}, models: ['m'] });
      expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      for (const [index, hit] of hits.entries())
        expect(hit.similarity).toBeCloseTo(expected[index]?.similarity ?? 0, 5);
    }
  });

  test('finds the nearest vectors to a query that is zero in most dimensions', async () => {
    const { store } = openForTest();
    const next = createVectors(17);
    const all = records(2_000, next);
    await store.upsert(all);
    for (const used of [0, 15, 16, 47]) {
      const query = next().map((value, index) => (index === used || index === 20 ? value : 0));
      const nearest = all.map(({ id, vector }) => ({ id, similarity: cosine(query, vector) }));
      nearest.sort((a, b) => b.similarity - a.similarity);
      const hits = await store.search({ vector: query, limit: 5, filter: {}, models: ['m'] });
      expect(hits.map(({ id }) => id)).toEqual(nearest.slice(0, 5).map(({ id }) => id));
    }
  });

  test('sends the nearest ids before the hits to a caller that asks for them, from either thread', async () => {
    const { store, clock, folder } = openForTest();
    const next = createVectors(13);
    await store.upsert(records(1_500, next));
    const search = { vector: next(), limit: 10, filter: {}, models: ['m'] };
    const askedEarly = async (asked: typeof store) => {
      const received: (readonly string[])[] = [];
      const hits = await asked.search({ ...search, ahead: { count: 3, receive: ids => void received.push(ids) } });
      return { received, ids: hits.map(({ id }) => id) };
    };
    const onThisThread = await askedEarly(store);
    expect(onThisThread.received).toEqual([onThisThread.ids.slice(0, 3)]);
    await store.close();
    // A store that opens with many vectors searches them on the search thread from the beginning.
    const reopened = openEmbeddedVectors(folder, { dimensions: DIMENSIONS, clock });
    onTestFinished(() => reopened.close());
    await reopened.ping();
    expect(await askedEarly(reopened)).toEqual(onThisThread);
    expect(await reopened.search(search)).toHaveLength(10);
  });

  test('keeps answering while it moves to a separate thread', async () => {
    const { store } = openForTest();
    const next = createVectors(11);
    const found = async (vector: Float32Array) => {
      const [hit] = await store.search({ vector, limit: 1, filter: {}, models: ['m'] });
      return hit?.id;
    };
    for (let first = 1; first < 2_000; first += 100) {
      const some = records(100, next, first);
      await store.upsert(some);
      for (const { id, vector } of some.slice(0, 3)) expect(await found(vector)).toBe(id);
    }
  });

  test('considers every vector that passes the filter, however few there are', async () => {
    const { store } = openForTest();
    const next = createVectors(3);
    const all = records(2_500, next);
    await store.upsert(all);
    const filter = { fromMs: NOON + 2_000, tags: { keys: ['t3'], mode: 'any', match: 'exact' } } as const;
    const hits = await store.search({ vector: next(), limit: 1_000, filter, models: ['m'] });
    const expected = all.filter(
      ({ payload }) => payload.sets.tag[0] === 't3' && payload.numbers.createdMs >= NOON + 2_000,
    );
    expect(hits.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
  });

  test('finds over 97% of the nearest vectors when it scores only some vectors, with or without a filter', async () => {
    const { store } = openForTest();
    const next = createVectors(5);
    const all = records(18_000, next);
    await store.upsert(all);
    const removed = new Set(all.slice(500, 1_000).map(({ id }) => id));
    await store.remove([...removed]);
    const tagged = { tags: { keys: ['t3'], mode: 'any', match: 'exact' } } as const;
    const rare = { ...tagged, fromMs: NOON + 17_900 };
    const passing = {
      all: all.filter(({ id }) => !removed.has(id)),
      tagged: all.filter(({ id, payload }) => !removed.has(id) && payload.sets.tag[0] === 't3'),
      rare: all.filter(({ payload }) => payload.sets.tag[0] === 't3' && payload.numbers.createdMs >= rare.fromMs),
    };
    const recall = { all: 0, tagged: 0, rare: 0 };
    const queries = Array.from({ length: 20 }, next);
    for (const vector of queries) {
      for (const [name, filter] of [
        ['all', {}],
        ['tagged', tagged],
        ['rare', rare],
      ] as const) {
        const hits = await store.search({ vector, limit: 10, filter, models: ['m'] });
        const expected = passing[name]
          .map(record => ({ id: record.id, similarity: cosine(vector, record.vector) }))
          .sort((a, b) => b.similarity - a.similarity)
          .slice(0, 10);
        const found = new Set(hits.map(({ id }) => id));
        expect(hits).toHaveLength(10);
        recall[name] += expected.filter(({ id }) => found.has(id)).length / (10 * queries.length);
      }
    }
    expect(passing.rare.length).toBeLessThan(20);
    expect(recall.rare).toBeCloseTo(1, 9);
    expect(recall.tagged).toBeGreaterThan(0.97);
    expect(recall.all).toBeGreaterThan(0.97);
  });

  test.each([
    [DIMENSIONS, /^The file of the vectors has schema version 0, from before the first release/],
    [200_000 + DIMENSIONS, /^The file of the vectors has schema version 2, but this Engraph knows only up to 1/],
  ])('refuses a file with the version number %i, and does not change it', async (version, message) => {
    const { store, clock, folder } = openForTest();
    const vector = Float32Array.from({ length: DIMENSIONS }, () => 1);
    await store.upsert([{ id: idOf(1), vector, payload: vectorPayload() }]);
    await store.close();
    const connection = connect(vectorsPath(folder));
    connection.execute(`PRAGMA user_version = ${version}`);
    connection.close();
    const before = readFileSync(vectorsPath(folder));
    expect(() => openEmbeddedVectors(folder, { dimensions: DIMENSIONS, clock })).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringMatching(message) }),
    );
    expect(readFileSync(vectorsPath(folder))).toEqual(before);
  });

  test('compares a zero-padded vector correctly with a vector that uses the last dimensions', async () => {
    const { store } = openForTest();
    const short = Float32Array.from({ length: DIMENSIONS }, (_, index) => (index < 3 ? index + 1 : 0));
    const long = Float32Array.from({ length: DIMENSIONS }, (_, index) => (index > 44 ? 1 : 0));
    const payload = vectorPayload();
    await store.upsert([{ id: idOf(1), vector: short, payload }]);
    expect(await store.search({ vector: short, limit: 1, filter: {}, models: ['m'] })).toHaveLength(1);
    await store.upsert([{ id: idOf(2), vector: long, payload }]);
    const hits = await store.search({ vector: long, limit: 2, filter: {}, models: ['m'] });
    expect(hits.map(({ id }) => id)).toEqual([idOf(2), idOf(1)]);
    expect(hits[1]?.similarity).toBeCloseTo(0, 5);
    expect((await store.vectorsOf([idOf(1)])).get(idOf(1))).toHaveLength(DIMENSIONS);
  });

  test('runs scan code that equals the compiled source', async () => {
    expect(await compileScan()).toContain(SCAN_CODE.slice(0, 100));
    const compiled = (await compileScan())
      .match(/'([^']+)'/g)
      ?.map(line => line.slice(1, -1))
      .join('');
    expect(SCAN_CODE).toBe(compiled);
  });
});

const QUESTION = { vector: new Float32Array(DIMENSIONS).fill(1), limit: 1, filter: numericFilter({}), models: ['m'] };

function openThread(name: string) {
  const folder = temporaryFolder();
  const clock = createManualClock();
  const file = new URL(`../support/search-threads/${name}.mjs`, import.meta.url);
  const thread = createSearchThread({ path: vectorsPath(folder.path), clock, start: data => startThread(file, data) });
  onTestFinished(async () => {
    await thread.close();
    folder.remove();
  });
  return { thread, clock, folder: folder.path };
}

describe('a search thread', () => {
  test('that does not answer makes a search fail after two seconds, and is replaced if it stays silent', async () => {
    const { thread, clock, folder } = openThread('silent');
    writeFileSync(join(folder, 'silent'), '');
    const failure = async () => {
      const outcome = thread.search(QUESTION).catch((error: unknown) => error);
      clock.advance(2_000);
      return outcome;
    };
    expect(await failure()).toBeInstanceOf(MemoryError);
    // The thread has not said yet that it has read the vectors.
    expect(await failure()).toMatchObject({ message: expect.stringContaining('still being read') });
    clock.advance(130_000);
    expect(await failure()).toMatchObject({ code: 'unavailable' });
    rmSync(join(folder, 'silent'));
    expect(await thread.search(QUESTION)).toEqual([{ id: 'the-next-thread', similarity: 1 }]);
  });

  test.each(['throws', 'ends'])(
    'that %s makes the waiting searches fail, and the next search starts another thread',
    async name => {
      const { thread } = openThread(name);
      await expect(thread.search(QUESTION)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(thread.search(QUESTION)).rejects.toMatchObject({ code: 'unavailable' });
    },
  );
});

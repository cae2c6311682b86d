import { describe, expect, onTestFinished, test } from 'vitest';
import type { MemoryFilter } from '../../src/domain/filter.js';
import { cosineSimilarity } from '../../src/domain/vectors.js';
import { connect } from '../../src/stores/database/connection.js';
import { openEmbeddedVectors, vectorsPath } from '../../src/stores/embedded-vectors/store.js';
import type { VectorRecord, VectorSearch } from '../../src/stores/vector-store.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { vectorPayload } from '../support/vector-payloads.js';

const DIMENSIONS = 256;
const TAG: MemoryFilter = { tags: { keys: ['t3'], mode: 'any', match: 'exact' } };
const WITHOUT_TAG: MemoryFilter = { excludedTagKeys: ['t3'] };

/** Returns a function that creates numbers from -0.5 to 0.5. The same seed gives the same numbers. */
function createNumbers(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

/** Returns a function that creates vectors in which about this share of the values is not zero. */
function createVectors(seed: number, share: number) {
  const next = createNumbers(seed);
  return () => {
    const vector = Float32Array.from({ length: DIMENSIONS }, () => (next() + 0.5 < share ? next() : 0));
    vector[Math.floor((next() + 0.5) * DIMENSIONS)] = 0.5;
    return vector;
  };
}

function records(count: number, next: () => Float32Array, first = 1): VectorRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    id: idOf(first + index),
    vector: next(),
    payload: vectorPayload({ tags: [`t${index % 7}`], timestampMs: NOON + index }),
  }));
}

function openForTest() {
  const folder = temporaryFolder();
  const open = () => openEmbeddedVectors(folder.path, { dimensions: DIMENSIONS, clock: createManualClock() });
  let store = open();
  onTestFinished(async () => {
    await store.close();
    folder.remove();
  });
  return {
    path: vectorsPath(folder.path),
    get store() {
      return store;
    },
    reopen: async (whileClosed: () => void = () => undefined) => {
      await store.close();
      whileClosed();
      store = open();
      return store;
    },
  };
}

/** The nearest of the records, by exact comparison with each of them. */
function nearestOf(all: Iterable<VectorRecord>, vector: Float32Array, limit: number) {
  return [...all]
    .map(record => ({ id: record.id, similarity: cosineSimilarity(vector, record.vector) }))
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

const search = (given: Pick<VectorSearch, 'vector'> & Partial<VectorSearch>): VectorSearch => ({
  limit: 10,
  filter: {},
  models: ['m'],
  ...given,
});

describe('vectors that are mostly zero', () => {
  test('are found exactly, with and without a filter, after replacements and removals, and after a restart', async () => {
    const opened = openForTest();
    const next = createVectors(7, 0.1);
    const all = records(9_000, next);
    await opened.store.upsert(all);
    // The first search brings the vectors into RAM, so the changes below apply to them there.
    await opened.store.search(search({ vector: next() }));
    const replaced = all.filter((_, index) => index % 5 === 2).map(record => ({ ...record, vector: next() }));
    await opened.store.upsert(replaced);
    const removed = all.filter((_, index) => index % 3 === 1).map(({ id }) => id);
    await opened.store.remove(removed);
    const present = new Map([...all, ...replaced].map(record => [record.id, record]));
    for (const id of removed) present.delete(id);
    const isTagged = ({ payload }: VectorRecord) => payload.sets.tag[0] === 't3';
    const current = [...present.values()];
    const parts = [
      { filter: {}, records: current },
      { filter: TAG, records: current.filter(isTagged) },
      { filter: WITHOUT_TAG, records: current.filter(record => !isTagged(record)) },
    ];
    const assertExact = async (store: typeof opened.store) => {
      for (const share of [0.03, 0.1, 1]) {
        const nextQuery = createVectors(11, share);
        for (let round = 0; round < 3; round++) {
          const vector = nextQuery();
          for (const { filter, records: passing } of parts) {
            const found = await store.search(search({ vector, filter }));
            expect(found.map(({ id }) => id)).toEqual(nearestOf(passing, vector, 10).map(({ id }) => id));
          }
        }
      }
    };
    await assertExact(opened.store);
    await assertExact(await opened.reopen());
  });

  test('are all returned if they reach the least similarity that the caller needs', async () => {
    const { store } = openForTest();
    const next = createVectors(5, 0.1);
    const all = records(2_500, next);
    await store.upsert(all);
    for (const { vector } of all.slice(0, 20)) {
      for (const leastSimilarity of [0.2, 0.4, 0.9]) {
        const hits = await store.search(search({ vector, limit: 30, leastSimilarity }));
        const expected = nearestOf(all, vector, 30).filter(({ similarity }) => similarity >= leastSimilarity);
        const found = hits.filter(({ similarity }) => similarity >= leastSimilarity);
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      }
    }
  });

  test('are stored without their zeros, and read back unchanged', async () => {
    const opened = openForTest();
    const vector = new Float32Array(DIMENSIONS);
    vector[3] = 0.6;
    vector[200] = -0.8;
    await opened.store.upsert([{ id: idOf(1), vector, payload: vectorPayload() }]);
    const bytes = () => {
      const connection = connect(opened.path);
      const lengths = connection.get<{ exact: number; codes: number }>(
        'SELECT length(vector) AS exact, length(codes) AS codes FROM vectors JOIN exact_vectors USING (row)',
      );
      connection.close();
      return lengths;
    };
    const store = await opened.reopen(() => expect(bytes()).toMatchObject({ exact: 8, codes: 2 }));
    expect((await store.vectorsOf([idOf(1)])).get(idOf(1))).toEqual(vector);
    expect(store.storedDimensions).toBe(DIMENSIONS);
  });

  test.each([
    ['sparse', 0.1, 'dense', 0.9],
    ['dense', 0.9, 'sparse', 0.1],
  ])('can be mixed with others: many %s vectors after a few that are %s', async (_, share, __, firstShare) => {
    const { store } = openForTest();
    const first = records(40, createVectors(3, firstShare as number));
    const others = records(1_200, createVectors(4, share as number), 1_001);
    await store.upsert(first);
    const vector = createVectors(9, 0.2)();
    await store.search(search({ vector }));
    await store.upsert(others);
    const hits = await store.search(search({ vector, limit: 20 }));
    expect(hits.map(({ id }) => id)).toEqual(nearestOf([...first, ...others], vector, 20).map(({ id }) => id));
  });
});

test.each([0.1, 1])(
  'a comparison by id equals the cosine of the whole vectors (share of non-zeros: %f)',
  async share => {
    const { store } = openForTest();
    const next = createVectors(11, share);
    const stored = records(40, next);
    await store.upsert(stored);
    const ids = stored.map(({ id }) => id);
    const vectors = await store.vectorsOf(ids);
    for (const [vector, beside] of Array.from({ length: 20 }, () => [next(), next().slice(0, 200)] as const)) {
      const compared = await store.compare(ids, { vector, beside });
      for (const [id, whole] of vectors) {
        expect(compared.get(id)).toEqual({
          sought: cosineSimilarity(vector, whole),
          beside: cosineSimilarity(beside, whole),
        });
      }
    }
  },
);

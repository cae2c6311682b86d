/**
 * The behaviour required of every VectorStore. Call `describeVectorStore` with a function that opens an empty store of
 * four dimensions.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MemoryFilter, payloadOf } from '../../src/domain/filter.js';
import { tagKeys } from '../../src/domain/tags.js';
import type { VectorRecord, VectorSearch, VectorStore } from '../../src/stores/vector-store.js';
import { idOf, NOON } from '../support/records.js';
import { type PayloadFacts, vectorPayload } from '../support/vector-payloads.js';
import { expectAgreement, FILTERED_MEMORIES } from './filter-agreement.js';

export const CONTRACT_DIMENSIONS = 4;

export interface VectorStoreFixture {
  store: VectorStore;
  /** Closes the store and opens it again on the same data. Absent if the store cannot be opened without the graph. */
  reopen?(): Promise<VectorStore>;
  dispose(): Promise<void>;
}

export function describeVectorStore(name: string, open: () => Promise<VectorStoreFixture>): void {
  describe(`vector store contract: ${name}`, () => {
    let fixture: VectorStoreFixture;
    let store: VectorStore;

    beforeEach(async () => {
      fixture = await open();
      store = fixture.store;
    });
    afterEach(() => fixture.dispose());

    const record = (number: number, vector: number[], facts: PayloadFacts = {}): VectorRecord => ({
      id: idOf(number),
      vector: Float32Array.from(vector),
      payload: vectorPayload(facts),
    });
    const hits = (vector: number[], filter: MemoryFilter = {}, limit = 10, models = ['m']) =>
      store.search({ vector: Float32Array.from(vector), limit, filter, models });
    const numbers = async (...search: Parameters<typeof hits>) =>
      (await hits(...search)).map(({ id }) => Number(id.slice(-12)));

    test('finds nothing in an empty store', async () => {
      expect(await hits([1, 0, 0, 0])).toEqual([]);
      expect(await store.count()).toBe(0);
    });

    test('returns existing vectors at unit length', async () => {
      await store.upsert([record(1, [3, 4, 0, 0]), record(2, [0, 0, 0, -2])]);
      const found = await store.vectorsOf([idOf(2), idOf(1), idOf(3)]);
      expect([...found.keys()].sort()).toEqual([idOf(1), idOf(2)]);
      for (const [index, value] of [0.6, 0.8, 0, 0].entries()) {
        expect(found.get(idOf(1))?.[index]).toBeCloseTo(value, 5);
      }
      expect(found.get(idOf(2))).toEqual(Float32Array.from([0, 0, 0, -1]));
      expect((await store.vectorsOf([])).size).toBe(0);
    });

    test('compares stored vectors with one or two others, which need not be unit vectors', async () => {
      await store.upsert([record(1, [3, 4, 0, 0]), record(2, [0, 0, 0, -2])]);
      const ids = [idOf(2), idOf(3), idOf(1)];
      const vector = Float32Array.of(10, 0, 0, 0);
      const alone = await store.compare(ids, { vector });
      expect([...alone.keys()].sort()).toEqual([idOf(1), idOf(2)]);
      expect(alone.get(idOf(1))).toEqual({ sought: expect.closeTo(0.6, 5), beside: expect.closeTo(0.6, 5) });
      const both = await store.compare(ids, { vector, beside: Float32Array.of(0, 0.1, 0, 0.1) });
      expect(both.get(idOf(1))).toEqual({
        sought: expect.closeTo(0.6, 5),
        beside: expect.closeTo(0.8 / Math.SQRT2, 5),
      });
      expect(both.get(idOf(2))).toEqual({ sought: expect.closeTo(0, 5), beside: expect.closeTo(-1 / Math.SQRT2, 5) });
      expect(await store.compare([], { vector })).toEqual(new Map());
    });

    test('reports which memories have a vector', async () => {
      await store.upsert([record(1, [1, 0, 0, 0]), record(2, [0, 1, 0, 0])]);
      expect(await store.present([idOf(3), idOf(2), idOf(1)])).toEqual(new Set([idOf(1), idOf(2)]));
      expect(await store.present([])).toEqual(new Set());
      const many = Array.from({ length: 2_345 }, (_, index) => idOf(index + 2));
      expect(await store.present(many)).toEqual(new Set([idOf(2)]));
    });

    test('returns the highest cosine similarity first, whatever the length of the vectors', async () => {
      await store.upsert([
        record(1, [1, 0, 0, 0]),
        record(2, [6, 8, 0, 0]),
        record(3, [0, 0, 5, 0]),
        record(4, [-2, 0, 0, 0]),
      ]);
      const found = await hits([2, 0, 0, 0]);
      expect(found.map(({ id }) => Number(id.slice(-1)))).toEqual([1, 2, 3, 4]);
      for (const [index, similarity] of [1, 0.6, 0, -1].entries()) {
        expect(found[index]?.similarity).toBeCloseTo(similarity, 2);
      }
      expect(await numbers([2, 0, 0, 0], {}, 2)).toEqual([1, 2]);
    });

    test.each([1e-30, 1e-10, 1e10, 1e30])(
      'compares vectors of length %f, both as stored vectors and as queries',
      async length => {
        await store.upsert([record(1, [length, length, 0, 0]), record(2, [1, 0, 0, 0])]);
        for (const query of [
          [1, 1, 0, 0],
          [length, length, 0, 0],
        ]) {
          const found = await hits(query);
          expect(found.map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
          expect(found[0]?.similarity).toBeCloseTo(1, 2);
        }
      },
    );

    test('writes, changes and removes thousands of vectors at a time', async () => {
      const many = Array.from({ length: 2_345 }, (_, index) => record(index + 1, [1, index, 0, 0]));
      await store.upsert(many);
      await store.updatePayloads(many.map(({ id }) => ({ id, payload: vectorPayload({ tags: ['new'] }) })));
      expect(await hits([1, 0, 0, 0], { tags: { keys: ['new'], mode: 'any', match: 'exact' } }, 400)).toHaveLength(400);
      await store.remove(many.slice(1).map(({ id }) => id));
      expect(await store.count()).toBe(1);
    });

    test('runs several searches in one call, and returns their hits in the order of the searches', async () => {
      await store.upsert([record(1, [1, 0, 0, 0]), record(2, [0, 1, 0, 0], { tags: ['t'] }), record(3, [0, 0, 1, 0])]);
      const search = (vector: number[], rest: Partial<VectorSearch> = {}): VectorSearch => ({
        vector: Float32Array.from(vector),
        limit: 1,
        filter: {},
        models: ['m'],
        ...rest,
      });
      const found = await store.searchEach([
        search([0, 0, 2, 0]),
        search([1, 0, 0, 0], { limit: 0 }),
        search([3, 2, 1, 0], { limit: 5 }),
        search([1, 0, 0, 0], { models: [] }),
        search([1, 0, 0, 0], { filter: { tags: { keys: ['t'], mode: 'any', match: 'exact' } } }),
      ]);
      const ids = found.map(each => each.map(({ id }) => Number(id.slice(-1))));
      expect(ids).toEqual([[3], [], [1, 2, 3], [], [2]]);
      expect(found[0]?.[0]?.similarity).toBeCloseTo(1, 2);
      expect(await store.searchEach([])).toEqual([]);
      const many = Array.from({ length: 70 }, (_, index) => search(index % 2 === 0 ? [1, 0, 0, 0] : [0, 1, 0, 0]));
      const each = await store.searchEach(many);
      expect(each.map(([hit]) => Number(hit?.id.slice(-1)))).toEqual(many.map((_, index) => (index % 2) + 1));
    });

    test('accepts empty lists and does nothing', async () => {
      await store.upsert([]);
      await store.updatePayloads([]);
      await store.remove([]);
      expect(await store.count()).toBe(0);
    });

    test('replaces a vector that is upserted again, and keeps vectors when the store is reopened', async () => {
      await store.upsert([record(1, [1, 0, 0, 0], { tags: ['old'] })]);
      await store.upsert([record(1, [0, 1, 0, 0], { tags: ['new'] })]);
      store = (await fixture.reopen?.()) ?? store;
      expect(await store.count()).toBe(1);
      expect((await hits([0, 1, 0, 0]))[0]?.similarity).toBeCloseTo(1, 2);
      const exact = (tag: string): MemoryFilter => ({ tags: { keys: [tag], mode: 'any', match: 'exact' } });
      expect(await numbers([0, 1, 0, 0], exact('old'))).toEqual([]);
      expect(await numbers([0, 1, 0, 0], exact('new'))).toEqual([1]);
    });

    test('a search compares the current vector after a memory was replaced, or removed and followed by another', async () => {
      await store.upsert([record(1, [1, 0, 0, 0]), record(2, [0, 1, 0, 0])]);
      expect((await hits([1, 0, 0, 0])).map(({ similarity }) => similarity)).toEqual([1, 0]);
      await store.upsert([record(1, [0.8, 0.6, 0, 0])]);
      const [first] = await hits([1, 0, 0, 0]);
      expect(first?.id).toBe(idOf(1));
      expect(first?.similarity).toBeCloseTo(0.8, 6);
      await store.remove([idOf(1)]);
      await store.upsert([record(3, [0.6, 0.8, 0, 0])]);
      expect((await hits([1, 0, 0, 0])).map(({ similarity }) => similarity.toFixed(6))).toEqual([
        '0.600000',
        '0.000000',
      ]);
    });

    test('refuses a batch with a zero vector, a non-finite vector or a vector of the wrong dimension', async () => {
      for (const bad of [
        [0, 0, 0, 0],
        [1, Number.NaN, 0, 0],
        [1, 2, 3],
        [Number.POSITIVE_INFINITY, 0, 0, 0],
      ]) {
        await expect(store.upsert([record(1, [1, 0, 0, 0]), record(2, bad)])).rejects.toThrow(/vector/);
      }
      expect(await store.count()).toBe(0);
    });

    test('returns only vectors of the requested models', async () => {
      await store.upsert([record(1, [1, 0, 0, 0], { model: 'a' }), record(2, [1, 0, 0, 0], { model: "b'c" })]);
      expect(await numbers([1, 0, 0, 0], {}, 10, ['a'])).toEqual([1]);
      expect(await numbers([1, 0, 0, 0], {}, 10, ["b'c"])).toEqual([2]);
      expect((await numbers([1, 0, 0, 0], {}, 10, ['a', "b'c"])).sort()).toEqual([1, 2]);
    });

    describe('filters', () => {
      beforeEach(() =>
        store.upsert([
          record(1, [1, 0, 0, 0], { tags: ['project:billing:api', 'urgent'], timestampMs: Date.parse('2026-01-01') }),
          record(2, [1, 0.1, 0, 0], { tags: ['Project/Billing'], timestampMs: Date.parse('2026-02-01') }),
          record(3, [1, 0.2, 0, 0], {
            tags: ['projects', 'urgent', 'cafe\u0301'],
            timestampMs: Date.parse('2026-03-01'),
          }),
          record(4, [1, 0.3, 0, 0], { tags: [], timestampMs: Date.parse('2026-04-01') }),
        ]),
      );
      const tagged = (match: 'prefix' | 'exact', mode: 'any' | 'all', ...tags: string[]): MemoryFilter => ({
        tags: { keys: tagKeys(tags), match, mode },
      });
      const cases: [string, MemoryFilter, number[]][] = [
        ['nothing', {}, [1, 2, 3, 4]],
        ['a prefix', tagged('prefix', 'any', 'project'), [1, 2]],
        ['a prefix, which stops at delimiters', tagged('prefix', 'any', 'pro'), []],
        ['a whole tag', tagged('exact', 'any', 'project:billing'), [2]],
        ['a tag whose accent is written in another way', tagged('prefix', 'any', 'CAFÉ'), [3]],
        ['any of several', tagged('prefix', 'any', 'urgent', 'project'), [1, 2, 3]],
        ['all of several', tagged('prefix', 'all', 'urgent', 'project'), [1]],
        ['excluded tags, and include memories without tags', { excludedTagKeys: ['urgent'] }, [2, 4]],
        ['excluded prefixes, which stop at delimiters', { excludedTagKeys: ['pro'] }, [1, 2, 3, 4]],
        ['a window, including both ends', { fromMs: Date.parse('2026-02-01'), toMs: Date.parse('2026-03-01') }, [2, 3]],
        ['a window before 1970', { toMs: -1 }, []],
        ['a window over all dates', { fromMs: Date.parse('0001-01-01'), toMs: Date.parse('9999-12-31') }, [1, 2, 3, 4]],
        ['all at once', { ...tagged('prefix', 'any', 'project'), excludedTagKeys: ['urgent'], fromMs: 0 }, [2]],
        [
          'more tags than one condition takes',
          tagged('exact', 'any', ...Array.from({ length: 70 }, (_, i) => `t${i}`), 'projects'),
          [3],
        ],
        [
          'more exclusions than one condition takes',
          { excludedTagKeys: [...Array.from({ length: 70 }, (_, i) => `t${i}`), 'project'] },
          [3, 4],
        ],
      ];
      test.each(cases)('select by %s', async (_, filter, expected) => {
        expect(await numbers([1, 0, 0, 0], filter)).toEqual(expected);
      });

      test('select the same memories as `passesFilter`', async () => {
        const vector = Float32Array.from([1, 0, 0, 0]);
        await store.remove([1, 2, 3, 4].map(idOf));
        await store.upsert(FILTERED_MEMORIES.map(each => ({ id: each.id, vector, payload: payloadOf(each, 'm') })));
        const search = { vector, models: ['m'], limit: FILTERED_MEMORIES.length };
        const read = async (filter: MemoryFilter) => (await store.search({ ...search, filter })).map(({ id }) => id);
        await expectAgreement({ runs: 100, read });
      });

      test('select by validity at an instant, also after a change of the payload', async () => {
        await store.upsert([
          record(11, [0, 1, 0, 0], { tags: ['v'], validFromMs: NOON }),
          record(12, [0, 1, 0, 0], { tags: ['v'], validToMs: NOON }),
          record(13, [0, 1, 0, 0], { tags: ['v'], isArchived: true }),
          record(14, [0, 1, 0, 0], { tags: ['v'] }),
        ]);
        const valid = (validAtMs: number) => ({ ...tagged('exact', 'any', 'v'), validAtMs });
        expect((await numbers([0, 1, 0, 0], valid(NOON - 1))).sort()).toEqual([12, 14]);
        expect((await numbers([0, 1, 0, 0], valid(NOON))).sort()).toEqual([11, 14]);
        expect((await numbers([0, 1, 0, 0], tagged('exact', 'any', 'v'))).sort()).toEqual([11, 12, 13, 14]);
        await store.updatePayloads([
          { id: idOf(13), payload: vectorPayload({ tags: ['v'] }) },
          { id: idOf(14), payload: vectorPayload({ tags: ['v'], isArchived: true }) },
        ]);
        expect((await numbers([0, 1, 0, 0], valid(NOON))).sort()).toEqual([11, 13]);
      });

      test('treat tags that look like a query as plain text', async () => {
        const tags = ["') or 1=1", 'back\\slash', "o'clock", '*', '日本', 'a b'];
        await store.upsert(tags.map((tag, index) => record(10 + index, [0, 0, 1, 0], { tags: [tag] })));
        for (const [index, tag] of tags.entries()) {
          expect(await numbers([0, 0, 1, 0], tagged('exact', 'any', tag))).toEqual([10 + index]);
        }
      });
    });

    test('returns as many hits as requested even if a narrow filter excludes most vectors', async () => {
      const many = Array.from({ length: 2500 }, (_, index) =>
        record(index + 1, [1, index / 2500, 0, 0], { tags: index % 250 === 0 ? ['rare'] : ['often'] }),
      );
      await store.upsert(many);
      const filter: MemoryFilter = { tags: { keys: ['rare'], mode: 'any', match: 'exact' } };
      expect(await numbers([1, 1, 0, 0], filter, 10)).toHaveLength(10);
      expect(await numbers([1, 0, 0, 0], filter, 3)).toEqual([1, 251, 501]);
    });

    test('changes payloads without changing the vectors, and ignores unknown ids', async () => {
      await store.upsert([record(1, [0, 1, 0, 0], { tags: ['old'] }), record(2, [0, 1, 0, 0])]);
      await store.updatePayloads([
        { id: idOf(9), payload: vectorPayload({ tags: ['new'] }) },
        { id: idOf(1), payload: vectorPayload({ tags: ['new'], timestampMs: 5 }) },
      ]);
      const filter: MemoryFilter = { tags: { keys: ['new'], mode: 'any', match: 'exact' }, toMs: 5 };
      expect(await numbers([0, 1, 0, 0], filter)).toEqual([1]);
      expect((await hits([0, 1, 0, 0], filter))[0]?.similarity).toBeCloseTo(1, 2);
      expect(await store.count()).toBe(2);
    });

    test('removes vectors, ignores unknown ids, and lists the remaining ids', async () => {
      await store.upsert([record(1, [1, 0, 0, 0]), record(2, [1, 0, 0, 0]), record(3, [1, 0, 0, 0])]);
      await store.remove([idOf(9), idOf(2)]);
      await store.remove([]);
      expect((await numbers([1, 0, 0, 0])).sort()).toEqual([1, 3]);
      const ids: string[] = [];
      for await (const id of store.ids()) ids.push(id);
      expect(ids.sort()).toEqual([idOf(1), idOf(3)]);
      expect(await store.count()).toBe(2);
    });

    test('answers a ping, and can be closed twice', async () => {
      await expect(store.ping()).resolves.toBeUndefined();
      await store.close();
      await store.close();
    });
  });
}

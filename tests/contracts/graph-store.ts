/**
 * What every GraphStore must do. Call `describeGraphStore` with a way to open an empty store; nothing here knows which
 * store it is.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MemoryFilter } from '../../src/domain/filter.js';
import type { Memory, NewMemory } from '../../src/domain/memory.js';
import { tagKeys } from '../../src/domain/tags.js';
import { queryTerms } from '../../src/domain/text.js';
import type { AuxiliaryNode, GraphStore, WorkKind } from '../../src/stores/graph-store.js';
import { idOf, memory, NOON, relation } from '../support/records.js';

export interface GraphStoreFixture {
  store: GraphStore;
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<GraphStore>;
  dispose(): Promise<void>;
}

export function describeGraphStore(name: string, open: () => Promise<GraphStoreFixture>): void {
  describe(`graph store contract: ${name}`, () => {
    let fixture: GraphStoreFixture;
    let store: GraphStore;

    beforeEach(async () => {
      fixture = await open();
      store = fixture.store;
    });
    afterEach(() => fixture.dispose());

    const save = (memories: readonly Memory[], work: readonly WorkKind[] = []) =>
      store.saveMemories(memories.map(each => ({ memory: each, work })));
    const saveAll = (...inputs: Partial<NewMemory>[]) => save(inputs.map((input, index) => memory(index + 1, input)));
    const numbersOf = (ids: readonly string[]) => ids.map(id => Number(id.slice(-12)));
    const listed = async (filter: MemoryFilter, order: 'importance' | 'updated_desc' | 'updated_asc' = 'importance') =>
      numbersOf(await store.list({ filter, order, limit: 100 }));
    const found = async (query: string, filter: MemoryFilter = {}, limit = 100) =>
      numbersOf((await store.searchText({ terms: queryTerms(query), filter, limit })).map(({ id }) => id));
    const tagged = (match: 'prefix' | 'exact', mode: 'any' | 'all', ...tags: string[]): MemoryFilter => ({
      tags: { keys: tagKeys(tags), match, mode },
    });

    describe('memories', () => {
      test('come back exactly as they were saved, also after reopening', async () => {
        const full = memory(1, {
          content: 'Zoë said: "it\'s 100% – {braces} \\ back`ticks` 日本語 🎉"\nsecond line',
          type: 'Decision',
          confidence: 0.123456789,
          tags: ['Project:Billing/API', "o'clock", 'a\\b"c'],
          importance: 0.9,
          metadata: { "key'with`quotes": { nested: [1, 2.5, null, true, 'x'] }, '': 0 },
          timestamp: '1999-12-31T23:59:59.999Z',
          t_valid: '2020-01-01T00:00:00.000Z',
          t_invalid: '2030-01-01T00:00:00.000Z',
        });
        const plain = memory(2);
        expect(await save([full, plain])).toEqual(['created', 'created']);
        const expected = new Map([
          [full.id, full],
          [plain.id, plain],
        ]);
        expect(await store.getMemories([full.id, plain.id, idOf(9)])).toEqual(expected);
        store = await fixture.reopen();
        expect(await store.getMemories([full.id, plain.id])).toEqual(expected);
      });

      test('round-trip whatever text and metadata they carry, and never count for more than one', async () => {
        const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter(value => value.trim() !== '');
        let number = 0;
        await fc.assert(
          fc.asyncProperty(text, text, fc.dictionary(text, text, { maxKeys: 3 }), async (content, tag, metadata) => {
            const record = memory(++number, { content, tags: [tag.replaceAll(',', '')], metadata });
            await save([record]);
            expect((await store.getMemories([record.id])).get(record.id)).toEqual(record);
            expect(await store.countMemories()).toBe(number);
          }),
          { numRuns: 40 },
        );
      });

      test('are all written or none, and a conflict names its index', async () => {
        await saveAll({ content: 'first' });
        const batch = [memory(2), memory(1, { content: 'something else' }), memory(3)];
        await expect(save(batch)).rejects.toMatchObject({ code: 'conflict', field: 'id', index: 1 });
        expect(await store.countMemories()).toBe(1);
        expect(await store.getMemories([idOf(2), idOf(3)])).toEqual(new Map());
        expect(await found('memory number')).toEqual([]);
      });

      test('posted again with the same content are a replay that changes nothing', async () => {
        await saveAll({ content: 'same', importance: 0.9, tags: ['kept'] });
        expect(await saveAll({ content: 'same', importance: 0.1, tags: ['other'] })).toEqual(['replayed']);
        const kept = (await store.getMemories([idOf(1)])).get(idOf(1));
        expect(kept).toMatchObject({ importance: 0.9, tags: ['kept'] });
        expect(await store.countMemories()).toBe(1);
        expect(await store.workCounts('embed')).toMatchObject({ pending: 0 });
      });

      test('change atomically, and every index follows', async () => {
        await saveAll({ content: 'apples are red', tags: ['fruit:apple'], timestamp: '2020-01-01T00:00:00.000Z' });
        const changed = memory(1, {
          content: 'pears are green',
          tags: ['fruit:pear'],
          timestamp: '2024-01-01T00:00:00.000Z',
        });
        const answer = await store.updateMemory(idOf(1), current => {
          expect(current.content).toBe('apples are red');
          return { memory: changed, work: [] };
        });
        expect(answer).toEqual(changed);
        expect((await store.getMemories([idOf(1)])).get(idOf(1))).toEqual(changed);
        expect(await found('apples')).toEqual([]);
        expect(await found('pear')).toEqual([1]);
        expect(await listed(tagged('prefix', 'any', 'fruit:apple'))).toEqual([]);
        expect(await listed(tagged('prefix', 'any', 'fruit'))).toEqual([1]);
        expect(await found('pear', { toMs: Date.parse('2022-01-01') })).toEqual([]);
      });

      test('are not changed when the change throws', async () => {
        await saveAll({ content: 'kept' });
        const fail = () => {
          throw new Error('no');
        };
        await expect(store.updateMemory(idOf(1), fail)).rejects.toThrow('no');
        expect((await store.getMemories([idOf(1)])).get(idOf(1))?.content).toBe('kept');
        expect(await store.updateMemory(idOf(9), current => ({ memory: current, work: [] }))).toBeUndefined();
      });

      test('leave with their tags, words, edges and work', async () => {
        await save([memory(1, { content: 'alpha', tags: ['t'] }), memory(2, { content: 'beta' })], ['embed']);
        await store.saveRelations([relation(1, 'LEADS_TO', 2), relation(2, 'REINFORCES', 1)]);
        expect(await store.deleteMemories([idOf(1), idOf(9)])).toEqual([idOf(1)]);
        expect(await store.countMemories()).toBe(1);
        expect(await found('alpha')).toEqual([]);
        expect(await listed(tagged('exact', 'any', 't'))).toEqual([]);
        expect((await store.relationsOf([idOf(2)], 10)).get(idOf(2))).toEqual([]);
        expect(await store.workCounts('embed')).toEqual({ pending: 1, inFlight: 0, failed: 0 });
        expect(await store.deleteMemories([idOf(1)])).toEqual([]);
      });

      test('may come back under their id after they left', async () => {
        await saveAll({ content: 'first life', tags: ['a'] });
        await store.deleteMemories([idOf(1)]);
        await saveAll({ content: 'second life', tags: ['b'] });
        expect(await found('life')).toEqual([1]);
        expect(await listed(tagged('exact', 'any', 'a'))).toEqual([]);
      });

      test('remember their last access, which never moves back', async () => {
        await saveAll({}, {});
        await store.touch([idOf(1), idOf(9)], '2026-04-01T00:00:00.000Z');
        await store.touch([idOf(1)], '2026-03-15T00:00:00.000Z');
        const memories = await store.getMemories([idOf(1), idOf(2)]);
        expect(memories.get(idOf(1))?.last_accessed).toBe('2026-04-01T00:00:00.000Z');
        expect(memories.get(idOf(2))?.last_accessed).toBe('2026-03-01T12:00:00.000Z');
      });
    });

    describe('filters', () => {
      beforeEach(() =>
        saveAll(
          { tags: ['project:billing:api', 'urgent'], importance: 0.9, timestamp: '2026-01-01T00:00:00.000Z' },
          { tags: ['Project/Billing', 'later'], importance: 0.8, timestamp: '2026-02-01T00:00:00.000Z' },
          { tags: ['projects', 'urgent'], importance: 0.7, timestamp: '2026-03-01T00:00:00.000Z' },
          { tags: [], importance: 0.6, timestamp: '2026-04-01T00:00:00.000Z' },
        ),
      );

      const cases: [string, MemoryFilter, number[]][] = [
        ['nothing', {}, [1, 2, 3, 4]],
        ['a prefix', tagged('prefix', 'any', 'project'), [1, 2]],
        ['a prefix of two levels, other delimiter, other case', tagged('prefix', 'any', 'PROJECT/billing'), [1, 2]],
        ['a prefix stops at delimiters', tagged('prefix', 'any', 'pro'), []],
        ['a whole tag', tagged('exact', 'any', 'project:billing'), [2]],
        ['any of several', tagged('prefix', 'any', 'urgent', 'later'), [1, 2, 3]],
        ['all of several', tagged('prefix', 'all', 'urgent', 'project'), [1]],
        ['all of several, exactly', tagged('exact', 'all', 'urgent', 'projects'), [3]],
        ['excluded tags', { excludedTagKeys: ['urgent'] }, [2, 4]],
        ['excluded prefixes', { excludedTagKeys: ['project', 'absent'] }, [3, 4]],
        ['excluded prefixes stop at delimiters', { excludedTagKeys: ['pro'] }, [1, 2, 3, 4]],
        ['a window with both its ends', { fromMs: Date.parse('2026-02-01'), toMs: Date.parse('2026-03-01') }, [2, 3]],
        ['an open window', { fromMs: Date.parse('2026-03-02') }, [4]],
        [
          'tags, exclusion and window at once',
          { ...tagged('prefix', 'any', 'project'), excludedTagKeys: ['later'], toMs: NOON },
          [1],
        ],
      ];
      test.each(cases)('by %s', async (_, filter, expected) => {
        expect(await listed(filter)).toEqual(expected);
        expect((await found('memory', filter)).sort()).toEqual(expected);
      });

      test('hold for tags that look like a query', async () => {
        const tags = ['") OR 1=1 --', 'a" OR "b', "x' OR 'y", '}) DETACH DELETE n //', 'back\\slash', '*', '日本'];
        await save(tags.map((tag, index) => memory(10 + index, { tags: [tag] })));
        for (const [index, tag] of tags.entries()) {
          expect(await listed(tagged('exact', 'any', tag))).toEqual([10 + index]);
          expect(await found('memory', tagged('prefix', 'any', tag))).toEqual([10 + index]);
        }
        expect(await store.countMemories()).toBe(4 + tags.length);
      });
    });

    describe('lists', () => {
      test('run by importance then newest, or by last change', async () => {
        await saveAll(
          { importance: 0.5, timestamp: '2026-01-02T00:00:00.000Z' },
          { importance: 0.9, timestamp: '2026-01-01T00:00:00.000Z' },
          { importance: 0.5, timestamp: '2026-01-03T00:00:00.000Z', updated_at: '2026-01-01T12:00:00.000Z' },
        );
        expect(await listed({})).toEqual([2, 3, 1]);
        expect(await listed({}, 'updated_desc')).toEqual([1, 3, 2]);
        expect(await listed({}, 'updated_asc')).toEqual([2, 3, 1]);
        expect(numbersOf(await store.list({ filter: {}, order: 'importance', limit: 2 }))).toEqual([2, 3]);
      });

      test('by tag run by importance, newest, id, and page without gaps', async () => {
        await saveAll(
          { tags: ['Team:Core'], importance: 0.2 },
          { tags: ['team/core'], importance: 0.9 },
          { tags: ['team:core', 'x'], importance: 0.2, timestamp: '2026-05-01T00:00:00.000Z' },
          { tags: ['team:core:deep'], importance: 1 },
          { tags: ['team:core'], importance: 0.2 },
        );
        const page = async (limit: number, offset: number) =>
          numbersOf((await store.listByTags({ keys: ['team:core', 'x'], limit, offset })).map(({ id }) => id));
        expect(await page(10, 0)).toEqual([2, 3, 1, 5]);
        expect(await page(2, 0)).toEqual([2, 3]);
        expect(await page(2, 2)).toEqual([1, 5]);
        expect(await page(2, 4)).toEqual([]);
      });
    });

    describe('text search', () => {
      test('finds by stem, in content and tags, in any order of words', async () => {
        await saveAll(
          { content: 'We decided to migrate the databases' },
          { content: 'Nothing of that', tags: ['migration:database'] },
          { content: 'Unrelated' },
        );
        expect((await found('database migrations')).sort()).toEqual([1, 2]);
        expect(await found('deciding')).toEqual([1]);
        expect(await found('absentword')).toEqual([]);
        expect(await found('unrelated absentword')).toEqual([3]);
      });

      test('ranks what holds rarer and more terms first', async () => {
        await saveAll(
          ...Array.from({ length: 20 }, () => ({ content: 'the usual report' })),
          { content: 'the usual zebra' },
          { content: 'the zebra report, as usual' },
        );
        expect((await found('zebra report usual')).slice(0, 2)).toEqual([22, 21]);
        expect(await found('zebra report usual', {}, 1)).toEqual([22]);
      });

      test('finds names in code, accents, and scripts without spaces', async () => {
        await saveAll(
          { content: 'call parseHttpResponse() first' },
          { content: 'Crème brûlée für Zoë' },
          { content: '昨日は東京で会議がありました' },
        );
        expect(await found('http response')).toEqual([1]);
        expect(await found('parsehttpresponse')).toEqual([1]);
        expect(await found('creme brulee zoe')).toEqual([2]);
        expect(await found('東京')).toEqual([3]);
      });

      test('counts in how many memories a term occurs', async () => {
        await saveAll({ content: 'alpha alpha beta' }, { content: 'alpha', tags: ['beta'] }, { content: 'gamma' });
        const { memoryCount, frequencies } = await store.termStatistics(['alpha', 'beta', 'delta']);
        expect(memoryCount).toBe(3);
        expect(Object.fromEntries(frequencies)).toEqual({ alpha: 2, beta: 2 });
      });

      test('a narrow filter among many common words still finds all it leaves', async () => {
        const many = Array.from({ length: 1200 }, (_, index) =>
          memory(index + 1, {
            content: 'the common phrase of all',
            tags: index % 400 === 0 ? ['rare'] : ['often'],
            timestamp: new Date(NOON + index * 1000).toISOString(),
          }),
        );
        for (let start = 0; start < many.length; start += 400) await save(many.slice(start, start + 400));
        expect((await found('common phrase', tagged('exact', 'any', 'rare'), 5)).sort()).toEqual([1, 401, 801].sort());
        expect((await found('common phrase', { fromMs: NOON + 10_000, toMs: NOON + 12_000 }, 5)).sort()).toEqual([
          11, 12, 13,
        ]);
      });
    });

    describe('relations', () => {
      beforeEach(() => saveAll({}, {}, {}, {}));

      test('are seen from both ends, authored before system ones, then strongest, then newest', async () => {
        await store.saveRelations([
          relation(1, 'SIMILAR_TO', 2, { strength: 1 }),
          relation(3, 'LEADS_TO', 1, { strength: 0.4 }),
          relation(1, 'PREFERS_OVER', 4, { strength: 0.8, properties: { context: 'work' } }),
          relation(1, 'RELATES_TO', 3, { strength: 0.4, updated_at: '2026-06-01T00:00:00.000Z' }),
        ]);
        const types = async (limit: number) =>
          (await store.relationsOf([idOf(1)], limit)).get(idOf(1))?.map(({ type }) => type);
        expect(await types(10)).toEqual(['PREFERS_OVER', 'RELATES_TO', 'LEADS_TO', 'SIMILAR_TO']);
        expect(await types(2)).toEqual(['PREFERS_OVER', 'RELATES_TO']);
        const both = await store.relationsOf([idOf(3), idOf(4)], 10);
        expect(both.get(idOf(4))).toEqual([
          relation(1, 'PREFERS_OVER', 4, { strength: 0.8, properties: { context: 'work' } }),
        ]);
        expect(both.get(idOf(3))).toHaveLength(2);
      });

      test('exist once for each pair and type; ends that do not exist are passed over', async () => {
        await store.saveRelations([relation(1, 'LEADS_TO', 2), relation(1, 'LEADS_TO', 9), relation(9, 'LEADS_TO', 1)]);
        await store.saveRelations([relation(1, 'LEADS_TO', 2, { strength: 0.9 }), relation(2, 'LEADS_TO', 1)]);
        const relations = (await store.relationsOf([idOf(1)], 10)).get(idOf(1));
        expect(relations?.map(({ from, strength }) => [Number(from.slice(-1)), strength])).toEqual([
          [1, 0.9],
          [2, 0.5],
        ]);
      });
    });

    describe('auxiliary nodes', () => {
      test('are kept by kind, newest first, and are no memories', async () => {
        const node = (id: string, updated_at: string): AuxiliaryNode => ({
          kind: 'Pattern',
          id,
          properties: { observations: 3, "k'ey": [1] },
          updated_at,
        });
        await store.saveNode(node('a', '2026-01-01T00:00:00.000Z'));
        await store.saveNode(node('b', '2026-01-02T00:00:00.000Z'));
        await store.saveNode({ ...node('a', '2026-01-03T00:00:00.000Z'), properties: { observations: 4 } });
        await store.saveNode({ ...node('a', '2026-01-01T00:00:00.000Z'), kind: 'MetaMemory' });
        expect((await store.listNodes('Pattern', 10)).map(({ id }) => id)).toEqual(['a', 'b']);
        expect(await store.listNodes('Pattern', 1)).toHaveLength(1);
        expect(await store.getNode('Pattern', 'a')).toMatchObject({ properties: { observations: 4 } });
        expect(await store.countMemories()).toBe(0);
        await store.deleteNodes('Pattern', ['a', 'nope']);
        expect(await store.getNode('Pattern', 'a')).toBeUndefined();
        expect(await store.getNode('MetaMemory', 'a')).toBeDefined();
      });
    });

    describe('work', () => {
      const claim = (limit = 10, nowMs = NOON, leaseMs = 1000) =>
        store.claimWork({ kind: 'embed', limit, nowMs, leaseMs });
      beforeEach(() => save([memory(1), memory(2), memory(3)], ['embed']));

      test('is claimed once, and again only when the lease has ended', async () => {
        const first = await claim(2);
        expect(first.map(({ memory: { id }, attempt }) => [Number(id.slice(-1)), attempt])).toEqual([
          [1, 1],
          [2, 1],
        ]);
        expect((await claim()).map(({ memory: { id } }) => Number(id.slice(-1)))).toEqual([3]);
        expect(await claim()).toEqual([]);
        expect(await store.workCounts('embed')).toEqual({ pending: 0, inFlight: 3, failed: 0 });
        expect(await store.nextWorkDueMs('embed')).toBe(NOON + 1000);
        expect((await claim(10, NOON + 1001)).map(({ attempt }) => attempt)).toEqual([2, 2, 2]);
      });

      test('two claimants at once never get the same', async () => {
        const claims = (await Promise.all([claim(2), claim(2), claim(2)])).flat();
        expect(new Set(claims.map(each => each.memory.id)).size).toBe(claims.length);
        expect(claims).toHaveLength(3);
      });

      test('a lease can be renewed by its holder only', async () => {
        const [held] = await claim(1);
        expect(await store.renewWork([held?.token ?? '', 'embed/1/forged'], NOON + 5000)).toEqual([held?.token]);
        expect((await claim(10, NOON + 2000)).map(({ memory: { id } }) => id)).not.toContain(held?.memory.id);
      });

      test('is settled once, notes the model, and counts as embedded', async () => {
        const tokens = (await claim(2)).map(({ token }) => token);
        expect(await store.settleWork(tokens, { embeddedBy: 'model-a' })).toEqual(tokens);
        expect(await store.settleWork(tokens, { embeddedBy: 'model-b' })).toEqual([]);
        expect((await store.getMemories([idOf(1)])).get(idOf(1))?.embedded_by).toBe('model-a');
        expect(await store.countEmbedded()).toBe(2);
        expect(await store.workCounts('embed')).toEqual({ pending: 1, inFlight: 0, failed: 0 });
      });

      test('of a memory that changed meanwhile is not settled but done again', async () => {
        const tokens = (await claim()).map(({ token }) => token);
        await store.updateMemory(idOf(2), current => ({ memory: { ...current, importance: 1 }, work: [] }));
        expect(await store.settleWork(tokens, { embeddedBy: 'm' })).toHaveLength(2);
        expect((await store.getMemories([idOf(2)])).get(idOf(2))?.embedded_by).toBeUndefined();
        expect((await claim()).map(({ memory: { id } }) => id)).toEqual([idOf(2)]);
      });

      test('that a change asks for is pending again, from the first attempt', async () => {
        await store.settleWork(
          (await claim()).map(({ token }) => token),
          { embeddedBy: 'm' },
        );
        await store.updateMemory(idOf(1), current => ({ memory: current, work: ['embed'] }));
        expect((await claim()).map(({ memory: { id }, attempt }) => [id, attempt])).toEqual([[idOf(1), 1]]);
      });

      test('that failed comes back at its time, or stays failed for good', async () => {
        const [first, second] = await claim(2);
        await store.failWork([first?.token ?? ''], { error: 'later', retryAtMs: NOON + 500 });
        await store.failWork([second?.token ?? ''], { error: 'never', retryAtMs: null });
        expect(await store.workCounts('embed')).toEqual({ pending: 2, inFlight: 0, failed: 1 });
        expect((await claim(10, NOON + 499)).map(({ memory: { id } }) => id)).toEqual([idOf(3)]);
        expect((await claim(10, NOON + 500)).map(({ memory: { id }, attempt }) => [id, attempt])).toEqual([
          [idOf(1), 2],
        ]);
        expect(await claim(10, NOON + 600)).toEqual([]);
      });

      test('survives reopening, with the vector a caller supplied', async () => {
        const embedding = Float32Array.from([0.1, -0.25, 3e-7]);
        await store.saveMemories([{ memory: memory(4), embedding, work: ['embed'] }]);
        store = await fixture.reopen();
        const claims = await store.claimWork({ kind: 'embed', limit: 10, nowMs: NOON, leaseMs: 1000 });
        expect(claims.find(({ memory: { id } }) => id === idOf(4))?.embedding).toEqual(embedding);
        expect(claims.find(({ memory: { id } }) => id === idOf(1))?.embedding).toBeUndefined();
        expect(claims).toHaveLength(4);
      });

      test('can be asked for again for every memory', async () => {
        await store.settleWork(
          (await claim()).map(({ token }) => token),
          { embeddedBy: 'm' },
        );
        expect(await store.requeueAll('embed')).toBe(3);
        expect(await store.countEmbedded()).toBe(0);
        expect(await claim()).toHaveLength(3);
      });

      test('kinds do not see each other', async () => {
        await store.requeueAll('enrich');
        expect(await claim()).toHaveLength(3);
        expect(await store.workCounts('enrich')).toEqual({ pending: 3, inFlight: 0, failed: 0 });
        expect(await store.nextWorkDueMs('enrich')).toBeLessThanOrEqual(NOON);
      });
    });

    test('answers a ping, and closes twice without harm', async () => {
      await expect(store.ping()).resolves.toBeUndefined();
      await store.close();
      await store.close();
    });
  });
}

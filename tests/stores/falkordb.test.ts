/**
 * Tests several processes on one graph, and other behaviour that only the FalkorDB store has. The contract of graph
 * stores runs in falkordb-plans.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { partsOf } from '../../src/domain/collections.js';
import { tagKeys } from '../../src/domain/tags.js';
import { queryTerms } from '../../src/domain/text/terms.js';
import type { SupersedeRequest } from '../../src/stores/ports/memory-store.js';
import { describeFalkor, eventually } from '../support/falkordb-server.js';
import { idOf, memory, NOON, relation } from '../support/records.js';

describeFalkor('FalkorDB', { isForgetful: true }, suite => {
  describe('a correction', () => {
    const request = (overrides: Partial<SupersedeRequest> = {}): SupersedeRequest => ({
      record: { memory: memory(2, { content: 'new' }), work: ['embed'] },
      supersededId: idOf(1),
      change: current => ({ memory: { ...current, archived: true }, work: [] }),
      relation: relation(1, 'EVOLVED_INTO', 2),
      ...overrides,
    });

    test('saves the new memory, changes the old one and links the two, and a repetition changes nothing', async () => {
      const store = suite.open();
      await store.saveMemories([{ memory: memory(1), work: [] }]);
      expect(await store.supersede(request())).toBe('created');
      expect(await store.supersede(request())).toBe('replayed');
      const found = await store.getMemories([idOf(1), idOf(2)]);
      expect([found.get(idOf(1))?.archived, found.get(idOf(2))?.content]).toEqual([true, 'new']);
      expect((await store.relationsOf({ ids: [idOf(2)], limit: 5 })).get(idOf(2))).toEqual([
        relation(1, 'EVOLVED_INTO', 2),
      ]);
      expect(await store.workCounts('embed')).toMatchObject({ pending: 1 });
    });

    test('writes nothing if the old memory does not exist, or if a different memory has the new id', async () => {
      const store = suite.open();
      expect(await store.supersede(request())).toBeUndefined();
      await store.saveMemories([1, 2].map(number => ({ memory: memory(number), work: [] })));
      await expect(store.supersede(request())).rejects.toMatchObject({ code: 'conflict', index: 0 });
      expect(await store.getMemories([idOf(1), idOf(2)])).toEqual(
        new Map([1, 2].map(number => [idOf(number), memory(number)])),
      );
    });
  });

  test('a node is saved with its links in one statement, which a crash cannot split', async () => {
    const statements: string[] = [];
    const store = suite.open({ onStatement: statement => statements.push(statement) });
    await store.saveMemories([{ memory: memory(1), work: [] }]);
    statements.length = 0;
    const node = { kind: 'MetaMemory', id: 'a', properties: {}, updated_at: '2026-01-01T00:00:00.000Z' } as const;
    await store.saveNode(node, [idOf(1)]);
    expect(statements).toHaveLength(1);
    expect(await store.linksOf([idOf(1)])).toMatchObject([{ nodeId: 'a' }]);
  });

  test('the count of a frequent word is read once, and again after many memories were added', async () => {
    let counts = 0;
    const store = suite.open({
      onStatement: statement => {
        if (statement.includes('RETURN token, count(node)')) counts += 1;
      },
    });
    const save = (from: number, to: number) =>
      store.saveMemories(Array.from({ length: to - from }, (_, index) => ({ memory: memory(from + index), work: [] })));
    const frequency = async () =>
      (await store.searchText({ terms: ['number'], filter: {}, limit: 0 })).statistics.frequencies.get('number');
    await save(1, 1_201);
    for (let search = 0; search < 3; search++) expect(await frequency()).toBe(1_200);
    expect(counts).toBe(1);
    await save(1_201, 1_401);
    await eventually(async () => expect(await frequency()).toBe(1_400));
  });

  describe('processes on one graph', () => {
    const PROCESSES = 4;
    const open = () => {
      const settings = suite.settings();
      return Array.from({ length: PROCESSES }, () => suite.open(settings));
    };
    const many = (count: number) => Array.from({ length: count }, (_, index) => memory(index + 1));

    test('release the claims and leases of an earlier process with the same folder, and no others', async () => {
      const settings = suite.settings();
      const [dead, other] = [
        suite.open({ ...settings, owner: 'folder' }),
        suite.open({ ...settings, owner: 'another' }),
      ];
      await dead.saveMemories(many(3).map(record => ({ memory: record, work: ['embed'] })));
      const claim = { kind: 'embed', limit: 1, nowMs: NOON, leaseMs: 60_000 } as const;
      const lease = { name: 'upkeep', nowMs: NOON, untilMs: NOON + 60_000 };
      await dead.claimWork(claim);
      expect(await dead.takeLease({ ...lease, holder: 'a' })).toBe(true);
      expect(await other.claimWork(claim)).toHaveLength(1);
      expect(await other.takeLease({ ...lease, name: 'theirs', holder: 'b' })).toBe(true);

      const next = suite.open({ ...settings, owner: 'folder' });
      const [own] = await next.claimWork(claim);
      await next.reclaim();
      expect(await next.workCounts('embed')).toEqual({ pending: 1, inFlight: 2, failed: 0 });
      expect(await next.renewWork([own?.token ?? ''], NOON + 60_000)).toEqual([own?.token]);
      expect(await next.takeLease({ ...lease, holder: 'c' })).toBe(true);
      expect(await next.takeLease({ ...lease, name: 'theirs', holder: 'c' })).toBe(false);
    });

    test('change the memory that has the id now, even if it took the place of another since it was read', async () => {
      const [store, other] = open();
      const stored = (content: string, tag: string) => [{ memory: memory(1, { content, tags: [tag] }), work: [] }];
      await store?.saveMemories(stored('old', 'harbor'));
      let replacing: Promise<unknown> | undefined;
      const changed = await store?.updateMemory(idOf(1), current => {
        // The statements of one connection run in order, so both run before the change.
        replacing ??= Promise.all([store.deleteMemories([idOf(1)]), store.saveMemories(stored('new', 'boat'))]);
        return { memory: { ...current, metadata: { of: current.content } }, work: [] };
      });
      await replacing;
      expect(changed).toMatchObject({ content: 'new', tags: ['boat'], metadata: { of: 'new' } });
      expect((await other?.getMemories([idOf(1)]))?.get(idOf(1))).toEqual(changed);
    });

    test('can open the graph at the same time, and create all its indexes', async () => {
      const { graph } = suite.settings();
      const stores = Array.from({ length: PROCESSES }, () => suite.open({ graph }));
      await Promise.all(stores.map(store => store.ping()));
      const indexes = await suite.server.query<{ properties: string[]; status: string }>(
        graph,
        'CALL db.indexes() YIELD properties, status RETURN properties, status',
      );
      expect(indexes.length).toBeGreaterThan(5);
      expect(new Set(indexes.map(({ status }) => status))).toEqual(new Set(['OPERATIONAL']));
      for (const { properties } of indexes) expect(new Set(properties).size).toBe(properties.length);
    });

    test('never claim the same work', async () => {
      const stores = open();
      await stores[0]?.saveMemories(many(60).map(each => ({ memory: each, work: ['embed'] })));
      const request = { kind: 'embed', limit: 4, nowMs: NOON, leaseMs: 1000 } as const;
      const rounds = await Promise.all(
        stores.flatMap(store => Array.from({ length: 5 }, () => store.claimWork(request))),
      );
      const claimed = rounds.flat().map(({ memory: { id } }) => id);
      expect(claimed).toHaveLength(60);
      expect(new Set(claimed).size).toBe(60);
    });

    test('create one memory for an id: one process creates it, the others get a replay or a conflict', async () => {
      const stores = open();
      for (let number = 1; number <= 20; number++) {
        const outcomes = await Promise.allSettled(
          stores.map((store, index) =>
            store.saveMemories([{ memory: memory(number, { content: `by ${index % 2}` }), work: [] }]),
          ),
        );
        const words = outcomes.map(outcome =>
          outcome.status === 'fulfilled' ? outcome.value[0] : (outcome.reason as { code: string }).code,
        );
        expect(words.sort()).toEqual(['conflict', 'conflict', 'created', 'replayed']);
      }
      expect(await stores[0]?.countMemories()).toBe(20);
    });

    test('lose none of their concurrent updates', async () => {
      const stores = open();
      await stores[0]?.saveMemories([{ memory: memory(1), work: [] }]);
      const keys = Array.from({ length: 10 }, (_, index) => index);
      await Promise.all(
        stores.flatMap((store, process) =>
          keys.map(key =>
            store.updateMemory(idOf(1), current => ({
              memory: { ...current, metadata: { ...current.metadata, [`${process} ${key}`]: true } },
              work: [],
            })),
          ),
        ),
      );
      const kept = (await stores[0]?.getMemories([idOf(1)]))?.get(idOf(1));
      expect(Object.keys(kept?.metadata ?? {})).toHaveLength(PROCESSES * keys.length);
    });

    test('lose neither an update nor a vector when one updates memories while another embeds them', async () => {
      const [worker, writer] = open();
      await worker?.saveMemories(many(10).map(each => ({ memory: each, work: ['embed'] })));
      const claims = (await worker?.claimWork({ kind: 'embed', limit: 10, nowMs: NOON, leaseMs: 1000 })) ?? [];
      const settled = claims.map(({ token }) => worker?.settleWork([token], { embeddedBy: 'm' }));
      const changed = claims.map(({ memory: { id } }) =>
        writer?.updateMemory(id, current => ({ memory: { ...current, importance: 1 }, work: [] })),
      );
      const tookEffect = (await Promise.all(settled)).flat().length;
      await Promise.all(changed);
      const kept = [...((await worker?.getMemories(claims.map(each => each.memory.id)))?.values() ?? [])];
      expect(kept.every(({ importance }) => importance === 1)).toBe(true);
      expect(kept.filter(each => each.embedded_by === 'm')).toHaveLength(tookEffect);
      expect((await worker?.workCounts('embed'))?.pending).toBe(10 - tookEffect);
    });

    test('take a lease only once when all try at the same time', async () => {
      const stores = open();
      const outcomes = await Promise.all(
        stores.flatMap((store, process) =>
          Array.from({ length: 5 }, (_, index) =>
            store.takeLease({ name: 'sync', holder: `${process} ${index}`, nowMs: NOON, untilMs: NOON + 1 }),
          ),
        ),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    });
  });

  test('a statement that fails half-way writes nothing', async () => {
    const { graph } = suite.settings();
    const store = suite.open({ graph });
    await store.ping();
    const failing = 'CREATE (:Memory {id: "half"}) WITH 1 AS one UNWIND [1, "x"] AS each RETURN toUpper(each)';
    await expect(suite.server.query(graph, failing)).rejects.toThrow();
    expect(await store.countMemories()).toBe(0);
  });

  test.each([
    ['the newest', (index: number) => NOON - index * 1_000],
    ['those with the lowest ids, if all are from one instant', () => NOON],
  ])('a search returns, of equally good memories, %s', async (_, createdMs) => {
    const store = suite.open();
    const many = Array.from({ length: 600 }, (_, index) =>
      memory(index + 1, {
        content: index % 2 === 0 ? 'alpha' : 'beta',
        timestamp: new Date(createdMs(index)).toISOString(),
      }),
    );
    // Saves them in another order, so that the order of the nodes does not decide.
    for (const isOdd of [true, false]) {
      const half = many.filter((_, index) => (index % 3 === 1) === isOdd).reverse();
      await store.saveMemories(half.map(each => ({ memory: each, work: [] })));
    }
    // Both words are equally frequent. With the higher limit, different stages of the search find them.
    for (const limit of [5, 150]) {
      const { hits } = await store.searchText({ terms: ['alpha', 'beta'], filter: {}, limit });
      expect(hits.map(({ id }) => id)).toEqual(many.slice(0, limit).map(({ id }) => id));
    }
  });

  test('a search goes on while words that it has not searched can still outrank its hits', async () => {
    const store = suite.open();
    const isWithin = (number: number, ...ranges: [from: number, to: number][]) =>
      ranges.some(([from, to]) => number >= from && number <= to);
    const contains: Record<string, (number: number) => boolean> = {
      // The filter excludes all memories with the rarest word, from which the search expects enough hits.
      rarest: number => isWithin(number, [1, 2]),
      rare: number => isWithin(number, [2_000, 2_299]),
      red: number => isWithin(number, [10, 19], [2_000, 2_009], [1_000, 1_379]),
      green: number => isWithin(number, [10, 19], [2_000, 2_009], [1_380, 1_809]),
      blue: number => isWithin(number, [10, 19], [400, 889]),
      // More than a quarter of all memories have this word, so it is not searched, but adds to the score of others.
      common: number => isWithin(number, [10, 19], [100, 399], [900, 999], [2_300, 2_599]),
    };
    const wordsOf = (number: number) => Object.keys(contains).filter(word => contains[word]?.(number));
    const many = Array.from({ length: 2_600 }, (_, index) =>
      memory(index + 1, { content: `note ${wordsOf(index + 1).join(' ')}`, tags: index < 2 ? ['old'] : [] }),
    );
    for (const part of partsOf(many, 500)) await store.saveMemories(part.map(each => ({ memory: each, work: [] })));
    const { hits } = await store.searchText({
      terms: queryTerms(Object.keys(contains).join(' ')),
      filter: { excludedTagKeys: tagKeys(['old']) },
      limit: 2,
    });
    // Memories with "rare", "red" and "green" are found first, and weigh nearly as much.
    expect(hits.map(({ id }) => wordsOf(Number(id.slice(-12))))).toEqual(
      Array.from({ length: 2 }, () => ['red', 'green', 'blue', 'common']),
    );
  });

  test('a graph that another program removed is created again, with its indexes', async () => {
    const { graph } = suite.settings();
    const store = suite.open({ graph });
    await store.saveMemories([{ memory: memory(1), work: [] }]);
    await suite.server.deleteGraph(graph);
    expect(await store.countMemories()).toBe(0);
    await store.saveMemories([{ memory: memory(1, { content: 'hello' }), work: [] }]);
    expect((await store.searchText({ terms: ['hello'], filter: {}, limit: 5 })).hits).toHaveLength(1);
  });

  test('a graph that a write has created again gets its missing indexes at the next ping', async () => {
    const { graph } = suite.settings();
    const store = suite.open({ graph });
    await store.ping();
    await suite.server.deleteGraph(graph);
    await store.saveMemories([{ memory: memory(1, { content: 'hello' }), work: [] }]);
    await store.ping();
    expect((await store.searchText({ terms: ['hello'], filter: {}, limit: 5 })).hits).toHaveLength(1);
  });

  test.each([
    [1, /^The graph has schema version 1, from before the first release/, /^Export the memory with the build/],
    [99, /^The graph has schema version 99, but this Engraph knows only up to 2/, /set FALKORDB_GRAPH/],
  ])('a graph of schema version %i is refused, and not changed', async (version, message, hint) => {
    const { graph } = suite.settings();
    const first = suite.open({ graph });
    await first.saveMemories([{ memory: memory(1), work: [] }]);
    await first.close();
    await suite.server.query(graph, 'DROP INDEX FOR (n:_Lease) ON (n.name)');
    await suite.server.query(graph, `MATCH (c:Counter {name: 'schema version'}) SET c.value = ${version}`);
    const contents = () =>
      Promise.all(
        [
          'MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties ORDER BY ID(n)',
          'CALL db.indexes() YIELD label, properties RETURN label, properties ORDER BY label',
        ].map(statement => suite.server.query(graph, statement)),
      );
    const before = await contents();
    await expect(suite.open({ graph }).ping()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
    expect(await contents()).toEqual(before);
  });
});

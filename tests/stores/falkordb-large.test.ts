/** With more memories than the store sorts or ranks at once, the answers are still exact. */
import { beforeAll, expect, test } from 'vitest';
import { type MemoryFilter, passesFilter } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';
import { tagKeys } from '../../src/domain/tags.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import type { ListOrder } from '../../src/stores/ports/search-index.js';
import { tagged } from '../contracts/graph-harness.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { memory, NOON } from '../support/records.js';

const TOTAL = 5_000;
/** One of every `STRIDE` memories passes each selective filter. */
const STRIDE = TOTAL / 10;

/**
 * Half of the memories have the same importance, and a third have the same creation time. No bound on these fields
 * separates the equal memories.
 */
function memoryAt(index: number): Memory {
  const isLeft = index % STRIDE === 3;
  return memory(index + 1, {
    content: `The common report about the weekly meeting${index % 2 === 0 ? ', again' : ''}`,
    tags: isLeft ? ['rare:one'] : ['often', index % 3 === 0 ? 'third' : 'other'],
    importance: index % 2 === 0 ? 0.5 : ((index * 7919) % 1_000) / 1_000,
    timestamp: new Date(
      isLeft ? NOON - index : index % 3 === 0 ? NOON : NOON + ((index * 104_729) % TOTAL),
    ).toISOString(),
    updated_at: new Date(NOON + (index % 7 === 0 ? 0 : (index * 31) % 900)).toISOString(),
    ...(!isLeft && { t_invalid: '2026-06-01T00:00:00.000Z' }),
  });
}

const ORDERS: Record<ListOrder, (a: Memory, b: Memory) => number> = {
  importance: (a, b) => b.importance - a.importance || ORDERS.newest(a, b),
  newest: (a, b) => compare(b.timestamp, a.timestamp) || compare(a.id, b.id),
  oldest: (a, b) => compare(a.timestamp, b.timestamp) || compare(a.id, b.id),
  updated_desc: (a, b) => compare(b.updated_at, a.updated_at) || ORDERS.newest(a, b),
  updated_asc: (a, b) => compare(a.updated_at, b.updated_at) || ORDERS.oldest(a, b),
};

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The only memory with a rare word. It fails every filter for which the test uses it. */
const lone = memory(TOTAL + 1, {
  content: 'A zebra',
  tags: ['rare:one'],
  timestamp: new Date(NOON).toISOString(),
  t_invalid: '2026-04-01T00:00:00.000Z',
});

describeFalkor('many memories in FalkorDB', { isForgetful: true }, suite => {
  const memories = Array.from({ length: TOTAL }, (_, index) => memoryAt(index));
  let store: GraphStore;
  let statements: string[] = [];

  beforeAll(async () => {
    store = suite.open({ onStatement: statement => statements.push(statement) });
    for (let start = 0; start < TOTAL; start += 500) {
      await store.saveMemories(memories.slice(start, start + 500).map(each => ({ memory: each, work: ['enrich'] })));
    }
  });

  const passing = (filter: MemoryFilter) => memories.filter(each => passesFilter(each, filter));
  const filters: [string, MemoryFilter][] = [
    ['all', {}],
    ['valid at a time', { validAtMs: NOON }],
    ['one tag', tagged('exact', 'any', 'third')],
    ['any of two tags', tagged('prefix', 'any', 'third', 'rare')],
    ['all of two tags', tagged('exact', 'all', 'third', 'often')],
    ['a window', { fromMs: NOON, toMs: NOON + 3_000 }],
    ['until an instant', { toMs: NOON + 2_000 }],
    ['until an instant that many share', { toMs: NOON }],
    ['until an instant before most memories', { toMs: NOON - 600 }],
    ['one tag until an instant', { ...tagged('exact', 'any', 'other'), toMs: NOON + 4_321 }],
    ['one tag until an instant that many share', { ...tagged('exact', 'any', 'third'), toMs: NOON }],
    ['any of two tags until an instant', { ...tagged('prefix', 'any', 'third', 'rare'), toMs: NOON - 1 }],
    ['from an instant that many share', { fromMs: NOON }],
    ['from an instant after many memories', { fromMs: NOON + 1 }],
    ['without a tag', { excludedTagKeys: ['other'] }],
    ['few', tagged('prefix', 'any', 'rare')],
    ['none', tagged('prefix', 'any', 'absent')],
  ];

  test.each(filters)('are listed correctly in every order: %s', async (_, filter) => {
    for (const order of Object.keys(ORDERS) as ListOrder[]) {
      const expected = passing(filter)
        .sort(ORDERS[order])
        .map(({ id }) => id);
      for (const limit of [1, 20, 20, 999, 1_500]) {
        expect(await store.list({ filter, order, limit }), `${order} ${limit}`).toEqual(expected.slice(0, limit));
      }
    }
  });

  test('are listed until any instant with few statements, once some of them have been listed', async () => {
    const sent = async (tag: string, toMs: number) => {
      statements = [];
      await store.list({ filter: { ...tagged('exact', 'any', tag), toMs }, order: 'newest', limit: 3 });
      return statements.length;
    };
    for (const tag of ['other', 'third']) await sent(tag, NOON + 4_000);
    for (let later = 1; later <= 5; later++) {
      expect(await sent('other', NOON + 4_000 + later)).toBeLessThanOrEqual(2);
      expect(await sent('third', NOON + 4_000 + later)).toBeLessThanOrEqual(2);
      expect(await sent('rare:one', NOON + 4_000 + later)).toBeLessThanOrEqual(2);
    }
  });

  test('have the memories nearest in time as neighbours, even if many others are near too', async () => {
    for (const index of [0, 1, 5, 3_000, 4_999]) {
      const seed = memories[index] as Memory;
      const shared = passing({ tags: { keys: tagKeys(seed.tags), mode: 'any', match: 'exact' } });
      const nearest = (sign: number) =>
        shared
          .map(each => ({ id: each.id, gap: sign * (Date.parse(each.timestamp) - Date.parse(seed.timestamp)) }))
          .filter(({ gap }) => gap > 0 && gap <= 60_000)
          .sort((a, b) => a.gap - b.gap || compare(a.id, b.id))
          .slice(0, 2)
          .map(({ id }, position) => ({ of: seed.id, id, distance: sign * (position + 1) }));
      const found = await store.neighbours({ ids: [seed.id], span: 2, maxGapMs: 60_000 });
      expect(found).toEqual([...nearest(-1), ...nearest(1)]);
    }
  });

  test('are paged by tag without gaps', async () => {
    const expected = passing(tagged('exact', 'any', 'third')).sort(ORDERS.importance);
    for (const offset of [0, 700, 990, expected.length - 5]) {
      const filter = tagged('exact', 'any', 'third');
      const page = await store.list({ filter, order: 'importance', limit: 30, offset });
      expect(page).toEqual(expected.slice(offset, offset + 30).map(({ id }) => id));
    }
  });

  test.each([
    ['a tag', tagged('prefix', 'any', 'rare')],
    ['an exact tag', tagged('exact', 'any', 'rare:one')],
    ['the exclusion of a tag', { excludedTagKeys: ['often'] }],
    ['a time window', { toMs: NOON - 1 }],
    ['valid at a time', { validAtMs: Date.parse('2027-01-01') }],
  ] as [string, MemoryFilter][])('are found by a filter that only ten of them pass: %s', async (_, filter) => {
    const expected = passing(filter).map(({ id }) => id);
    expect(expected).toHaveLength(10);
    for (const terms of [['common'], ['report', 'weekli', 'meet'], ['again', 'common']]) {
      const { hits } = await store.searchText({ terms, filter, limit: 10 });
      expect(hits.map(({ id }) => id).sort(), terms.join(' ')).toEqual([...expected].sort());
    }
  });

  test.each([
    ['all', {}],
    ['valid at a time', { validAtMs: Date.parse('2026-05-01') }],
    ['one tag', tagged('exact', 'any', 'other')],
    ['without a tag', { excludedTagKeys: ['third'] }],
    ['a window', { fromMs: NOON + 100, toMs: NOON + 4_500 }],
  ] as [string, MemoryFilter][])('are found by frequent words, the newest first: %s', async (_, filter) => {
    const newest = passing(filter).sort(ORDERS.newest);
    const again = newest.filter(({ content }) => content.includes('again'));
    const idsBy = async (limit: number, ...terms: string[]) =>
      (await store.searchText({ terms, filter, limit })).hits.map(({ id }) => id);
    for (const limit of [10, 300, 600, 1_500, 3_000]) {
      const first = (memories: Memory[]) => memories.slice(0, limit).map(({ id }) => id);
      expect(await idsBy(limit, 'common'), `common ${limit}`).toEqual(first(newest));
      expect(await idsBy(limit, 'again'), `again ${limit}`).toEqual(first(again));
      // If the rarer word finds half of the requested memories, no others are looked up.
      const others = again.length * 2 < limit ? newest.filter(each => !again.includes(each)) : [];
      expect(await idsBy(limit, 'again', 'common'), `both ${limit}`).toEqual(first([...again, ...others]));
    }
  });

  test.each([
    ['all', {}],
    ['a window', { fromMs: NOON + 100, toMs: NOON + 4_500 }],
  ] as [string, MemoryFilter][])('are found by one word without reading all its entries: %s', async (_, filter) => {
    statements = [];
    expect((await store.searchText({ terms: ['common'], filter, limit: 10 })).hits).toHaveLength(10);
    expect(statements.join()).not.toContain('db.idx.fulltext.queryNodes');
  });

  test('with the rarest word are found first, and the others after them', async () => {
    const again = passing({}).filter(({ content }) => content.includes('again'));
    const limit = 2 * again.length + 1;
    const { hits } = await store.searchText({ terms: ['again', 'common', 'report'], filter: {}, limit });
    expect(hits).toHaveLength(TOTAL);
    expect(hits.slice(0, again.length).map(({ id }) => id)).toEqual(again.sort(ORDERS.newest).map(({ id }) => id));
  });

  test.each([
    ['a tag', tagged('exact', 'any', 'other')],
    ['the exclusion of a tag', { excludedTagKeys: ['rare:one'] }],
    ['a time window', { fromMs: NOON + 1 }],
    ['a tag and a time window', { ...tagged('exact', 'any', 'other'), fromMs: NOON + 1, toMs: NOON + 4_500 }],
    ['valid at a time', { validAtMs: Date.parse('2026-05-01') }],
  ] as [string, MemoryFilter][])(
    'are found by common words if the rare word finds none of those that pass: %s',
    async (_, filter) => {
      const again = passing(filter).filter(({ content }) => content.includes('again'));
      await store.saveMemories([{ memory: lone, work: [] }]);
      statements = [];
      const terms = ['zebra', 'common', 'report', 'meet', 'again'];
      const { hits } = await store.searchText({ terms, filter, limit: 50 });
      await store.deleteMemories([lone.id]);
      expect(hits.map(({ id }) => id)).toEqual(
        again
          .sort(ORDERS.newest)
          .slice(0, 50)
          .map(({ id }) => id),
      );
      // The first ranks memories with the rare word, and the second those with any word.
      const ranked = statements.filter(statement => /queryNodes.* AS score/s.test(statement));
      expect(ranked.length).toBeLessThanOrEqual(2);
    },
  );

  test.each([
    ['of one instant', NOON, { fromMs: NOON - 100, toMs: NOON }],
    ['of many instants', NOON + 1, { fromMs: NOON + 1, toMs: NOON + TOTAL }],
  ])('that have only common words follow the one with a rare word, the newest first: %s', async (_, nowMs, filter) => {
    const rare = { ...lone, timestamp: new Date(nowMs).toISOString() };
    await store.saveMemories([{ memory: rare, work: [] }]);
    const { hits } = await store.searchText({ terms: ['zebra', 'common', 'report', 'again'], filter, limit: 20 });
    await store.deleteMemories([rare.id]);
    const again = passing(filter).filter(({ content }) => content.includes('again'));
    const newest = again.sort(ORDERS.newest).map(({ id }) => id);
    expect(hits.map(({ id }) => id)).toEqual([rare.id, ...newest.slice(0, 19)]);
  });

  test('are not searched if the filter allows no tag', async () => {
    statements = [];
    const search = { terms: ['common'], filter: tagged('exact', 'any'), limit: 10 };
    expect((await store.searchText(search)).hits).toEqual([]);
    expect(statements.join()).not.toContain('db.idx.fulltext.queryNodes');
  });

  test('are all claimed from the queue, in the order in which they were stored', async () => {
    const seen: string[] = [];
    for (;;) {
      const claims = await store.claimWork({ kind: 'enrich', limit: 500, nowMs: NOON, leaseMs: 60_000 });
      if (claims.length === 0) break;
      seen.push(...claims.map(({ memory: { id } }) => id));
    }
    expect(seen).toEqual(memories.map(({ id }) => id));
  });

  test('are read in pages, ordered by id', async () => {
    const seen: string[] = [];
    for (;;) {
      const afterId = seen.at(-1);
      const page = await store.vectorStates({ ...(afterId !== undefined && { afterId }), limit: 700 });
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
    }
    expect(seen).toEqual(memories.map(({ id }) => id));
  });

  /** Adds memories of which one was created on each day after the others, and one memory with a rare word. */
  async function withDaily(count: number, content: string, action: (daily: Memory[]) => Promise<void>) {
    const daily = Array.from({ length: count }, (_, day) =>
      memory(TOTAL + 2 + day, { content, timestamp: new Date(NOON + (day + 1) * 86_400_000).toISOString() }),
    );
    for (let start = 0; start < count; start += 500)
      await store.saveMemories(daily.slice(start, start + 500).map(each => ({ memory: each, work: [] })));
    await store.saveMemories([{ memory: lone, work: [] }]);
    await action(daily);
    await store.deleteMemories([lone, ...daily].map(({ id }) => id));
  }
  const since = { fromMs: NOON - TOTAL };

  test('are searched from the newest on, even if many more were created in a short time before', async () => {
    await withDaily(600, 'common report again meet', async daily => {
      const terms = ['zebra', 'common', 'report', 'again', 'meet'];
      const { hits } = await store.searchText({ terms, filter: since, limit: 50 });
      const newest = daily.slice(-49).reverse();
      expect(hits.map(({ id }) => id)).toEqual([lone, ...newest].map(({ id }) => id));
    });
  });

  test('are found by common words if none of the newest memories contains these words', async () => {
    await withDaily(2_500, 'something else', async () => {
      const { hits } = await store.searchText({
        terms: ['zebra', 'common', 'report', 'meet'],
        filter: since,
        limit: 50,
      });
      expect(hits).toHaveLength(50);
    });
  });
});

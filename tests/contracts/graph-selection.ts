/** GraphStore contract: the selection of memories by filters, and the order of lists. */
import { beforeEach, expect, test } from 'vitest';
import type { MemoryFilter } from '../../src/domain/filter.js';
import { idOf, memory, NOON } from '../support/records.js';
import { expectAgreement, FILTERED_MEMORIES } from './filter-agreement.js';
import { type GraphHarness, numbersOf, tagged } from './graph-harness.js';

function aliased(mode: 'any' | 'all', keys: string[], aliases: Record<string, string[]>): MemoryFilter {
  return { tags: { keys, mode, match: 'prefix', aliases } };
}

/** As many tags as a request may have. */
const HUNDRED = Array.from({ length: 100 }, (_, index) => `absent-${index}`);

export function describeFilters(graph: GraphHarness): void {
  beforeEach(() =>
    graph.saveAll(
      { tags: ['project:billing:api', 'urgent'], importance: 0.9, timestamp: '2026-01-01T00:00:00.000Z' },
      { tags: ['Project/Billing', 'later'], importance: 0.8, timestamp: '2026-02-01T00:00:00.000Z' },
      { tags: ['projects', 'urgent', 'cafe\u0301'], importance: 0.7, timestamp: '2026-03-01T00:00:00.000Z' },
      { tags: [], importance: 0.6, timestamp: '2026-04-01T00:00:00.000Z' },
    ),
  );

  const cases: [string, MemoryFilter, number[]][] = [
    ['nothing', {}, [1, 2, 3, 4]],
    ['a prefix', tagged('prefix', 'any', 'project'), [1, 2]],
    ['a prefix of two levels, other delimiter, other case', tagged('prefix', 'any', 'PROJECT/billing'), [1, 2]],
    ['a prefix, which stops at delimiters', tagged('prefix', 'any', 'pro'), []],
    ['a whole tag', tagged('exact', 'any', 'project:billing'), [2]],
    ['a tag whose accent is written in another way', tagged('prefix', 'any', 'CAFÉ'), [3]],
    ['any of several', tagged('prefix', 'any', 'urgent', 'later'), [1, 2, 3]],
    ['all of several', tagged('prefix', 'all', 'urgent', 'project'), [1]],
    ['all of several, exactly', tagged('exact', 'all', 'urgent', 'projects'), [3]],
    ['any of several tags that do not exist', tagged('exact', 'any', 'absent', 'none'), []],
    ['all of several tags, one of which does not exist', tagged('prefix', 'all', 'urgent', 'absent'), []],
    ['any of no tags', tagged('prefix', 'any'), []],
    ['all of no tags', tagged('exact', 'all'), [1, 2, 3, 4]],
    ['an alias of a tag', aliased('any', ['absent'], { absent: ['later'] }), [2]],
    ['a tag or its alias', aliased('any', ['urgent', 'absent'], { absent: ['later'] }), [1, 2, 3]],
    [
      'all of several tags, one by its alias',
      aliased('all', ['project', 'absent'], { absent: ['urgent', 'none'] }),
      [1],
    ],
    ['all of one tag, by its alias', aliased('all', ['absent'], { absent: ['urgent'] }), [1, 3]],
    [
      'all of two tags, both by their aliases',
      aliased('all', ['absent', 'none'], { absent: ['urgent'], none: ['projects', 'later'] }),
      [3],
    ],
    [
      'all of a hundred tags, each by its alias',
      aliased('all', HUNDRED, Object.fromEntries(HUNDRED.map(key => [key, ['urgent']]))),
      [1, 3],
    ],
    ['a tag and its own exclusion', { ...tagged('prefix', 'any', 'project'), excludedTagKeys: ['project'] }, []],
    ['excluded tags', { excludedTagKeys: ['urgent'] }, [2, 4]],
    ['excluded prefixes', { excludedTagKeys: ['project', 'absent'] }, [3, 4]],
    ['excluded prefixes, which stop at delimiters', { excludedTagKeys: ['pro'] }, [1, 2, 3, 4]],
    ['a window, including both ends', { fromMs: Date.parse('2026-02-01'), toMs: Date.parse('2026-03-01') }, [2, 3]],
    ['a window open to the end', { fromMs: Date.parse('2026-03-02') }, [4]],
    ['a window open to the beginning', { toMs: Date.parse('2026-01-31') }, [1]],
    ['a window of one instant', { fromMs: Date.parse('2026-02-01'), toMs: Date.parse('2026-02-01') }, [2]],
    ['a window before 1970', { toMs: -1 }, []],
    ['a window that contains no memory', { fromMs: Date.parse('2026-01-02'), toMs: Date.parse('2026-01-31') }, []],
    [
      'tags, exclusion and window at once',
      { ...tagged('prefix', 'any', 'project'), excludedTagKeys: ['later'], toMs: NOON },
      [1],
    ],
  ];
  test.each(cases)('filters select matching memories in lists and text searches: %s', async (_, filter, expected) => {
    expect(await graph.listed(filter)).toEqual(expected);
    expect((await graph.found('memory', filter)).sort()).toEqual(expected);
  });

  test('select the same memories as `passesFilter`, in lists and in text searches', async () => {
    const { store } = graph;
    await store.deleteMemories([1, 2, 3, 4].map(idOf));
    await graph.save(FILTERED_MEMORIES);
    const limit = FILTERED_MEMORIES.length;
    await expectAgreement({ runs: 100, read: filter => store.list({ filter, order: 'importance', limit }) });
    const read = async (filter: MemoryFilter) =>
      (await store.searchText({ terms: ['memori'], filter, limit })).hits.map(({ id }) => id);
    await expectAgreement({ runs: 100, read });
  });

  test('select the memories that are valid at an instant and not archived', async () => {
    await graph.save([
      memory(11, { tags: ['v'], t_valid: '2026-03-01T12:00:00.000Z' }),
      memory(12, { tags: ['v'], t_invalid: '2026-03-01T12:00:00.000Z' }),
      { ...memory(13, { tags: ['v'] }), archived: true },
      memory(14, { tags: ['v'] }),
    ]);
    const valid = (validAtMs: number) => ({ ...tagged('exact', 'any', 'v'), validAtMs });
    for (const [atMs, expected] of [
      [NOON - 1, [12, 14]],
      [NOON, [11, 14]],
    ] as const) {
      expect(await graph.listed(valid(atMs))).toEqual(expected);
      expect((await graph.found('memory', valid(atMs))).sort()).toEqual(expected);
    }
    expect(await graph.listed(tagged('exact', 'any', 'v'))).toEqual([11, 12, 13, 14]);
  });

  test('treat tags that look like a query as plain text', async () => {
    await graph.save(HOSTILE_TAGS.map((tag, index) => memory(10 + index, { tags: [tag] })));
    for (const [index, tag] of HOSTILE_TAGS.entries()) {
      expect(await graph.listed(tagged('exact', 'any', tag))).toEqual([10 + index]);
      expect(await graph.found('memory', tagged('prefix', 'any', tag))).toEqual([10 + index]);
    }
    expect(await graph.store.countMemories()).toBe(4 + HOSTILE_TAGS.length);
  });
}

/** Tags that would change a query if they were inserted as text. */
const HOSTILE_TAGS = [
  '") OR 1=1 --',
  'a" OR "b',
  "x' OR 'y",
  '}) DETACH DELETE n //',
  'back\\slash',
  '*',
  '日本',
  'two\nlines',
  '%_',
  'p0123456789abcdef',
  'x'.repeat(1000),
  Array.from({ length: 30 }, (_, level) => `level ${level}`).join(':'),
];

export function describeLists(graph: GraphHarness): void {
  test('are ordered by importance (newest first if equal), creation time, or time of the last change', async () => {
    await graph.saveAll(
      { importance: 0.5, timestamp: '2026-01-02T00:00:00.000Z' },
      { importance: 0.9, timestamp: '2026-01-01T00:00:00.000Z' },
      { importance: 0.5, timestamp: '2026-01-03T00:00:00.000Z', updated_at: '2026-01-01T12:00:00.000Z' },
    );
    expect(await graph.listed({})).toEqual([2, 3, 1]);
    expect(await graph.listed({}, 'newest')).toEqual([3, 1, 2]);
    expect(await graph.listed({}, 'oldest')).toEqual([2, 1, 3]);
    expect(await graph.listed({}, 'updated_desc')).toEqual([1, 3, 2]);
    expect(await graph.listed({}, 'updated_asc')).toEqual([2, 3, 1]);
    expect(await graph.listed({}, 'importance', 2)).toEqual([2, 3]);
  });

  test('are limited only after filtering and ordering', async () => {
    await graph.saveAll(
      ...Array.from({ length: 30 }, (_, index) => ({
        importance: index / 30,
        tags: [index % 3 === 0 ? 'third' : 'other'],
        timestamp: new Date(NOON + index * 1000).toISOString(),
      })),
    );
    const window = { fromMs: NOON + 3000, toMs: NOON + 24_000 };
    expect(await graph.listed(window, 'updated_asc', 3)).toEqual([4, 5, 6]);
    expect(await graph.listed(window, 'updated_desc', 3)).toEqual([25, 24, 23]);
    expect(await graph.listed(window, 'importance', 2)).toEqual([25, 24]);
    const thirds = { ...tagged('exact', 'any', 'third'), ...window };
    expect(await graph.listed(thirds, 'updated_asc', 2)).toEqual([4, 7]);
    expect(await graph.listed({ ...thirds, excludedTagKeys: ['other'] }, 'importance')).toEqual([
      25, 22, 19, 16, 13, 10, 7, 4,
    ]);
  });

  test('of memories that were changed at the same time are ordered by creation time', async () => {
    const updated_at = '2026-01-04T00:00:00.000Z';
    await graph.saveAll(
      ...['2026-01-02', '2026-01-01', '2026-01-03'].map(day => ({ timestamp: `${day}T00:00:00.000Z`, updated_at })),
    );
    expect(await graph.listed({}, 'updated_desc')).toEqual([3, 1, 2]);
    expect(await graph.listed({}, 'updated_desc', 1)).toEqual([3]);
    expect(await graph.listed({}, 'updated_asc')).toEqual([2, 1, 3]);
    expect(await graph.listed({}, 'updated_asc', 1)).toEqual([2]);
  });

  test('have a fixed order for equal memories', async () => {
    await graph.saveAll({}, {}, {});
    expect(await graph.listed({})).toEqual([1, 2, 3]);
    expect(await graph.listed({}, 'updated_desc')).toEqual([1, 2, 3]);
    expect(await graph.listed({}, 'updated_asc')).toEqual([1, 2, 3]);
    expect(await graph.listed({}, 'oldest')).toEqual([1, 2, 3]);
  });

  test('by tag are ordered by importance, then newest, then id, and have pages without gaps', async () => {
    await graph.saveAll(
      { tags: ['Team:Core'], importance: 0.2 },
      { tags: ['team/core'], importance: 0.9 },
      { tags: ['team:core', 'x'], importance: 0.2, timestamp: '2026-05-01T00:00:00.000Z' },
      { tags: ['team:core:deep'], importance: 1 },
      { tags: ['team:core'], importance: 0.2 },
    );
    const page = async (limit: number, offset: number) => {
      const filter = tagged('exact', 'any', 'team:core', 'x');
      const ids = await graph.store.list({ filter, order: 'importance', limit, offset });
      return numbersOf(ids);
    };
    expect(await page(10, 0)).toEqual([2, 3, 1, 5]);
    expect(await page(2, 0)).toEqual([2, 3]);
    expect(await page(2, 2)).toEqual([1, 5]);
    for (const offset of [4, 2 ** 32, Number.MAX_SAFE_INTEGER]) expect(await page(2, offset)).toEqual([]);
    expect(await graph.store.countMemories({ tagKeys: ['team:core', 'x'] })).toBe(4);
    expect(await graph.store.countMemories({ tagKeys: ['absent'] })).toBe(0);
  });

  test.each([
    [0.50001, 0.50005],
    [0.5, 0.50005],
    [0.0007, 0.00079],
    [0.3, 0.1 + 0.2],
  ])('start with a memory that is slightly more important than newer ones: %d and %d', async (less, more) => {
    const at = (day: number) => ({ timestamp: new Date(NOON + day * 86_400_000).toISOString() });
    await graph.saveAll(...Array.from({ length: 20 }, (_, day) => ({ importance: less, ...at(day) })));
    expect(await graph.listed({}, 'importance', 1)).toEqual([20]);
    await graph.save([memory(21, { importance: more, ...at(-1) }), memory(22, { importance: less, ...at(-2) })]);
    for (const limit of [1, 3]) {
      expect(await graph.listed({}, 'importance', limit)).toEqual([21, 20, 19].slice(0, limit));
    }
  });

  test('start with the most important memories after memories were added, deleted or changed', async () => {
    const tags = ['many'];
    const expected = Array.from({ length: 60 }, (_, index) => ({
      number: index + 101,
      importance: (60 - index) / 100,
    }));
    await graph.save(expected.map(({ number, importance }) => memory(number, { tags, importance })));
    const check = async (limit: number) => {
      const numbers = expected.toSorted((a, b) => b.importance - a.importance).map(({ number }) => number);
      expect(await graph.listed(tagged('exact', 'any', 'many'), 'importance', limit)).toEqual(numbers.slice(0, limit));
    };
    for (const limit of [5, 5, 8, 5]) await check(limit);
    await graph.save([memory(200, { tags, importance: 1 })]);
    expected.push({ number: 200, importance: 1 });
    await check(5);
    await graph.store.deleteMemories([101, 102, 103, 104, 200].map(idOf));
    expected.splice(0, 4);
    expected.pop();
    for (const limit of [5, 5, 1]) await check(limit);
    await graph.store.updateMemory(idOf(160), current => ({ memory: { ...current, importance: 0.99 }, work: [] }));
    Object.assign(expected.at(-1) as object, { importance: 0.99 });
    for (const limit of [5, 60]) await check(limit);
  });
}

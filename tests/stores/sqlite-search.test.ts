/** Searches of the embedded store with a filter that few memories or those of a time window pass. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type MemoryFilter, passesFilter } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';
import { inverseDocumentFrequency } from '../../src/domain/text/terms.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { idOf, memory, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const TOTAL = 1_500;
const TERMS = ['common', 'half', 'third', 'tenth'];

/** Two of three memories are stored in the order of their times, one an hour. The others are of one instant. */
function memoryAt(index: number): Memory {
  const isTimed = index % 3 > 0;
  const words = ['common', ...[2, 3, 10].flatMap((step, at) => (index % step === 0 ? (TERMS[at + 1] as string) : []))];
  return memory(index + 1, {
    content: words.join(' '),
    tags: index % 5 === 0 ? ['fifth'] : ['other'],
    timestamp: new Date(isTimed ? NOON + index * 3_600_000 : NOON - 86_400_000).toISOString(),
  });
}

describe('few memories that pass a filter are ranked by all words', () => {
  const memories = Array.from({ length: TOTAL }, (_, index) => memoryAt(index));
  const folder = temporaryFolder();
  let store: GraphStore;

  beforeAll(async () => {
    store = openSqliteStore(folder.path);
    await store.saveMemories(memories.map(each => ({ memory: each, work: [] })));
  });
  afterAll(async () => {
    await store.close();
    folder.remove();
  });

  /** Returns all memories that pass the filter and contain a term. The best come first, and of these the last stored. */
  function expected(filter: MemoryFilter, terms: readonly string[]): string[] {
    const countOf = (term: string) => memories.filter(({ content }) => content.includes(term)).length;
    const weights = new Map(terms.map(term => [term, inverseDocumentFrequency(countOf(term), TOTAL)]));
    const scoreOf = ({ content }: Memory) =>
      content.split(' ').reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
    return memories
      .filter(each => passesFilter(each, filter) && scoreOf(each) > 0)
      .map((each, row) => ({ id: each.id, score: scoreOf(each), row }))
      .sort((a, b) => b.score - a.score || b.row - a.row)
      .map(({ id }) => id);
  }

  const hoursFrom = (first: number, last: number) => ({
    fromMs: NOON + first * 3_600_000,
    toMs: NOON + last * 3_600_000,
  });
  test.each([
    ['that were stored one after the other', hoursFrom(100, 800)],
    ['of the first hours', hoursFrom(1, 600)],
    ['of the last hours', hoursFrom(900, 2_000)],
    ['that were stored far apart', { toMs: NOON - 1 }],
    [
      'that were stored one after the other and have a tag',
      { ...hoursFrom(100, 1_200), tags: { keys: ['fifth'], mode: 'any', match: 'exact' } },
    ],
    ['that were stored one after the other and lack a tag', { ...hoursFrom(100, 1_200), excludedTagKeys: ['other'] }],
    ['of one hour', hoursFrom(100, 100)],
    ['of a time without memories', hoursFrom(3_000, 3_100)],
  ] as [string, MemoryFilter][])('memories %s', async (_, filter) => {
    for (const terms of [TERMS, ['common'], ['tenth', 'half'], ['absent', 'third']]) {
      for (const limit of [1, 20, TOTAL]) {
        const { hits } = await store.searchText({ terms, filter, limit });
        expect(
          hits.map(({ id }) => id),
          `${terms} ${limit}`,
        ).toEqual(expected(filter, terms).slice(0, limit));
      }
    }
  });
});

/** Words that every memory has, except the memory `PLAIN`. */
const ALWAYS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];

/** As many candidates as a recall asks for. */
const LIMIT = 100;

describe('a window of many memories, whose words have too many entries to read', () => {
  const COUNT = 9_000;
  /** Index of the memory that contains only the word `common`. */
  const PLAIN = 4_440;
  const folder = temporaryFolder();
  let store: GraphStore;
  const hour = (index: number) => NOON + index * 3_600_000;
  const window = (first: number, last: number): MemoryFilter => ({ fromMs: hour(first), toMs: hour(last - 1) });

  beforeAll(async () => {
    store = openSqliteStore(folder.path);
    const memories = Array.from({ length: COUNT }, (_, index) => {
      const words = [
        'common',
        ...(index === PLAIN ? [] : ALWAYS),
        ...(index % 100 === 0 ? ['hundredth'] : []),
        ...(index % 7 === 0 ? ['seventh'] : []),
      ];
      const tags = [index % 2 === 0 ? 'even' : 'odd', index % 10 === 0 ? 'tenth' : 'other'];
      return memory(index + 1, { content: words.join(' '), tags, timestamp: new Date(hour(index)).toISOString() });
    });
    await store.saveMemories(memories.map(each => ({ memory: each, work: [] })));
  });
  afterAll(async () => {
    await store.close();
    folder.remove();
  });

  const search = async (terms: readonly string[], filter: MemoryFilter, limit = LIMIT) => {
    const { hits } = await store.searchText({ terms, filter, limit });
    return hits.map(({ id }) => Number(id.slice(-12)) - 1);
  };
  /** The last of the indexes below `last` that are multiples of `step`, highest first. */
  const multiples = (step: number, last: number, count = LIMIT) =>
    Array.from({ length: last }, (_, back) => last - 1 - back)
      .filter(index => index % step === 0)
      .slice(0, count);

  test.each([100, 2_900, 4_400, 8_000])('a word of all memories finds the newest of the first %i', async last => {
    expect(await search(['common'], window(0, last))).toEqual(multiples(1, last));
  });

  test.each([100, 2_900, 4_400, 8_000])('memories with a rare word precede the others of the first %i', async last => {
    const rare = multiples(100, last);
    // If the rare word finds half of the requested memories, no others are looked up.
    const others = rare.length * 2 < LIMIT ? multiples(1, last, last).filter(index => index % 100 > 0) : [];
    for (const common of [['common'], ['common', ...ALWAYS]]) {
      expect(await search(['hundredth', ...common], window(0, last))).toEqual([...rare, ...others].slice(0, LIMIT));
    }
  });

  test('rare words find all memories with one of them', async () => {
    const both = multiples(700, 4_400);
    const rare = multiples(100, 4_400).filter(index => index % 700 > 0);
    const others = multiples(7, 4_400, COUNT).filter(index => index % 700 > 0);
    const expected = [...both, ...rare, ...others];
    expect(await search(['hundredth', 'seventh'], window(0, 4_400), COUNT)).toEqual(expected);
  });

  test('the newest memories are found among many with an excluded tag', async () => {
    const filter = { ...window(0, 4_400), excludedTagKeys: ['other'] };
    const found = await search(['common', ...ALWAYS], filter);
    expect(found).toEqual(multiples(10, 4_400, found.length));
    expect(found.length).toBeGreaterThanOrEqual(LIMIT / 2);
  });

  test('a new memory is found by the most common word, although few others pass', async () => {
    const filter = { ...window(PLAIN - 400, PLAIN + 1), excludedTagKeys: ['other'] };
    const found = await search(['common', ...ALWAYS], filter);
    expect(found).toEqual([...multiples(10, PLAIN, 40), PLAIN]);
  });

  test('only memories that also have the tag are found', async () => {
    const filter: MemoryFilter = { ...window(0, 4_400), tags: { keys: ['even'], mode: 'any', match: 'exact' } };
    expect(await search(['common'], filter)).toEqual(multiples(2, 4_400));
  });

  test('only memories without the excluded tags are found', async () => {
    const without = (...keys: string[]) => ({ ...window(0, 4_400), excludedTagKeys: keys });
    const even = multiples(2, 4_400, COUNT).filter(index => index % 10 > 0);
    expect(await search(['common'], without('odd', 'tenth'))).toEqual(even.slice(0, LIMIT));
    const found = await search(['common'], without('other'));
    expect(found).toEqual(multiples(10, 4_400, found.length));
    expect(found.length).toBeGreaterThanOrEqual(LIMIT / 2);
  });
});

describe('a window with most of the memories of a large store', () => {
  test('also finds its newest memories by common words, if rare words find too few', async () => {
    const count = 31_000;
    const folder = temporaryFolder();
    const store = openSqliteStore(folder.path);
    onTestFinished(async () => {
      await store.close();
      folder.remove();
    });
    const timeOf = (index: number) => NOON + index * 1_000;
    const memories = Array.from({ length: count }, (_, index) =>
      memory(index + 1, {
        content: index % 1_000 === 0 ? 'rare common' : 'common',
        timestamp: new Date(timeOf(index)).toISOString(),
      }),
    );
    await store.saveMemories(memories.map(each => ({ memory: each, work: [] })));
    const filter: MemoryFilter = { fromMs: timeOf(0), toMs: timeOf(20_000) };
    const { hits } = await store.searchText({ terms: ['rare', 'common'], filter, limit: 50 });
    const rare = Array.from({ length: 21 }, (_, back) => idOf(20_000 - back * 1_000 + 1));
    const newest = Array.from({ length: 29 }, (_, back) => idOf(19_999 - back + 1));
    expect(hits.map(({ id }) => id)).toEqual([...rare, ...newest]);
  });
});

test('a common word is searched too if it is cheap to read and the rare words find nothing that passes', async () => {
  const folder = temporaryFolder();
  const store = openSqliteStore(folder.path);
  onTestFinished(async () => {
    await store.close();
    folder.remove();
  });
  const isHeron = (index: number) => index % 620 === 0;
  const memories = Array.from({ length: 6_200 }, (_, index) =>
    memory(index + 1, {
      content: isHeron(index) ? 'heron' : index % 3 === 0 ? 'lantern' : 'window',
      tags: isHeron(index) || index % 5 > 2 ? [] : ['team'],
    }),
  );
  await store.saveMemories(memories.map(each => ({ memory: each, work: [] })));
  const filter: MemoryFilter = { tags: { keys: ['team'], mode: 'any', match: 'exact' } };
  const idsOf = async (terms: string[]) =>
    (await store.searchText({ terms, filter, limit: 60 })).hits.map(({ id }) => id);
  expect(await idsOf(['lantern'])).toHaveLength(60);
  expect(await idsOf(['heron', 'lantern'])).toEqual(await idsOf(['lantern']));
});

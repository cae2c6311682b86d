/** Searches by words among few memories, which the embedded store ranks by all words. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MemoryFilter, passesFilter } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';
import { inverseDocumentFrequency } from '../../src/domain/term-weight.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { memory, NOON } from '../support/records.js';
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

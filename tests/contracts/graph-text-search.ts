/** GraphStore contract: finding memories by their words. */
import { expect, test } from 'vitest';
import type { MemoryFilter } from '../../src/domain/filter.js';
import { tagKeys } from '../../src/domain/tags.js';
import { inverseDocumentFrequency, queryTerms } from '../../src/domain/text/terms.js';
import { stem } from '../../src/domain/text/words.js';
import type { TermStatistics } from '../../src/stores/ports/search-index.js';
import { idOf, memory, NOON } from '../support/records.js';
import { type GraphHarness, numbersOf, tagged } from './graph-harness.js';

export function describeTextSearch(graph: GraphHarness): void {
  test('finds memories by the stems of words in content and tags, in any order', async () => {
    await graph.saveAll(
      { content: 'We decided to migrate the databases' },
      { content: 'Nothing of that', tags: ['migration:database'] },
      { content: 'Unrelated' },
    );
    expect((await graph.found('database migrations')).sort()).toEqual([1, 2]);
    expect(await graph.found('deciding')).toEqual([1]);
    expect(await graph.found('absentword')).toEqual([]);
    expect(await graph.found('unrelated absentword')).toEqual([3]);
  });

  test('finds memories by the words of metadata values, and by the new words after a change', async () => {
    await graph.saveAll(
      { content: 'First', metadata: { source: 'Granola', tools: ['Figma'] } },
      { content: 'Second', metadata: { granola: 1 } },
    );
    expect(await graph.found('granola')).toEqual([1]);
    expect(await graph.found('figma')).toEqual([1]);
    await graph.store.updateMemory(idOf(1), current => ({
      memory: { ...current, metadata: { source: 'Obsidian', tools: ['Figma'] } },
      work: [],
    }));
    expect(await graph.found('granola')).toEqual([]);
    expect(await graph.found('obsidian figma')).toEqual([1]);
  });

  test('ranks a memory with more terms of the query, or with rarer terms, first', async () => {
    await graph.saveAll(
      ...Array.from({ length: 20 }, () => ({ content: 'the usual report' })),
      { content: 'the usual zebra' },
      { content: 'the zebra report, as usual' },
    );
    expect((await graph.found('zebra report usual')).slice(0, 2)).toEqual([22, 21]);
    expect(await graph.found('zebra report usual', {}, 1)).toEqual([22]);
  });

  test('finds parts of names in code, words with accents, and words in scripts without spaces', async () => {
    await graph.saveAll(
      { content: 'call parseHttpResponse() first' },
      { content: 'Crème brûlée für Zoë' },
      { content: '昨日は東京で会議がありました' },
    );
    expect(await graph.found('http response')).toEqual([1]);
    expect(await graph.found('parsehttpresponse')).toEqual([1]);
    expect(await graph.found('creme brulee zoe')).toEqual([2]);
    expect(await graph.found('東京')).toEqual([3]);
  });

  test('finds words of many scripts, also in another case or with a special form of the last letter', async () => {
    const texts = [
      'ο λόγος του ανθρώπου',
      'ЁЛКА и ёж',
      '𞤀𞤣𞤤𞤢𞤥',
      'ᎠᎡᎢ',
      'İstanbul ışık',
      'ภาษาไทยง่าย',
      '\u{30000}\u{30001}',
      'straße',
    ];
    const queries = ['ΛΌΓΟΣ', 'елка', '𞤀𞤣𞤤𞤢𞤥', 'ᎠᎡᎢ', 'istanbul', 'ภาษา', '\u{30000}\u{30001}', 'STRAßE'];
    await graph.saveAll(...texts.map(content => ({ content })));
    for (const [index, query] of queries.entries()) expect(await graph.found(query), query).toEqual([index + 1]);
  });

  test('finds a sequence of letters that is longer than the maximum length of a word', async () => {
    await graph.saveAll({ content: 'x'.repeat(40_000) }, { content: `${'y'.repeat(40_000)}日本` });
    expect(await graph.found('x'.repeat(40_000))).toEqual([1]);
    expect(await graph.found(`${'y'.repeat(40_000)}日本`)).toEqual([2]);
  });

  test('treats the operators of query languages as plain words', async () => {
    await graph.saveAll({ content: 'NEAR the OR gate: NOT (a AND b)*' }, { content: 'content tags keys' });
    expect(await graph.found('NEAR OR NOT gate')).toEqual([1]);
    expect(await graph.found('keys')).toEqual([2]);
    expect(await graph.found('"unbalanced ( gate')).toEqual([1]);
    expect((await graph.store.searchText({ terms: ['"', "'", '', ')'], filter: {}, limit: 5 })).hits).toEqual([]);
  });

  test('returns its hits, and the number of all memories that contain each term, regardless of the filter', async () => {
    await graph.saveAll({ content: 'alpha alpha beta' }, { content: 'alpha', tags: ['beta'] }, { content: 'gamma' });
    const filter = tagged('exact', 'any', 'beta');
    const { hits, statistics } = await graph.store.searchText({ terms: ['alpha', 'beta', 'delta'], filter, limit: 1 });
    expect(hits.map(({ id }) => id)).toEqual([idOf(2)]);
    expect(statistics.memoryCount).toBe(3);
    expect(Object.fromEntries(statistics.frequencies)).toEqual({ alpha: 2, beta: 2, delta: 0 });
  });

  test('finds all memories that pass a narrow filter, even if all memories contain the query words', async () => {
    const many = Array.from({ length: 1200 }, (_, index) =>
      memory(index + 1, {
        content: 'the common phrase of all',
        tags: index % 400 === 0 ? ['rare'] : ['often'],
        timestamp: new Date(NOON + index * 1000).toISOString(),
      }),
    );
    for (let start = 0; start < many.length; start += 400) await graph.save(many.slice(start, start + 400));
    expect((await graph.found('common phrase', tagged('exact', 'any', 'rare'), 5)).sort()).toEqual(
      [1, 401, 801].sort(),
    );
    expect((await graph.found('common phrase', { fromMs: NOON + 10_000, toMs: NOON + 12_000 }, 5)).sort()).toEqual([
      11, 12, 13,
    ]);
  });

  test('returns the memories with the greatest weight of words, however common the words are', async () => {
    await saveNumbered(graph);
    const queries = [
      'ninety five',
      'hundred ninety',
      'five seven nine',
      'ninety hundred five seven nine eleven',
      'begin finish seven eleven',
      'five',
    ];
    const filters: [MemoryFilter, (number: number) => boolean][] = [
      [{}, () => true],
      [tagged('exact', 'any', 'some'), isTagged],
      [{ excludedTagKeys: tagKeys(['some']) }, number => !isTagged(number)],
      [{ validAtMs: NOON, fromMs: 0 }, () => true],
    ];
    for (const [filter, isPassing] of filters) {
      for (const query of queries) {
        const terms = queryTerms(query);
        for (const limit of [5, 60, 400]) {
          const { hits, statistics } = await graph.store.searchText({ terms, filter, limit });
          const weightOf = (number: number) => weightOfWords(wordsOf(number), query.split(' '), statistics);
          const weights = NUMBERS.filter(isPassing).map(weightOf);
          const best = weights.filter(weight => weight > 0).sort((a, b) => b - a);
          const found = numbersOf(hits.map(({ id }) => id));
          expect(found.map(weightOf), `${query}, ${limit}`).toEqual(best.slice(0, limit));
          expect(new Set(found).size).toBe(found.length);
        }
      }
    }
  });

  test('a search without terms finds nothing and returns no term frequencies', async () => {
    await graph.saveAll({});
    const { hits, statistics } = await graph.store.searchText({ terms: [], filter: {}, limit: 5 });
    expect([hits, statistics.memoryCount, statistics.frequencies.size]).toEqual([[], 1, 0]);
  });

  test('no longer counts the former words of changed and deleted memories', async () => {
    await graph.saveAll({ content: 'alpha beta' }, { content: 'beta' });
    await graph.store.updateMemory(idOf(1), () => ({ memory: memory(1, { content: 'gamma' }), work: [] }));
    await graph.store.deleteMemories([idOf(2)]);
    const terms = ['alpha', 'beta', 'gamma'];
    const { statistics } = await graph.store.searchText({ terms, filter: {}, limit: 5 });
    expect(statistics.memoryCount).toBe(1);
    expect(Object.fromEntries(statistics.frequencies)).toEqual({ alpha: 0, beta: 0, gamma: 1 });
  });

  test('counts the memories in which each term occurs, in content or tags, without a search', async () => {
    await graph.saveAll(
      { content: 'alpha beta beta' },
      { content: 'Alpha', tags: ['beta:gamma'] },
      { content: 'none' },
    );
    const { memoryCount, frequencies } = (
      await graph.store.searchText({ terms: ['alpha', 'beta', 'gamma', 'absent'], filter: {}, limit: 0 })
    ).statistics;
    expect(memoryCount).toBe(3);
    expect(['alpha', 'beta', 'gamma', 'absent'].map(term => frequencies.get(term) ?? 0)).toEqual([2, 2, 1, 0]);
    expect((await graph.store.searchText({ terms: [], filter: {}, limit: 0 })).statistics.memoryCount).toBe(3);
  });
}

const isMultipleOf = (divisor: number) => (number: number) => number % divisor === 0;
/** Tells for each word which of the numbered memories contain it. */
const CONTAINS: Record<string, (number: number) => boolean> = {
  five: isMultipleOf(5),
  seven: isMultipleOf(7),
  nine: isMultipleOf(9),
  eleven: isMultipleOf(11),
  ninety: isMultipleOf(90),
  hundred: isMultipleOf(100),
  // The rarest word occurs only in memories with the tag.
  begin: number => number <= 5,
  // No memory has this rare word together with "seven" or "eleven", so a search must also read these frequent words.
  finish: number => number > 2_285 && number % 7 > 0 && number % 11 > 0,
};
const isTagged = (number: number) => number <= 50 || number % 3 === 0;
const NUMBERS = Array.from({ length: 2_400 }, (_, index) => index + 1);

function wordsOf(number: number): string[] {
  return Object.entries(CONTAINS).flatMap(([word, contains]) => (contains(number) ? [word] : []));
}

async function saveNumbered(graph: GraphHarness): Promise<void> {
  for (let start = 0; start < NUMBERS.length; start += 400) {
    await graph.save(
      NUMBERS.slice(start, start + 400).map(number =>
        memory(number, { content: `note ${wordsOf(number).join(' ')}`, tags: isTagged(number) ? ['some'] : [] }),
      ),
    );
  }
}

/** Returns the sum of the idf of the sought words. It is rounded, because stores add in different orders. */
function weightOfWords(words: readonly string[], sought: readonly string[], statistics: TermStatistics): number {
  const { memoryCount, frequencies } = statistics;
  const found = words.filter(word => sought.includes(word));
  const weights = found.map(word => inverseDocumentFrequency(frequencies.get(stem(word)) ?? 0, memoryCount));
  return Number(weights.reduce((sum, weight) => sum + weight, 0).toFixed(6));
}

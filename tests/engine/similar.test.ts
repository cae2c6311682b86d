/** The memories that are reported as similar to a memory that was just stored. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNewMemory } from '../../src/api/requests/memory.js';
import type { Engine } from '../../src/engine/engine.js';
import { type GoldenEngine, openGoldenEngine } from '../golden/golden-engine.js';
import { goldenName } from '../golden/memories.js';
import { openForTest } from './open-engine.js';
import { DIFFERENT, NEARLY_THE_SAME, type Pair } from './similar-pairs.js';

/** Stores both memories and removes them again. Returns whether the older is reported as similar to the newer. */
async function areSimilar(engine: Engine, [older, newer]: Pair): Promise<boolean> {
  const store = async (content: string) => (await engine.store(readNewMemory({ content }, engine.limits))).memory;
  const first = await store(older);
  const second = await store(newer);
  const similar = await engine.similarTo(second, []);
  for (const { id } of [first, second]) await engine.remove(id);
  return similar.some(({ memory }) => memory.id === first.id);
}

async function pairsNotTaken(engine: Engine, pairs: readonly Pair[], expected: boolean): Promise<Pair[]> {
  const wrong: Pair[] = [];
  for (const pair of pairs) if ((await areSimilar(engine, pair)) !== expected) wrong.push(pair);
  return wrong;
}

describe('similar memories: paraphrases are found, and different facts in the same words are not', () => {
  test('when no other memories are stored', async () => {
    const { engine } = await openForTest();
    expect(await pairsNotTaken(engine, NEARLY_THE_SAME, true)).toEqual([]);
    expect(await pairsNotTaken(engine, DIFFERENT, false)).toEqual([]);
  });

  describe('among the golden memories', () => {
    let golden: GoldenEngine;
    beforeAll(async () => {
      golden = await openGoldenEngine();
    });
    afterAll(() => golden.close());

    test('when a pair is stored beside the golden memories', async () => {
      expect(await pairsNotTaken(golden.engine, NEARLY_THE_SAME, true)).toEqual([]);
      expect(await pairsNotTaken(golden.engine, DIFFERENT, false)).toEqual([]);
    });

    test('only a duplicate and its original are similar to each other', async () => {
      const { results } = await golden.ask({ limit: '100', state_mode: 'history' });
      const found: string[] = [];
      for (const { memory } of results) {
        for (const { memory: other } of await golden.engine.similarTo(memory, [])) {
          found.push(`${goldenName(memory.id)} ${goldenName(other.id)}`);
        }
      }
      expect(found.sort()).toEqual(['rate-limit rate-limit-copy', 'rate-limit-copy rate-limit']);
    });
  });
});

const TEA = 'Ann likes tea with honey in the morning.';
const AGAIN = 'In the morning Ann likes tea with honey.';

describe('a similar memory', () => {
  test('is reported with its similarity, most similar first', async () => {
    const { engine, store, add } = await openForTest();
    const looser = await add({ content: 'In the morning Ann likes green tea with honey.' });
    const same = await add({ content: TEA });
    const similar = await engine.similarTo((await store({ content: AGAIN })).memory, []);
    expect(similar.map(({ memory }) => memory.id)).toEqual([same, looser]);
    expect(similar[0]?.similarity).toBe(1);
    expect(similar[1]?.similarity).toBeGreaterThan(0.62);
    expect(similar[1]?.similarity).toBeLessThan(1);
  });

  test('is found among many memories that contain the same text and much more', async () => {
    const { engine, store, storeMany, add } = await openForTest();
    const more = (index: number) =>
      `${TEA} Story ${index} goes on with eggs, toast, jam, plums and the news of ${index}.`;
    const id = await add({ content: TEA });
    await storeMany(Array.from({ length: 30 }, (_, index) => ({ content: more(index) })));
    const similar = await engine.similarTo((await store({ content: AGAIN })).memory, []);
    expect(similar.map(({ memory }) => memory.id)).toEqual([id]);
  });

  test('is reported only if it is currently valid', async () => {
    const { engine, store, add } = await openForTest();
    await add({ content: TEA, t_invalid: '2026-02-01T00:00:00Z' });
    await add({ content: TEA, t_valid: '2027-02-01T00:00:00Z' });
    const replaced = await add({ content: TEA });
    const successor = await add({ content: 'Ann only drinks water.' });
    const ends = { memory1_id: replaced, memory2_id: successor };
    await engine.associate({ ...ends, type: 'EVOLVED_INTO', strength: 0.9, properties: {} });
    expect(await engine.similarTo((await store({ content: AGAIN })).memory, [])).toEqual([]);
  });

  test('is not reported when the caller excludes it', async () => {
    const { engine, store, add } = await openForTest();
    const id = await add({ content: TEA });
    expect(await engine.similarTo((await store({ content: AGAIN })).memory, [id])).toEqual([]);
  });

  test('is found among many memories that differ only in a number and are not similar to each other', async () => {
    const { engine, store, storeMany, add } = await openForTest();
    await storeMany(Array.from({ length: 400 }, (_, index) => ({ content: `Fact number ${index} of the long list.` })));
    const id = await add({ content: TEA });
    const { memory } = await store({ content: 'Fact number 401 of the long list.' });
    expect(await engine.similarTo(memory, [])).toEqual([]);
    const similar = await engine.similarTo((await store({ content: AGAIN })).memory, []);
    expect(similar.map(each => each.memory.id)).toEqual([id]);
  });

  test.each([
    ['nothing but signs', '!!! ??? …'],
    ['one word, however long', 'x'.repeat(50_000)],
    ['many words', Array.from({ length: 8_000 }, (_, index) => `w${index}`).join(' ')],
    ['a script without spaces', '昨日は東京で会議がありました'],
  ])('is found for a repeated text with words, and not for a repeated text without words: %s', async (_, content) => {
    const { engine, store } = await openForTest();
    const first = (await store({ content })).memory;
    const similar = await engine.similarTo((await store({ content })).memory, []);
    expect(similar.every(({ memory }) => memory.id === first.id)).toBe(true);
    expect(similar).toHaveLength(content.startsWith('!') ? 0 : 1);
  });
});

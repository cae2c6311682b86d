/** In a large store, consolidation searches only a sample of the memories for links, but groups all memories. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planCluster } from '../../src/consolidation/tasks/cluster.js';
import { planCreative } from '../../src/consolidation/tasks/creative.js';
import { createMemory } from '../../src/domain/memory.js';
import { createHashEmbedder } from '../../src/embedding/hash.js';
import { linksIn, summariesIn } from './measure.js';
import { openPlantedStores, type PlantedStores, seededRandom } from './planted-stores.js';

const MEMORIES = 2_200;
const PER_TOPIC = 22;
const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ru',
  'ten',
  'sha',
  'po',
  'vi',
  'gor',
  'ba',
  'ne',
  'du',
  'zi',
  'fer',
  'hal',
  'quo',
];

const random = seededRandom(11);
const wordOf = () => Array.from({ length: 3 }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
const COMMON = Array.from({ length: 400 }, wordOf);
const TOPICS = Array.from({ length: MEMORIES / PER_TOPIC }, () => Array.from({ length: 12 }, wordOf));
const pick = (from: readonly string[], count: number) =>
  Array.from({ length: count }, () => from[Math.floor(random() * from.length)] ?? '');

let stores: PlantedStores;
const topicOf = new Map<string, number>();

beforeAll(async () => {
  stores = await openPlantedStores([]);
  const embedder = createHashEmbedder(1024);
  const memories = Array.from({ length: MEMORIES }, (_, index) => {
    const topic = index % TOPICS.length;
    const id = `${String(Math.floor(random() * 1e8)).padStart(8, '0')}-0000-4000-8000-${String(index).padStart(12, '0')}`;
    topicOf.set(id, topic);
    const content = [...pick(TOPICS[topic] ?? [], 5), ...pick(COMMON, 6)].join(' ');
    return { ...createMemory({ content, metadata: {} }, id, 1.75e12 + index * 1e6), embedded_by: embedder.model };
  });
  const vectors = await embedder.embed(
    memories.map(({ content }) => content),
    'document',
  );
  await stores.graph.saveMemories(
    memories.map((memory, index) => ({ memory, vector: vectors[index] as Float32Array, work: [] })),
  );
}, 60_000);
afterAll(() => stores.close());

test('equal random numbers give equal links, and a run creates at most a hundred links', async () => {
  const planned = async (seed: number) =>
    linksIn((await stores.plan(planCreative, { random: seededRandom(seed) })).changes).map(({ relation }) => relation);
  const first = await planned(3);
  expect(first.length).toBeGreaterThan(20);
  expect(first.length).toBeLessThanOrEqual(100);
  expect(await planned(3)).toEqual(first);
  expect(await planned(4)).not.toEqual(first);
}, 60_000);

test('the memories of a hundred topics form about a hundred groups, one for each topic', async () => {
  let pages = 0;
  const { changes, count } = await stores.plan(planCluster, {
    onPage: async () => {
      pages += 1;
    },
  });
  const summaries = summariesIn(changes);
  expect(count).toBe(summaries.length);
  expect(Math.abs(summaries.length - TOPICS.length)).toBeLessThan(TOPICS.length * 0.1);
  const inMostCommon = summaries.map(({ memberIds }) => {
    const counts = new Map<number, number>();
    for (const id of memberIds) counts.set(topicOf.get(id) ?? -1, (counts.get(topicOf.get(id) ?? -1) ?? 0) + 1);
    return Math.max(...counts.values());
  });
  expect(inMostCommon.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(MEMORIES * 0.9);
  expect(pages).toBeGreaterThan(MEMORIES / 100);
}, 60_000);

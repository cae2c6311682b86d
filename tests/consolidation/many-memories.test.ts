/** Groups all memories in one run, and measures how many bytes the run needs for each memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import type { PlanContext } from '../../src/consolidation/planner.js';
import { planCluster } from '../../src/consolidation/tasks/cluster.js';
import { createMemory, type Memory } from '../../src/domain/memory.js';
import { dotProduct, unitVector } from '../../src/domain/vectors.js';
import { BY_WORDS } from '../support/judges.js';
import { seededRandom } from './planted-stores.js';

const MODEL = 'generated';
const PER_TOPIC = 24;
const DIMENSIONS = 16;
/**
 * Maximum number of bytes for each additional memory. About half of these bytes are for ids, traits, neighbours, pairs
 * and groups. With lists and maps of objects, a run needed 3,000 bytes and more.
 */
const BYTES_MAX = 2_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function liveBytes(): number {
  // Collects twice, because buffers outside the heap are freed only by the second collection.
  for (let turn = 0; turn < 2; turn++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const wordOf = (random: () => number, choice: number) => `w${Math.floor(random() * choice).toString(36)}x`;

/**
 * Returns a memory with words of its topic and words of its own. Its content is too long to be compared as a statement.
 */
function memoryAt(index: number): Memory {
  const random = seededRandom(index + 1);
  const topic = Math.floor(index / PER_TOPIC);
  const own = Array.from({ length: 30 }, () => wordOf(random, 4_000));
  const shared = Array.from({ length: 30 }, (_, place) => `t${topic}y${(place + (index % 3)).toString(36)}`);
  const content = [...own, ...shared].join(' ');
  return { ...createMemory({ content, metadata: {} }, idAt(index), 1.75e12 + index * 1e6), embedded_by: MODEL };
}

const idAt = (index: number) => `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`;
const indexOf = (id: string) => Number(id.slice(0, 8));

function vectorAt(index: number): Float32Array {
  const [ofTopic, own] = [seededRandom(Math.floor(index / PER_TOPIC) + 77), seededRandom(index + 99)];
  return unitVector(Float32Array.from({ length: DIMENSIONS }, () => ofTopic() - 0.5 + (own() - 0.5) * 0.9));
}

/** Returns stores that generate their data for each request, so that all memory in use belongs to the run. */
function generatedStores(size: number): Pick<PlanContext, 'graph' | 'vectors'> {
  const inTopicOf = (index: number) => {
    const first = index - (index % PER_TOPIC);
    return Array.from({ length: Math.min(PER_TOPIC, size - first) }, (_, offset) => first + offset);
  };
  const ownerOf = new WeakMap<Float32Array, number>();
  const read = (index: number) => {
    const vector = vectorAt(index);
    ownerOf.set(vector, index);
    return vector;
  };
  return {
    graph: {
      readRecords: async ({ afterId, limit }) => {
        const first = afterId === undefined ? 0 : indexOf(afterId) + 1;
        const count = Math.min(limit, size - first);
        return Array.from({ length: count }, (_, offset) => ({ memory: memoryAt(first + offset), work: [] }));
      },
      getMemories: async ids => new Map(ids.map(id => [id, memoryAt(indexOf(id))])),
      countMemories: async () => size,
      searchText: async () => ({ hits: [], statistics: { memoryCount: size, frequencies: new Map() } }),
      relationsOf: async () => new Map(),
      countRelations: async () => new Map(),
      readNodes: async () => [],
      getNode: async () => undefined,
    },
    vectors: {
      vectorsOf: async ids => new Map(ids.map(id => [id, read(indexOf(id))])),
      search: async ({ vector, limit }) => {
        const nearest = inTopicOf(ownerOf.get(vector) ?? 0).map(index => {
          return { id: idAt(index), similarity: dotProduct(vector, vectorAt(index)) };
        });
        return nearest.sort((a, b) => b.similarity - a.similarity).slice(0, limit);
      },
    },
  };
}

/** Number of pages between two measurements. Each measurement collects all garbage, which takes long. */
const PAGES_PER_LOOK = 250;

async function mostKept(size: number): Promise<{ bytes: number; groups: number }> {
  const before = liveBytes();
  let [bytes, pages, groups] = [0, 0, 0];
  const context: PlanContext = {
    ...generatedStores(size),
    models: [MODEL],
    judge: BY_WORDS,
    settings: loadConfig({}).consolidation,
    nowMs: 1.76e12,
    runId: 'run-1',
    random: seededRandom(7),
    wordGroup: undefined,
    onPage: async () => {
      pages += 1;
      if (pages % PAGES_PER_LOOK === 0) bytes = Math.max(bytes, liveBytes() - before);
    },
  };
  for await (const { count } of planCluster(context)) groups += count;
  return { bytes, groups };
}

test('a run needs few bytes for each additional memory', async () => {
  // The first run also loads and compiles code. The bytes for this code must not count.
  await mostKept(400);
  const few = await mostKept(400);
  const many = await mostKept(2_400);
  expect(many.groups).toBeGreaterThan(few.groups * 2);
  expect((many.bytes - few.bytes) / 2_000).toBeLessThan(BYTES_MAX);
}, 60_000);

/** Enrichment writes several memories of a batch at the same time, unless one depends on the write of another. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import type { Memory, NewMemory } from '../../src/domain/memory.js';
import { type Classification, createClassifier } from '../../src/enrichment/classify/classifier.js';
import { enrichMemories } from '../../src/enrichment/enrich-memories.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import type { VectorStore } from '../../src/stores/vector-store.js';
import { numbersOf } from '../contracts/graph-harness.js';
import { BY_WORDS } from '../support/judges.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, memory, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createGate, letWorkRun } from '../support/turns.js';
import { numbers } from './test-worker.js';

const MODEL = 'm';
/** Enriching and writing several memories takes fewer turns of the event loop. */
const MANY_TURNS = 500;

interface Enriched {
  graph: GraphStore;
  outcome: PromiseSettledResult<void>;
  /** Numbers of the memories whose writes were reported as done. */
  written: number[];
  /** Maximum number of writes that were in progress at the same time. */
  writesAtOnce: number;
  /** Number of writes that were still in progress when `enrichMemories` ended. */
  writesLeft: number;
  /** Number of writes that were begun. */
  writes: number;
}

interface Given {
  memories: readonly Memory[];
  /** Number of the write that fails. */
  failingWrite?: number;
  /** Number of turns of the event loop that a write takes, as on a server. */
  turnsOfWrite?: number;
  classify?: () => Promise<Classification>;
  vectors?: Partial<VectorStore>;
  /** Called with the number of each write that has been done. */
  onWrite?: (write: number) => void;
}

/** Enriches memories in one batch. */
async function enrich({
  memories,
  failingWrite,
  turnsOfWrite,
  classify,
  vectors = {},
  onWrite,
}: Given): Promise<Enriched> {
  const folder = temporaryFolder();
  const graph = openSqliteStore(folder.path);
  onTestFinished(async () => {
    await graph.close();
    folder.remove();
  });
  await graph.saveMemories(memories.map(each => ({ memory: each, work: ['enrich'] })));
  const claims = await graph.claimWork({ kind: 'enrich', limit: memories.length, nowMs: NOON, leaseMs: 60_000 });
  let [writes, underWay, writesAtOnce] = [0, 0, 0];
  const completeWork: GraphStore['completeWork'] = async (token, outcome) => {
    const write = ++writes;
    underWay += 1;
    writesAtOnce = Math.max(writesAtOnce, underWay);
    await letWorkRun(turnsOfWrite);
    underWay -= 1;
    if (write === failingWrite) throw new Error('the write failed');
    const isDone = await graph.completeWork(token, outcome);
    onWrite?.(write);
    return isDone;
  };
  const parts = {
    graph: new Proxy(graph, {
      get: (target, name) => (name === 'completeWork' ? completeWork : Reflect.get(target, name)),
    }),
    vectors: vectors as VectorStore,
    model: MODEL,
    judge: BY_WORDS,
    classifier: createClassifier({ ...(classify && { model: { classify } }), onFailure: () => {} }),
    clock: createManualClock(),
    settings: loadConfig({}).enrichment,
    afterRequests: () => letWorkRun(5),
  };
  const tokens: string[] = [];
  const [outcome] = await Promise.allSettled([enrichMemories(parts, claims, token => tokens.push(token))]);
  const written = numbersOf(tokens.map(token => claims.find(claim => claim.token === token)?.memory.id ?? ''));
  return { graph, outcome, written, writesAtOnce, writesLeft: underWay, writes };
}

const many = (count: number, make: (number: number) => Memory) =>
  Array.from({ length: count }, (_, index) => make(index + 1));

/** A memory that joins no pattern, because no other memory has its tag. */
const unrelated = (number: number, overrides: Partial<NewMemory> = {}) =>
  memory(number, { content: `note ${number}`, type: 'Habit', confidence: 0.9, tags: [`t${number}`], ...overrides });

test('memories without a pattern are written four at a time, and all are done', async () => {
  const { graph, outcome, written, writesAtOnce } = await enrich({ memories: many(12, unrelated) });
  expect(outcome.status).toBe('fulfilled');
  expect(written).toHaveLength(12);
  expect(writesAtOnce).toBe(4);
  expect(await graph.workCounts('enrich')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
});

test.each<[string, Pick<Given, 'classify'>, Partial<NewMemory>]>([
  ['had been enriched before', {}, { metadata: { enriched_at: '2026-01-01T00:00:00.000Z' } }],
  ['gets new tags from its content', {}, { content: 'Anna Kowalski leads the payments team.' }],
  [
    'gets another type from the language model',
    { classify: async () => ({ type: 'Habit', confidence: 0.9 }) },
    { type: 'Context', confidence: 0.3 },
  ],
])('the next memory waits for the write of one that %s', async (_, given, overrides) => {
  const memories = many(6, number => unrelated(number, overrides));
  expect(await enrich({ ...given, memories })).toMatchObject({ writesAtOnce: 1, writes: 6 });
});

test('a pattern counts every member, even if a batch adds more memories than enrichment reads for a theme', async () => {
  const habit = (number: number) =>
    unrelated(number, { content: `runs before breakfast ${number}`, tags: ['running'] });
  const { graph, writesAtOnce } = await enrich({ memories: many(40, habit) });
  const [pattern] = await graph.listNodes('Pattern', 10);
  expect(pattern?.properties).toMatchObject({ theme: 'running', observations: 40 });
  expect(writesAtOnce).toBe(1);
});

test.each([1, 3, 40])('a failing write of %d turns fails the batch once all begun writes have ended', async turns => {
  const { outcome, written, writes, writesLeft } = await enrich({
    memories: many(20, unrelated),
    failingWrite: 2,
    turnsOfWrite: turns,
  });
  expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the write failed' } });
  expect(writesLeft).toBe(0);
  expect(written).toHaveLength(writes - 1);
  // The writes that had not begun before the failure are not sent.
  expect(writes).toBeLessThan(10);
});

test('the language model is not asked if the vectors cannot be read', async () => {
  let calls = 0;
  const { outcome } = await enrich({
    memories: many(3, number => ({ ...unrelated(number, { type: 'Context', confidence: 0.3 }), embedded_by: MODEL })),
    vectors: { vectorsOf: () => Promise.reject(new Error('the vectors are away')) },
    classify: async () => {
      calls += 1;
      return { type: 'Habit', confidence: 0.9 };
    },
  });
  expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the vectors are away' } });
  expect(calls).toBe(0);
});

describe('the searches for similar memories', () => {
  const embedded = many(20, number => ({ ...unrelated(number), embedded_by: MODEL }));
  const vectorsOf: VectorStore['vectorsOf'] = async ids => new Map(ids.map(id => [id, Float32Array.of(1)]));
  const nothing: VectorStore['searchEach'] = async searches => searches.map(() => []);

  test('go on while the edges of the first memories are written', async () => {
    const allWritten = createGate();
    let searches = 0;
    const { written, writes } = await enrich({
      memories: embedded,
      vectors: {
        vectorsOf,
        searchEach: async group => {
          searches += 1;
          if (searches === 2) await allWritten.pass();
          return nothing(group);
        },
      },
      onWrite: write => {
        if (write === 10) allWritten.open();
      },
    });
    expect(written).toHaveLength(20);
    expect([searches, writes]).toEqual([2, 20]);
  });

  test('have ended when the batch ends, even if a write fails, and no other search begins', async () => {
    let [underWay, searches] = [0, 0];
    const { outcome } = await enrich({
      memories: many(60, number => ({ ...unrelated(number), embedded_by: MODEL })),
      vectors: {
        vectorsOf,
        searchEach: async group => {
          searches += 1;
          underWay += 1;
          await letWorkRun(MANY_TURNS);
          underWay -= 1;
          return nothing(group);
        },
      },
      failingWrite: 1,
    });
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the write failed' } });
    expect([underWay, searches]).toEqual([0, 2]);
  });

  test('keep the writes that are done when a later search fails', async () => {
    let searches = 0;
    const { outcome, written, writesLeft } = await enrich({
      memories: embedded,
      turnsOfWrite: 3,
      vectors: {
        vectorsOf,
        searchEach: async group => {
          searches += 1;
          if (searches === 2) throw new Error('the search failed');
          return nothing(group);
        },
      },
    });
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the search failed' } });
    expect([written, writesLeft]).toEqual([numbers(10), 0]);
  });

  test.each([
    ['continue during the writes if no memory needs the language model', {}, 10],
    ['end before the language model is asked about a memory', { type: 'Context', confidence: 0.3 }, 0],
  ] as const)('%s', async (_, overrides, writesBefore) => {
    const allWritten = createGate();
    let [searches, calls] = [0, 0];
    const { outcome, written } = await enrich({
      memories: embedded.map((each, index) => (index === 19 ? { ...each, ...overrides } : each)),
      classify: async () => {
        calls += 1;
        return { type: 'Habit', confidence: 0.9 };
      },
      vectors: {
        vectorsOf,
        searchEach: async group => {
          searches += 1;
          if (searches === 1) return nothing(group);
          if (writesBefore > 0) await allWritten.pass();
          else await letWorkRun(MANY_TURNS);
          throw new Error('the search failed');
        },
      },
      onWrite: write => {
        if (write === writesBefore) allWritten.open();
      },
    });
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the search failed' } });
    expect([written.length, calls]).toEqual([writesBefore, 0]);
  });

  test('fail the batch when one of them fails, and no further search begins', async () => {
    let searches = 0;
    const { outcome } = await enrich({
      memories: embedded,
      vectors: {
        vectorsOf,
        searchEach: () => {
          searches += 1;
          return Promise.reject(new Error('the search failed'));
        },
      },
    });
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the search failed' } });
    expect(searches).toBe(1);
  });

  test.each<[string, (number: number) => boolean]>([
    ['if all have a vector', () => true],
    ['if some have no vector', number => number % 3 !== 0 && number < 10],
  ])('give each memory its own edges %s', async (_, hasVector) => {
    const memories = many(20, number => (hasVector(number) ? embedded[number - 1] : undefined) ?? unrelated(number));
    const next = (id: string) => embedded[(embedded.findIndex(each => each.id === id) + 1) % embedded.length]?.id ?? '';
    const { graph } = await enrich({
      memories,
      vectors: {
        vectorsOf: async ids => new Map(ids.map(id => [id, Float32Array.of(Number.parseInt(id.slice(-4), 10))])),
        searchEach: async searches =>
          searches.map(({ vector }) => [{ id: next(idOf(vector[0] ?? 0)), similarity: 0.99 }]),
      },
    });
    const edges = await graph.relationsOf({ ids: embedded.map(({ id }) => id), limit: 5, isOutgoingOnly: true });
    const similarTo = (id: string) =>
      (edges.get(id) ?? []).flatMap(({ type, to }) => (type === 'SIMILAR_TO' ? [to] : []));
    for (const { id, embedded_by } of memories) expect(similarTo(id), id).toEqual(embedded_by ? [next(id)] : []);
  });
});

/** Enrichment writes several memories of a batch at the same time, unless one depends on the write of another. */
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import type { Memory } from '../../src/domain/memory.js';
import { createClassifier } from '../../src/enrichment/classify/classifier.js';
import { enrichMemories } from '../../src/enrichment/enrich-memories.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { createManualClock } from '../support/manual-clock.js';
import { memory, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { letWorkRun } from '../support/turns.js';

interface Enriched {
  graph: GraphStore;
  outcome: PromiseSettledResult<string[]>;
  /** Maximum number of writes that were in progress at the same time. */
  writesAtOnce: number;
  /** Number of writes that were still in progress when `enrichMemories` ended. */
  writesLeft: number;
}

/** Enriches memories in one batch. Each write takes several turns of the event loop, as on a server. */
async function enrich(memories: readonly Memory[], failingWrite?: number): Promise<Enriched> {
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
    await letWorkRun();
    underWay -= 1;
    if (write === failingWrite) throw new Error('the write failed');
    return graph.completeWork(token, outcome);
  };
  const parts = {
    graph: new Proxy(graph, {
      get: (target, name) => (name === 'completeWork' ? completeWork : Reflect.get(target, name)),
    }),
    vectors: {} as never,
    model: 'none',
    classifier: createClassifier(undefined, () => {}),
    clock: createManualClock(),
    settings: loadConfig({}).enrichment,
    yieldToForeground: async () => {},
  };
  const [outcome] = await Promise.allSettled([enrichMemories(parts, claims)]);
  return { graph, outcome, writesAtOnce, writesLeft: underWay };
}

const unrelated = (number: number) =>
  memory(number, { content: `note ${number}`, type: 'Context', tags: [`t${number}`] });

test('memories without a pattern are written four at a time, and all are done', async () => {
  const { graph, outcome, writesAtOnce } = await enrich(Array.from({ length: 12 }, (_, index) => unrelated(index + 1)));
  expect(outcome).toMatchObject({ status: 'fulfilled', value: { length: 12 } });
  expect(writesAtOnce).toBe(4);
  expect(await graph.workCounts('enrich')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
});

test('a pattern counts every member, even if a batch adds more memories than enrichment reads for a theme', async () => {
  const habit = (number: number) =>
    memory(number, { content: `runs before breakfast ${number}`, type: 'Habit', tags: ['running'], confidence: 0.9 });
  const { graph, writesAtOnce } = await enrich(Array.from({ length: 40 }, (_, index) => habit(index + 1)));
  const [pattern] = await graph.listNodes('Pattern', 10);
  expect(pattern?.properties).toMatchObject({ theme: 'running', observations: 40 });
  expect(writesAtOnce).toBe(1);
});

test('a failing write fails the batch only after the other writes have ended', async () => {
  const { outcome, writesLeft } = await enrich(
    Array.from({ length: 8 }, (_, index) => unrelated(index + 1)),
    2,
  );
  expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the write failed' } });
  expect(writesLeft).toBe(0);
});

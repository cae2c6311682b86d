/** Opens an engine for one test and calls it as the adapters do, through the parsers of requests. */
import { onTestFinished } from 'vitest';
import { readMemoryBatch, readMemoryPatch, readNewMemory } from '../../src/api/memory-requests.js';
import { readRecall } from '../../src/api/recall-request.js';
import type { Config } from '../../src/config.js';
import type { RecallOutcome } from '../../src/domain/recall.js';
import type { Engine } from '../../src/engine/engine.js';
import { openTestEngine, type TestEngine } from '../support/test-engine.js';

export const NOON_ISO = '2026-03-01T12:00:00.000Z';
export const DIMENSIONS = 64;

/** A distinct unit vector for each number below 64. */
export function axis(number: number): number[] {
  return Array.from({ length: DIMENSIONS }, (_, index) => (index === number ? 1 : 0));
}

export interface TalkingEngine extends TestEngine {
  /** Stores one memory and returns its id. */
  add(fields: Record<string, unknown>): Promise<string>;
  store(fields: Record<string, unknown>): ReturnType<Engine['store']>;
  storeMany(items: unknown): ReturnType<Engine['storeMany']>;
  patch(id: string, fields: Record<string, unknown>): ReturnType<Engine['update']>;
  recall(parameters: Record<string, unknown>): Promise<RecallOutcome>;
  /** The contents that a recall finds, best first. */
  found(parameters: Record<string, unknown>): Promise<string[]>;
}

/** Opens an engine, which is closed at the end of the test. */
export async function openForTest(
  env: Record<string, string> = {},
  change?: (config: Config) => Config,
): Promise<TalkingEngine> {
  const test = await openTestEngine(env, change);
  onTestFinished(() => test.close());
  const { limits } = test.engine;
  const store = (fields: Record<string, unknown>) => test.engine.store(readNewMemory(fields, limits));
  const recall = (parameters: Record<string, unknown>) => test.engine.recall(readRecall(parameters, limits));
  return {
    get engine() {
      return test.engine;
    },
    clock: test.clock,
    log: test.log,
    config: test.config,
    reopen: test.reopen,
    close: test.close,
    store,
    add: async fields => (await store(fields)).memory.id,
    storeMany: async items => test.engine.storeMany(await readMemoryBatch(items, limits)),
    patch: (id, fields) => test.engine.update(id, readMemoryPatch(fields, limits)),
    recall,
    found: async parameters => (await recall(parameters)).results.map(({ memory }) => memory.content),
  };
}

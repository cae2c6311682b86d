/**
 * What a conversation gets at its start, on 40 written starts in memories of 25 to 28 entries. The half "held-out" was
 * not looked at while the choice was made. `node tests/bench/hooks.mjs` measures the same starts, also with a model.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readNewMemory } from '../../src/api/memory-requests.js';
import { openForTest } from '../engine/open-engine.js';

interface WrittenMemory {
  id: string;
  content: string;
  replaces?: string;
}

interface Starts {
  memories: Record<string, WrittenMemory[]>;
  /** `right`: a preference that should be among the first five. `replaced`: an older form of it, which must not be given. */
  starts: { memories: string; project?: string; formerNames?: string[]; right: string; replaced?: string }[];
}

/** Stores the memories, one a minute, and returns their names by id. */
async function fill({ engine, clock }: Awaited<ReturnType<typeof openForTest>>, memories: readonly WrittenMemory[]) {
  const ids = new Map<string, string>();
  for (const { id: name, replaces, ...memory } of memories) {
    clock.advance(60_000);
    const oldId = ids.get(replaces ?? '');
    const supersession = oldId === undefined ? undefined : ({ oldId, type: 'EVOLVED_INTO' } as const);
    const { memory: stored } = await engine.store(readNewMemory(memory, engine.limits), supersession);
    ids.set(name, stored.id);
  }
  return new Map([...ids].map(([name, id]) => [id, name]));
}

async function measure(file: string) {
  const { memories, starts } = JSON.parse(
    readFileSync(new URL(`starts/${file}.json`, import.meta.url), 'utf8'),
  ) as Starts;
  const outcomes = [];
  for (const [name, written] of Object.entries(memories)) {
    const memory = await openForTest();
    const names = await fill(memory, written);
    await memory.engine.idle();
    for (const [index, start] of starts.filter(each => each.memories === name).entries()) {
      const { project, formerNames = [] } = start;
      await memory.engine.hooks.sessionStart({
        sessionId: `s${index}`,
        ...(project !== undefined && { project: { name: project, formerNames } }),
      });
      const [session] = await memory.engine.hooks.log({ limit: 1, sessionId: `s${index}` });
      const injections = session?.injections ?? [];
      const given = injections.flatMap(each => each.memories.map(({ id }) => names.get(id) ?? ''));
      outcomes.push({ ...start, given, tokens: injections.reduce((sum, { tokens }) => sum + tokens, 0) });
    }
    await memory.close();
  }
  return outcomes;
}

describe.each(['development', 'held-out'])('the starts of the half "%s"', file => {
  test('get the right preference first, never a replaced one, and nothing twice', async () => {
    const outcomes = await measure(file);
    expect(outcomes).toHaveLength(20);
    const served = outcomes.filter(({ given, right }) => given.slice(0, 5).includes(right));
    expect(served.length).toBeGreaterThanOrEqual(18);
    for (const { given, replaced = '', tokens } of outcomes) {
      expect(given).not.toContain(replaced);
      expect(new Set(given).size).toBe(given.length);
      expect(given.length).toBeLessThanOrEqual(10);
      expect(tokens).toBeLessThanOrEqual(960);
    }
  });
});

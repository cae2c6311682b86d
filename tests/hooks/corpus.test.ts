/**
 * Sends realistic prompts to an engine with 300 memories. Measures the share of helpful memories among the injected
 * ones, and checks that prompts written by machines get none. `node tests/bench/hooks.mjs` measures the same corpora,
 * also with a model.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openForTest } from '../engine/open-engine.js';

interface Corpus {
  memories: { id: string; content: string }[];
  prompts: { kind: 'answerable' | 'unanswerable' | 'machine'; text: string; relevant: string[]; alsoFine: string[] }[];
}

async function measure(name: string) {
  const file = new URL(`corpus/${name}.json`, import.meta.url);
  const { memories, prompts } = JSON.parse(readFileSync(file, 'utf8')) as Corpus;
  const { engine, storeMany } = await openForTest({ VECTOR_SIZE: '1024' });
  const { memories: stored } = await storeMany(memories.map(({ id: _, ...memory }) => memory));
  await engine.idle();
  const names = new Map(stored.map(({ id }, index) => [id, memories[index]?.id ?? '']));
  const outcomes = [];
  for (const [index, prompt] of prompts.entries()) {
    const sessionId = `prompt-${index}`;
    await engine.hooks.prompt({ sessionId, text: prompt.text });
    const [session] = await engine.hooks.log({ limit: 1, sessionId });
    // What a conversation gets at its start is measured in starts.test.ts.
    const injections = session?.injections.filter(({ event }) => event === 'prompt') ?? [];
    const given = injections.flatMap(injection => injection.memories.map(({ id }) => names.get(id) ?? ''));
    outcomes.push({ ...prompt, given, tokens: injections.reduce((sum, { tokens }) => sum + tokens, 0) });
  }
  return outcomes;
}

const share = (items: readonly unknown[], part: readonly unknown[]) => part.length / items.length;

describe.each(['development', 'held-out'])('the prompts of the corpus "%s"', name => {
  test('get mostly helpful memories, hardly any if unanswerable, and none if they come from a machine', async () => {
    const outcomes = await measure(name);
    const of = (kind: string) => outcomes.filter(outcome => outcome.kind === kind);
    const given = outcomes.flatMap(({ given: ids, relevant, alsoFine }) =>
      ids.map(id => relevant.includes(id) || alsoFine.includes(id)),
    );
    expect(share(given, given.filter(Boolean))).toBeGreaterThan(0.8);
    const answerable = of('answerable');
    const served = answerable.filter(({ given: ids, relevant }) => ids.some(id => relevant.includes(id)));
    expect(share(answerable, served)).toBeGreaterThanOrEqual(0.2);
    const unanswerable = of('unanswerable');
    expect(
      share(
        unanswerable,
        unanswerable.filter(outcome => outcome.given.length > 0),
      ),
    ).toBeLessThan(0.05);
    expect(of('machine').filter(outcome => outcome.given.length > 0)).toEqual([]);
    expect(Math.max(...outcomes.map(({ tokens }) => tokens))).toBeLessThanOrEqual(480);
  });
});

/** With Engraph's own weights at 0 the score equals the score of the specification, to nine decimal places. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { unitVector } from '../../src/domain/vectors.js';
import { createHashEmbedder } from '../../src/embedding/hash.js';
import { openTestEngine } from '../support/test-engine.js';
import { SPECIFIED_WEIGHTS, specifiedComponents, specifiedScore } from './reference-score.js';

const DIMENSIONS = 64;
const RECALLS = 200;
const memory = await openTestEngine({}, config => {
  const weights = { ...config.recall.weights, lexical: 0, meaning: 0, neighbour: 0 };
  return { ...config, recall: { ...config.recall, weights } };
});
afterAll(memory.close);

const WORDS =
  `amber harbour deploy Redis queue Ada Lovelace the of is port 5432 tea green velvet meeting notes pool worker parseJson
  decided because likes staging Kestrel in`.split(/\s+/);
const text = (least: number, most: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: least, maxLength: most }).map(found => found.join(' '));
const tag = fc.oneof(
  fc.constantFrom('project:kestrel', 'green velvet', 'conversation:7', 'entity:people:ada-lovelace'),
  fc.constantFrom(...WORDS),
);
const note = fc.record({
  content: text(1, 30),
  tags: fc.uniqueArray(tag, { maxLength: 4, selector: each => each.toLowerCase() }),
  importance: fc.double({ min: 0, max: 1, noNaN: true }),
  minute: fc.integer({ min: 0, max: 500_000 }),
});

test('score: all results of 200 random recalls agree with the reference implementation', {
  timeout: 60_000,
}, async () => {
  const { engine, clock } = memory;
  const notes = fc.sample(note, { numRuns: 120, seed: 11 });
  const at = (minute: number) => new Date(clock.nowMs() - minute * 60_000).toISOString();
  await engine.storeMany(
    notes.map(({ minute, ...fields }) => ({
      ...fields,
      timestamp: at(minute),
      last_accessed: at(minute),
      metadata: {},
    })),
  );
  await engine.idle();
  const embedder = createHashEmbedder(DIMENSIONS);
  const embed = async (content: string) => (await embedder.embed([content], 'document'))[0] as Float32Array;
  const components = Object.keys(SPECIFIED_WEIGHTS) as (keyof typeof SPECIFIED_WEIGHTS)[];
  let compared = 0;
  for (const query of fc.sample(text(1, 9), { numRuns: RECALLS, seed: 12 })) {
    const queryVector = await embed(query);
    const { results } = await engine.recall({ query, limit: 10 });
    for (const result of results) {
      const expected = specifiedComponents({
        query,
        queryVector,
        memory: result.memory,
        // The store scales vectors to unit length, which changes the ninth digit.
        memoryVector: unitVector(await embed(result.memory.content)),
        nowMs: clock.nowMs(),
      });
      for (const name of components)
        expect(result.components[name], `${name} of "${query}"`).toBeCloseTo(expected[name], 9);
      expect(result.score).toBeCloseTo(specifiedScore(expected) + result.components.newer, 9);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(RECALLS);
});

/** Evidence propagated from memories of one conversation never lowers a score. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Candidate } from '../../src/recall/pool.js';
import { propagatedTo } from '../../src/recall/score/propagate.js';
import { phraseOf } from '../../src/recall/score/text.js';
import { openTestEngine } from '../support/test-engine.js';

const DIMENSIONS = 64;

/** A vector of length 1 with the given cosine to the first axis. `axis` chooses the axis of its other component. */
function vectorOf(cosine: number, axis = 1): number[] {
  return Array.from({ length: DIMENSIONS }, (_, index) => {
    if (index === 0) return cosine;
    return index === axis ? Math.sqrt(1 - cosine ** 2) : 0;
  });
}

test('propagation: an exact match in a conversation about other things outranks a weaker match outside it', async () => {
  const { engine, close } = await openTestEngine();
  onTestFinished(close);
  const at = (second: number) => `2026-02-01T10:00:0${second}Z`;
  const inConversation = (content: string, second: number, cosine: number) => ({
    content,
    tags: ['conversation:1'],
    timestamp: at(second),
    embedding: vectorOf(cosine, second + 2),
    metadata: {},
  });
  await engine.storeMany([
    inConversation('one', 1, 0),
    inConversation('two', 2, 0),
    inConversation('three', 3, 1),
    inConversation('four', 4, 0),
    inConversation('five', 5, 0),
    { content: 'apart', tags: [], timestamp: '2026-01-01T00:00:00Z', embedding: vectorOf(0.6), metadata: {} },
  ]);
  await engine.idle();
  const { results } = await engine.recall({ embedding: vectorOf(1), limit: 2 });
  expect(results[0]?.memory.content).toBe('three');
  expect(results[0]?.components.vector).toBeCloseTo(1, 6);
  const all = await engine.recall({ embedding: vectorOf(1), limit: 10 });
  expect(all.results.find(({ memory: { content } }) => content === 'apart')?.components.vector).toBeCloseTo(0.6, 6);
});

const TERMS = 4;
const query = {
  words: phraseOf([]),
  stems: phraseOf([]),
  terms: Array.from({ length: TERMS }, (_, index) => `t${index}`),
  weights: [1, 2, 0.5, 1.5],
  totalWeight: 5,
  keys: new Map<number, number>(),
  variants: [],
  isInOneMemory: [],
  names: new Set<string>(),
  dates: [],
};
const turn = fc.record({
  presence: fc.array(fc.constantFrom<number>(0, 0.5, 1), { minLength: TERMS, maxLength: TERMS }),
  similarity: fc.double({ min: 0, max: 1, noNaN: true }),
  damping: fc.double({ min: 0.1, max: 1, noNaN: true }),
  words: fc.integer({ min: 1, max: 300 }),
  content: fc.constantFrom('Where is it?', 'There it is'),
});
type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never;

function candidateOf({ presence, similarity, damping, words, content }: Turn, index: number): Candidate {
  const coverage = presence.reduce((sum, present, at) => sum + present * (query.weights[at] ?? 0), 0) / 5;
  const timestamp = new Date(Date.UTC(2026, 1, 1, 10, index)).toISOString();
  const memory = { id: `m${index}`, content, tags: ['session:1'], metadata: {}, timestamp };
  return {
    memory,
    createdMs: Date.parse(timestamp),
    conversations: ['session:1'],
    text: { words: { length: words }, isQuestion: content.endsWith('?') },
    query: { meaningShare: 0.5 },
    own: { presence, similarity, damping, coverage },
  } as unknown as Candidate;
}

/** Each turn is a neighbour of the turn before it. */
const pairsOf = (count: number) =>
  Array.from({ length: Math.max(0, count - 1) }, (_, index) => ({ of: `m${index}`, id: `m${index + 1}`, distance: 1 }));

test('propagation: an additional turn never lowers propagated evidence, which never exceeds 1', () => {
  fc.assert(
    fc.property(fc.array(turn, { minLength: 2, maxLength: 6 }), turns => {
      const candidates = turns.map(candidateOf);
      const fewer = candidates.slice(0, -1);
      const before = propagatedTo(query, fewer, pairsOf(fewer.length));
      const after = propagatedTo(query, candidates, pairsOf(candidates.length));
      for (const { memory } of fewer) {
        const propagated = after.get(memory.id)?.propagated ?? 0;
        expect(propagated).toBeGreaterThanOrEqual((before.get(memory.id)?.propagated ?? 0) - 1e-12);
        expect(propagated).toBeLessThanOrEqual(1);
      }
    }),
    { seed: 5, numRuns: 500 },
  );
});

test('propagation: no evidence is propagated to a memory without neighbours', () => {
  const [alone] = fc.sample(turn, { numRuns: 1, seed: 3 });
  expect(propagatedTo(query, [candidateOf(alone as Turn, 0)], []).size).toBe(0);
});

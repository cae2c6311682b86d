/** Order is the score, and a smaller limit gives the first results of a larger one (D47). */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readNewMemory } from '../../src/api/memory-requests.js';
import { readRecall } from '../../src/api/recall-request.js';
import type { RecalledMemory } from '../../src/domain/recall.js';
import { openTestEngine } from '../support/test-engine.js';

const WORDS =
  'heron port gateway listens lantern paper blue deposit flat token access refresh 4100 1.2.3 C++ 报告'.split(' ');
const TAGS = ['project:lark', 'project:wren', 'conversation:a', 'conversation:b', 'note', 'rule'];
const SORTS = ['score', 'time_desc', 'time_asc', 'updated_desc', 'updated_asc'] as const;
const LIMITS = [1, 3, 10, 60, 100];

const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map(words => words.join(' '));
const memory = fc.record({
  content: text,
  tags: fc.subarray(TAGS, { maxLength: 2 }),
  importance: fc.constantFrom(0, 0.3, 0.5, 0.9),
  timestamp: fc
    .integer({ min: 0, max: 60 })
    .map(day => new Date(Date.UTC(2026, 0, 1) + day * 40_000_000).toISOString()),
});
const question = fc.record(
  {
    query: text,
    sort: fc.constantFrom(...SORTS),
    state_mode: fc.constantFrom('current', 'history'),
    recency_bias: fc.constantFrom('on', 'off'),
    adaptive_floor: fc.boolean(),
    tags: fc.subarray(TAGS, { minLength: 1, maxLength: 1 }),
  },
  { requiredKeys: ['query', 'sort'] },
);
const MEMORIES = 90;
const scenario = fc.record({
  memories: fc.array(memory, { minLength: MEMORIES, maxLength: MEMORIES }),
  edges: fc.array(fc.tuple(fc.nat(MEMORIES - 1), fc.nat(MEMORIES - 1)), { maxLength: 12 }),
  questions: fc.array(question, { minLength: 6, maxLength: 6 }),
});

const opened: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map(each => each.close())));

test('recall: every limit gives the first results of the largest limit, and scores descend', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ memories, edges, questions }) => {
      const { engine, close } = await openTestEngine();
      opened.push({ close });
      const stored = await engine.storeMany(memories.map(each => readNewMemory(each, engine.limits)));
      for (const [from, to] of edges) {
        const [fromId, toId] = [stored.memories[from]?.id ?? '', stored.memories[to]?.id ?? ''];
        const edge = { memory1_id: fromId, memory2_id: toId, type: 'INVALIDATED_BY', strength: 0.9 } as const;
        if (fromId !== toId) await engine.associate({ ...edge, properties: {} });
      }
      await engine.idle();
      for (const asked of questions) {
        const answers: RecalledMemory[][] = [];
        for (const limit of LIMITS) {
          answers.push((await engine.untracedRecall(readRecall({ ...asked, limit }, engine.limits))).results);
        }
        const longest = answers.at(-1) ?? [];
        for (const [index, results] of answers.entries()) {
          const expected = longest.slice(0, LIMITS[index]).map(seen);
          expect(results.map(seen), JSON.stringify({ asked, limit: LIMITS[index] })).toEqual(expected);
          if (asked.sort === 'score') expect(results.map(({ score }) => score)).toEqual(descending(results));
        }
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
}, 60_000);

const seen = ({ memory: { id, content }, score }: RecalledMemory) => ({ id, content, score });
const descending = (results: readonly RecalledMemory[]) => results.map(({ score }) => score).sort((a, b) => b - a);

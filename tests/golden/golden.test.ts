/**
 * Ranking on the golden set: 91 memories and 149 questions that they answer. Measured with the hash embedder:
 *
 *   recall@5   0.987   (mean share of a question's expected memories among the first 5)
 *   MRR        0.935   (mean reciprocal rank of the first expected memory among the first 10)
 */
import { afterAll, describe, expect, test } from 'vitest';
import { openGoldenEngine } from './golden-engine.js';
import { MEMORIES } from './memories.js';
import { ORDERS } from './orders.js';
import { ANSWERABLE_QUERIES, type AnswerableQuery, parametersOf } from './queries.js';

const RECALL_AT_5_MIN = 0.98;
const MRR_MIN = 0.92;

const golden = await openGoldenEngine();
afterAll(golden.close);

const askedFor = new Map<AnswerableQuery, string[]>();
for (const query of ANSWERABLE_QUERIES) {
  askedFor.set(query, await golden.recall({ limit: 10, ...parametersOf(query.ask) }));
}

/** Ranks of the expected memories among the results, from 1. A missing memory has the rank Infinity. */
function placesOf(query: AnswerableQuery): number[] {
  const results = askedFor.get(query) ?? [];
  return query.expected.map(name => (results.includes(name) ? results.indexOf(name) + 1 : Infinity));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const isMet = (query: AnswerableQuery) => Math.max(...placesOf(query)) <= (query.within ?? 1);
const label = ({ ask }: AnswerableQuery) => (typeof ask === 'string' ? ask : JSON.stringify(ask));

describe('the expected memories are among the first results', () => {
  test.each(ANSWERABLE_QUERIES.filter(({ isMissed }) => !isMissed).map(query => ({ title: label(query), query })))(
    'for the query: $title',
    ({ query }) => {
      const { expected, within = 1 } = query;
      expect(askedFor.get(query)?.slice(0, within)).toEqual(expect.arrayContaining([...expected]));
    },
  );

  test('for all questions except those marked as missed', () => {
    const missed = ANSWERABLE_QUERIES.filter(query => !isMet(query)).map(label);
    expect(missed).toEqual(ANSWERABLE_QUERIES.filter(({ isMissed }) => isMissed).map(label));
  });

  test('often enough for the minimum recall@5 and MRR over all questions', () => {
    const recallAt5 = mean(ANSWERABLE_QUERIES.map(query => mean(placesOf(query).map(place => (place <= 5 ? 1 : 0)))));
    const reciprocalRank = mean(ANSWERABLE_QUERIES.map(query => 1 / Math.min(...placesOf(query))));
    expect(recallAt5).toBeGreaterThanOrEqual(RECALL_AT_5_MIN);
    expect(reciprocalRank).toBeGreaterThanOrEqual(MRR_MIN);
  });
});

describe('a memory that is not currently valid', () => {
  const gone = Object.entries(MEMORIES).filter(
    ([, { until, from, invalidatedBy }]) => until !== undefined || from !== undefined || invalidatedBy !== undefined,
  );

  test.each(gone)('%s is not returned, even when the query repeats its content', async (name, { content, tags }) => {
    for (const parameters of [{ query: content }, { query: content, tags }, { tags }]) {
      expect(await golden.recall({ ...parameters, limit: 50 })).not.toContain(name);
    }
    expect(await golden.recall({ query: content, state_mode: 'history' })).toContain(name);
  });

  test('is not returned for any question', () => {
    const surfaced = new Set([...askedFor.values()].flat());
    expect(gone.filter(([name]) => surfaced.has(name))).toEqual([]);
  });
});

describe('the results', () => {
  test.each(ORDERS)('have the expected order and scores for the query: $query', async ({ query, results, parts }) => {
    const answer = await golden.ask({ query, limit: results.length });
    expect(await golden.recall({ query, limit: results.length })).toEqual(results);
    for (const [index, expected] of (parts ?? []).entries()) {
      for (const [part, value] of Object.entries(answer.results[index]?.components ?? {})) {
        expect(value, `${results[index]}: ${part}`).toBeCloseTo(expected[part as keyof typeof expected] ?? 0, 2);
      }
    }
  });

  test('have the same order when the question is repeated', async () => {
    for (const [query, before] of askedFor) {
      expect(await golden.recall({ limit: 10, ...parametersOf(query.ask) })).toEqual(before);
    }
  });
});

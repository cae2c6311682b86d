/** Explained scores, confidence, and the reasons why a memory is not returned. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, store, associate, idOf, request } = await openRecallApp();
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  await store({
    question: {
      content: 'Ben: Where did you leave the telescope?',
      tags: ['chat:1'],
      timestamp: '2026-02-01T10:00:00Z',
    },
    answer: { content: 'Mia: In the attic, behind the boxes', tags: ['chat:1'], timestamp: '2026-02-01T10:00:30Z' },
    later: { content: 'Mia: Dinner is at eight', tags: ['chat:1'], timestamp: '2026-02-01T19:00:00Z' },
    twinA: { content: 'The backup runs at midnight', tags: ['ops'] },
    twinB: { content: 'the backup runs at midnight.', tags: ['OPS'] },
    other: { content: 'The backup runs at midnight', tags: ['other'] },
    old: { content: 'The wifi password hint is river', tags: ['wifi'] },
    fresh: { content: 'The wifi password hint is ocean', tags: ['wifi'] },
    archivedish: { content: 'The wifi was slow', tags: ['wifi'], t_invalid: '2026-01-01' },
  });
  await associate('old', 'INVALIDATED_BY', 'fresh');
});

describe('explain', () => {
  test('has contributions that add up to the score of every result', async () => {
    const { results } = await ask({ query: 'where is the telescope', explain: 'true', language: 'python', limit: '5' });
    for (const { explanation, final_score, score_components } of results) {
      const parts: { evidence: number; weight: number; contribution: number }[] = Object.values(explanation.components);
      expect(parts.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(final_score, 4);
      for (const { evidence, weight, contribution } of parts) expect(evidence * weight).toBeCloseTo(contribution, 5);
      expect(Object.keys(explanation.components).sort()).toEqual(Object.keys(score_components).sort());
    }
  });
  test("shows the evidence lent by the conversation separately from the memory's own evidence", async () => {
    const { results } = await ask({ query: 'where is the telescope', explain: 'true', limit: '2' });
    expect(results.map((result: { id: string }) => result.id)).toEqual([idOf('question'), idOf('answer')]);
    const term = results[1].explanation.terms.find((each: { term: string }) => each.term === 'telescop');
    expect(term).toMatchObject({ in_content: 0, in_tags: false });
    expect(results[1].explanation.lent_by).toEqual([{ id: idOf('question'), amount: expect.any(Number) }]);
    expect(results[1]).toMatchObject({ match_score: 0 });
    expect(results[0].explanation.found_by).toContain('keyword');
  });
  test('adds no explanation to the results unless it is requested', async () => {
    expect((await ask({ query: 'telescope' })).results[0]).not.toHaveProperty('explanation');
  });
});

test('recall: a memory after a long pause in a conversation gets no evidence from earlier memories', async () => {
  const { results } = await ask({ query: 'telescope', explain: 'true', limit: '9' });
  const later = results.find((result: { id: string }) => result.id === idOf('later'));
  expect(later?.score_components.keyword ?? 0).toBe(0);
});

test('recall: memories with the same words and tags are merged', async () => {
  const { results, dedup_removed } = await ask({ query: 'when does the backup run' });
  const backups = results.filter((result: { memory: { content: string } }) => /backup/i.test(result.memory.content));
  expect(backups).toHaveLength(2);
  expect(backups.flatMap((result: { deduped_from?: string[] }) => result.deduped_from ?? [])).toHaveLength(1);
  expect(dedup_removed).toBe(1);
});

describe('confidence', () => {
  test.each([
    ['where did you leave the telescope', 'high'],
    ['when does the backup run', 'high'],
    ['what is the capital of Mongolia', 'none'],
    ['quarterly revenue forecast spreadsheet', 'none'],
  ])('of the query %s is %s', async (query, expected) => {
    expect((await ask({ query })).confidence).toBe(expected);
  });
});

describe('why-not', () => {
  const why = (name: string, parameters: string) => request(`GET /recall/why-not?id=${idOf(name)}&${parameters}`);
  test.each([
    ['question', 'query=telescope', 'returned'],
    ['question', 'query=telescope&tags=ops', 'filtered_by_tags'],
    ['question', 'query=telescope&exclude_tags=chat', 'filtered_by_excluded_tags'],
    ['question', 'query=telescope&end=2026-01-01', 'filtered_by_time'],
    ['old', 'query=wifi', 'superseded'],
    ['archivedish', 'query=wifi', 'expired'],
    ['other', 'query=backup+ops&limit=1', 'ranked_too_low'],
    ['later', 'query=backup&limit=1', 'no_evidence'],
    ['fresh', 'query=wifi+hint&min_score=9', 'below_threshold'],
    ['fresh', 'limit=1&tags=zzz', 'filtered_by_tags'],
  ])('for %s with %s returns %s', async (name, parameters, reason) => {
    const verdict = await why(name, parameters);
    expect(verdict).toMatchObject({
      status: 'success',
      id: idOf(name),
      returned: reason === 'returned',
      message: expect.any(String),
    });
    expect(verdict.reason).toBe(reason);
  });
  test('reads a tag with commas as recall does', async () => {
    await store({ author: { content: 'The shearwater report', tags: ['Doe, Jane'] } });
    const asked = 'query=shearwater&tags=Doe,%20Jane';
    expect((await request(`GET /recall?${asked}`)).count).toBe(1);
    expect(await why('author', asked)).toMatchObject({ returned: true, reason: 'returned' });
  });

  test('reports one of two memories with the same words and tags as duplicate, and the other as returned', async () => {
    const reasons = [];
    for (const name of ['twinA', 'twinB']) reasons.push((await why(name, 'query=backup+at+midnight&tags=ops')).reason);
    expect(reasons.sort()).toEqual(['duplicate', 'returned']);
  });
  test('rejects unknown memories and invalid parameters', async () => {
    await request(`GET /recall/why-not?id=${UNKNOWN}&query=x`, undefined, 404);
    await request(`GET /recall/why-not?id=${UNKNOWN}&query=x&offset=5&format=text`, undefined, 404);
    expect(await request('GET /recall/why-not?query=x', undefined, 400)).toMatchObject({ field: 'id' });
    expect(await request(`GET /recall/why-not?id=${UNKNOWN}&limit=x`, undefined, 400)).toMatchObject({
      field: 'limit',
    });
  });
});

/** If a query names a person, lines of that person in a conversation rank above lines that others say to the person. */
import { beforeAll, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, store, idOf } = await openRecallApp();

const line = (content: string, minute: number) => ({
  content,
  tags: ['chat:summer'],
  timestamp: `2026-02-03T1${minute}:00:00Z`,
});

beforeAll(() =>
  store({
    asked: line('Ben: Anna, did you paint the fence?', 0),
    told: line('Anna: I would rather paint the fence green', 1),
    praise: line('Ben: That fence, Anna, paint it green!', 2),
    full: line('Anna Berg: The fence is green now', 3),
    note: { content: 'Note: Anna will paint the fence', tags: ['garden'], timestamp: '2026-02-03T19:00:00Z' },
  }),
);

async function resultsOf(query: string) {
  const { results } = await ask({ query, explain: 'true', limit: '10' });
  return new Map(results.map((result: { id: string }) => [result.id, result]));
}

test('recall: a line of another speaker counts less when the query names a person', async () => {
  const found = await resultsOf('Which fence does Anna paint?');
  const of = (name: string) => found.get(idOf(name)) as Awaited<ReturnType<typeof ask>>['results'][number];
  expect(of('told').score_components.lexical).toBeGreaterThan(of('praise').score_components.lexical);
  expect(of('praise').explanation.said_by_another).toBe(true);
  for (const name of ['told', 'full', 'note']) expect(of(name).explanation).not.toHaveProperty('said_by_another');
  expect(of('told').score).toBeGreaterThan(of('praise').score);
});

test.each([
  ['names nobody', 'Which fence needs green paint?'],
  ['names the speaker among others', 'Did Ben ask Anna to paint the fence?'],
])('recall: no line counts less when the query %s', async (_, query) => {
  const found = await resultsOf(query);
  expect(found.get(idOf('praise'))).not.toHaveProperty('explanation.said_by_another');
});

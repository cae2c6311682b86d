/** With vectors on a server, the server compares the candidates of a recall. */
import { expect, test } from 'vitest';
import { openForTest } from '../engine/open-engine.js';
import { startedQdrant } from '../support/qdrant-store.js';

const MEMORIES = [
  'Anna Kowalski: I moved to Lisbon in spring.',
  'Ben: The harbour of Lisbon was loud this morning.',
  'Anna Kowalski: My sister keeps bees near the harbour.',
  'Ben: I would like to keep bees too.',
];
/** Recall searches with two vectors, because the question names a person: one of them leaves out the name. */
const QUESTION = 'Where does Anna Kowalski keep her bees?';

async function openOnQdrant() {
  const server = await startedQdrant();
  const opened = await openForTest({ QDRANT_URL: server.url });
  for (const [index, content] of MEMORIES.entries()) {
    await opened.add({ content, tags: ['conversation:1'], timestamp: `2026-01-01T10:00:0${index}Z` });
  }
  await opened.engine.idle();
  server.requests.length = 0;
  const sent = () => server.requests.map(({ method, path }) => `${method} ${path.split('/').slice(3).join('/')}`);
  return { ...opened, server, sent };
}

async function shownBy({ recall }: Pick<Awaited<ReturnType<typeof openForTest>>, 'recall'>) {
  const { results, isVectorSearchEnabled } = await recall({ query: QUESTION });
  const shown = results.map(({ memory, components, similarity }) => ({
    content: memory.content,
    vector: expect.closeTo(components.vector, 5),
    similarity: expect.closeTo(similarity, 5),
  }));
  return { shown, results, isVectorSearchEnabled };
}

test('a recall searches and compares once, and has the similarities of the embedded store', async () => {
  const onQdrant = await openOnQdrant();
  const embedded = await openForTest();
  for (const [index, content] of MEMORIES.entries()) {
    await embedded.add({ content, tags: ['conversation:1'], timestamp: `2026-01-01T10:00:0${index}Z` });
  }
  await embedded.engine.idle();
  const expected = await shownBy(embedded);
  const { results } = await shownBy(onQdrant);
  expect(
    results.map(({ memory, components, similarity }) => ({
      content: memory.content,
      vector: components.vector,
      similarity,
    })),
  ).toEqual(expected.shown);
  expect(new Set(results.map(({ components }) => components.vector)).size).toBeGreaterThan(1);
  // The first search finds fewer memories than requested, so an exact search follows.
  expect(onQdrant.sent()).toEqual(['POST points/query', 'POST points/query', 'POST points/query/batch']);
});

test('a recall without a comparison estimates the similarities', async () => {
  const onQdrant = await openOnQdrant();
  const { shown } = await shownBy(onQdrant);
  onQdrant.server.behave(({ path }) => (path.endsWith('/query/batch') ? { status: 500, text: 'broken' } : undefined));
  const { results, isVectorSearchEnabled } = await shownBy(onQdrant);
  expect(isVectorSearchEnabled).toBe(true);
  expect(results.map(({ memory }) => memory.content).sort()).toEqual(shown.map(({ content }) => content).sort());
});

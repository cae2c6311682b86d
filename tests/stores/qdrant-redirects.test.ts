/** Tests searches of the Qdrant store behind a proxy that redirects them. */
import { expect, test } from 'vitest';
import { openOn, startedQdrant, vectorRecord } from '../support/qdrant-store.js';
import { idOf } from '../support/records.js';

/** The answer of a server to one search. */
const ANSWER = { points: [{ id: idOf(1), version: 0, score: 0.5 }] };

test.each(['search', 'searchEach', 'compare'] as const)('a search follows a redirect: %s', async method => {
  const server = await startedQdrant();
  const store = openOn(server);
  await store.upsert([vectorRecord(1)]);
  server.behave(({ path }) =>
    path.startsWith('/moved')
      ? { status: 200, json: { result: path.endsWith('batch') ? [ANSWER, ANSWER] : ANSWER } }
      : { status: 307, headers: { location: `${server.url}/moved${path}` } },
  );
  const search = { vector: Float32Array.of(1, 0, 0, 0), limit: 1, filter: {}, models: ['m'] };
  if (method === 'search') expect((await store.search(search)).map(({ id }) => id)).toEqual([idOf(1)]);
  if (method === 'searchEach') {
    const found = await store.searchEach([search, search]);
    expect(found.map(([hit]) => hit?.id)).toEqual([idOf(1), idOf(1)]);
  }
  if (method === 'compare') {
    const similarities = await store.compare([idOf(1)], { ...search, beside: search.vector });
    expect(similarities.get(idOf(1))).toEqual({ sought: 0.5, beside: 0.5 });
  }
});

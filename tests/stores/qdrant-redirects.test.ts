/** A Qdrant server that redirects gets no second request: the redirect would send the key to another address. */
import { expect, test } from 'vitest';
import type { VectorStore } from '../../src/stores/vector-store.js';
import { openOn, startedQdrant, vectorRecord } from '../support/qdrant-store.js';
import { idOf } from '../support/records.js';

const KEY = 'key-of-the-vectors';
const SEARCH = { vector: Float32Array.of(1, 0, 0, 0), limit: 1, filter: {}, models: ['m'] };

const CALLS: Record<string, (store: VectorStore) => Promise<unknown>> = {
  search: store => store.search(SEARCH),
  searchEach: store => store.searchEach([SEARCH, SEARCH]),
  compare: store => store.compare([idOf(1)], { ...SEARCH, beside: SEARCH.vector }),
  upsert: store => store.upsert([vectorRecord(2)]),
  remove: store => store.remove([idOf(1)]),
  vectorsOf: store => store.vectorsOf([idOf(1)]),
  count: store => store.count(),
  ping: store => store.ping(),
};

test.each(
  Object.entries(CALLS).flatMap(([name, call]) => [301, 302, 307, 308].map(status => ({ name, call, status }))),
)('$name follows no redirect $status', async ({ call, status }) => {
  const elsewhere = await startedQdrant();
  const server = await startedQdrant(KEY);
  const store = openOn(server, { apiKey: KEY });
  await store.upsert([vectorRecord(1)]);
  server.behave(({ path }) => ({ status, headers: { location: `${elsewhere.url}${path}?key=${KEY}` } }));
  const error: Error = await call(store).then(
    () => new Error('did not fail'),
    (failure: Error) => failure,
  );
  expect(error).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`redirects to another address (${status})`),
  });
  expect(elsewhere.requests).toEqual([]);
});

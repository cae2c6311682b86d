/** After an update a memory is no longer found by its former content, even before its new vector has been made. */
import { expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, idOf, engine, request } = await openRecallApp();
const VECTOR = Array.from({ length: 64 }, (_, index) => (index === 3 ? 1 : 0));

test('an updated memory is found by its new content only, by words and by meaning', async () => {
  await store({ memo: { content: 'The parcel waits at the harbour', embedding: VECTOR } });
  expect((await ask({ embedding: VECTOR.join(',') })).count).toBe(1);
  await engine.update(idOf('memo'), { content: 'The cello was sold' });
  expect((await ask({ embedding: VECTOR.join(',') })).count).toBe(0);
  expect(await recall({ query: 'parcel harbour' })).toEqual([]);
  expect(await recall({ query: 'who bought the cello' })).toEqual(['memo']);
  await engine.idle();
  expect((await ask({ query: 'cello' })).vector_search).toEqual({ enabled: true, matched: true });
  expect(await request('GET /health')).toMatchObject({ sync_status: 'synced', vector_count: 1 });
});

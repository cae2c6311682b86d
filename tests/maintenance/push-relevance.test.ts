/**
 * The relevance of memories is copied to a separate vector store. If that store is down, the failure is reported, and
 * the work that changed the relevance continues.
 */
import { expect, onTestFinished, test } from 'vitest';
import { createVectorProjection } from '../../src/projection/create-projection.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { openOn, startedQdrant, vectorRecord } from '../support/qdrant-store.js';
import { idOf, memory } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

async function openApart() {
  const folder = temporaryFolder();
  const graph = openSqliteStore(folder.path);
  const server = await startedQdrant();
  const failures: unknown[] = [];
  const vectors = openOn(server);
  onTestFinished(async () => {
    await vectors.close();
    await graph.close();
    folder.remove();
  });
  const projection = createVectorProjection({ graph, vectors, onVectorFailure: error => failures.push(error) });
  const shown = (number: number) => server.collections.get('memories')?.points.get(idOf(number))?.payload;
  return { graph, server, vectors, projection, failures, shown };
}

test('the relevance of a memory is in the payload of its vector until the relevance is removed', async () => {
  const { vectors, projection, shown } = await openApart();
  await vectors.upsert([vectorRecord(1), vectorRecord(2)]);
  await projection.pushRelevance([{ id: idOf(1), relevance: 0.5 }]);
  expect([shown(1), shown(2)].map(payload => payload?.relevance_score)).toEqual([0.5, undefined]);
  await projection.pushRelevance([{ id: idOf(1), relevance: null }]);
  expect(shown(1)).toEqual(shown(2));
});

test('a vector that is written later includes the relevance of its memory', async () => {
  const { graph, projection, shown } = await openApart();
  await graph.saveMemories([{ memory: memory(1), work: ['embed'] }]);
  await graph.annotate([{ id: idOf(1), relevance: 0.25 }]);
  const [claim] = await graph.claimWork({ kind: 'embed', limit: 1, nowMs: 1, leaseMs: 1_000 });
  if (!claim) throw new Error('a memory waits to be embedded');
  await projection.settle([{ claim, vector: Float32Array.of(1, 0, 0, 0), model: 'm' }]);
  expect(shown(1)).toMatchObject({ model: 'm', relevance_score: 0.25 });
});

test('a vector store that is down is reported, and the caller continues', async () => {
  const { server, vectors, projection, failures } = await openApart();
  await vectors.upsert([vectorRecord(1)]);
  await server.goAway();
  await projection.pushRelevance([{ id: idOf(1), relevance: 0.5 }]);
  expect(failures).toHaveLength(1);
});

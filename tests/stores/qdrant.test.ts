/** Runs the contract of vector stores on the stand-in, and on a real server if the environment names one. */
import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { openQdrantStore } from '../../src/stores/qdrant/store.js';
import { CONTRACT_DIMENSIONS, describeVectorStore } from '../contracts/vector-store.js';
import { startQdrantServer } from '../support/qdrant-server.js';
import { endQdrant } from '../support/qdrant-store.js';

describeVectorStore('Qdrant (stand-in)', async () => {
  const server = await startQdrantServer();
  return fixtureOf({ url: server.url }, () => endQdrant(server));
});

const { ENGRAPH_TEST_QDRANT_URL: url, ENGRAPH_TEST_QDRANT_API_KEY: apiKey } = process.env;
describe.skipIf(!url)('a real server (skipped unless ENGRAPH_TEST_QDRANT_URL names one)', () => {
  describeVectorStore('Qdrant', async () => {
    const collection = `engraph-test-${randomUUID()}`;
    const access = { url: url ?? '', ...(apiKey && { apiKey }) };
    return fixtureOf({ ...access, collection }, async () => {
      const headers = { ...(apiKey && { 'api-key': apiKey }) };
      await fetch(`${url?.replace(/\/$/, '')}/collections/${collection}`, { method: 'DELETE', headers });
    });
  });
});

function fixtureOf(access: { url: string; apiKey?: string; collection?: string }, end: () => Promise<void>) {
  const open = () =>
    openQdrantStore({ collection: 'memories', dimensions: CONTRACT_DIMENSIONS, timeoutMs: 10_000, ...access });
  let store = open();
  return {
    store,
    reopen: async () => {
      await store.close();
      store = open();
      return store;
    },
    dispose: async () => {
      await store.close();
      await end();
    },
  };
}

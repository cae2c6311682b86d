/** Opens the Qdrant store on a stand-in. */
import { expect, onTestFinished } from 'vitest';
import { openQdrantStore, type QdrantSettings } from '../../src/stores/qdrant/store.js';
import type { VectorRecord, VectorStore } from '../../src/stores/vector-store.js';
import { type QdrantServer, startQdrantServer } from './qdrant-server.js';
import { idOf } from './records.js';
import { type PayloadFacts, vectorPayload } from './vector-payloads.js';

/** Starts a stand-in for a test. The test fails when a request violates Qdrant's schema. */
export async function startedQdrant(apiKey?: string): Promise<QdrantServer> {
  const server = await startQdrantServer(apiKey);
  onTestFinished(() => endQdrant(server));
  return server;
}

/** Stops the stand-in, and throws when a request violated Qdrant's schema. */
export async function endQdrant(server: QdrantServer): Promise<void> {
  await server.goAway();
  expect(server.violations).toEqual([]);
}

export function openOn(server: QdrantServer, overrides: Partial<QdrantSettings> = {}): VectorStore {
  return openQdrantStore({
    url: server.url,
    collection: 'memories',
    dimensions: 4,
    timeoutMs: 5_000,
    ...overrides,
  });
}

export function vectorRecord(number: number, facts: PayloadFacts = {}): VectorRecord {
  return { id: idOf(number), vector: Float32Array.from([1, number, 0, 0]), payload: vectorPayload(facts) };
}

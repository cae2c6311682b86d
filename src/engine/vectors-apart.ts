/**
 * Vectors of what is written, where another store than the graph holds them: they follow right after the commit. When
 * that fails, or the process ends before it, the worker makes them later.
 */
import type { Memory } from '../domain/memory.js';
import { payloadOf } from '../domain/vector-payload.js';
import type { Embedder } from '../embedding/embedder.js';
import { writePayloads } from '../enrichment/refresh-vectors.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { NewRecord } from '../stores/ports/memory-store.js';
import type { VectorStore } from '../stores/vector-store.js';
import { modelOf } from './new-records.js';

export interface VectorParts {
  graph: GraphStore;
  vectors: VectorStore;
  embedder: Embedder;
  /** The vector store failed; the write went on without it. */
  onVectorFailure(error: unknown): void;
}

/**
 * Vectors that are there already can be searched at once. Their work stays queued all the same: settling it is the
 * worker's, and a crash or a failure here then loses nothing.
 *
 * @returns whether each of the memories has its vector now
 */
export async function storeVectors(parts: VectorParts, created: readonly NewRecord[]): Promise<boolean> {
  const { vectors, embedder, onVectorFailure } = parts;
  const records = created.flatMap(record => {
    const { memory, vector } = record;
    return vector ? [{ id: memory.id, vector, payload: payloadOf(memory, modelOf(record, embedder)) }] : [];
  });
  if (records.length > 0) {
    try {
      await vectors.upsert(records);
    } catch (error) {
      onVectorFailure(error);
      return false;
    }
  }
  return records.length === created.length;
}

/**
 * Until the new content is embedded, the vector of the old one would find the memory for what it no longer says.
 *
 * @param vector of the new content, where it can be had at once
 */
export async function renewVector(
  { graph, vectors, embedder, onVectorFailure }: VectorParts,
  memory: Memory,
  vector: Float32Array | undefined,
): Promise<void> {
  const { id } = memory;
  try {
    if (vector) await vectors.upsert([{ id, vector, payload: payloadOf(memory, embedder.model) }]);
    else await vectors.remove([id]);
  } catch (error) {
    onVectorFailure(error);
  }
  // A worker may have been quicker, and what was just removed or overwritten may be its vector of a still newer content.
  await graph.requeue('embed', [id]);
}

/** The graph has noted that the vector is stale. */
export async function updatePayload({ graph, vectors, onVectorFailure }: VectorParts, memory: Memory): Promise<void> {
  try {
    await writePayloads({ graph, vectors }, [memory]);
  } catch (error) {
    onVectorFailure(error);
  }
}

/** Graph first, then this: what the graph no longer knows is never returned, even while its vector is still there. */
export async function removeVectors({ vectors, onVectorFailure }: VectorParts, ids: readonly string[]): Promise<void> {
  try {
    await vectors.remove(ids);
  } catch (error) {
    onVectorFailure(error);
  }
}

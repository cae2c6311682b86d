/** Bringing vectors in line with memories that were removed, or whose tags, times or archiving changed. */
import type { GraphStore } from '../stores/graph-store.js';
import type { VectorStore } from '../stores/vector-store.js';
import { payloadOf } from './embed-memories.js';

const NOTES_PER_STEP = 200;

/**
 * Works off notes of stale vectors. A write has tried the same at once; this makes sure of it after an outage, after a
 * crash, and after a batch in flight that had read the memory before. Only for the worker: never beside such a batch.
 *
 * @returns whether there was anything to do
 */
export async function refreshStaleVectors(parts: { graph: GraphStore; vectors: VectorStore }): Promise<boolean> {
  const { graph, vectors } = parts;
  const notes = await graph.staleVectors(NOTES_PER_STEP);
  if (notes.length === 0) return false;
  const ids = notes.map(({ id }) => id);
  const memories = await graph.getMemories(ids);
  await vectors.remove(ids.filter(id => !memories.has(id)));
  await vectors.updatePayloads(
    [...memories.values()].flatMap(memory =>
      memory.embedded_by === undefined ? [] : [{ id: memory.id, payload: payloadOf(memory, memory.embedded_by) }],
    ),
  );
  await graph.settleStaleVectors(notes.map(({ token }) => token));
  return true;
}

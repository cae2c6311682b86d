/** Bringing vectors in line with memories that were removed, or whose tags, times or archiving changed. */

import type { Memory } from '../domain/memory.js';
import { hasSamePayload, payloadOf } from '../domain/vector-payload.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { VectorStore } from '../stores/vector-store.js';

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
  await writePayloads(parts, [...memories.values()]);
  await graph.settleStaleVectors(notes.map(({ token }) => token));
  return true;
}

/**
 * Writes what the vector store holds of the memories beside their vectors. Another process may be doing the same with a
 * later record: whoever finds that his was not the last writes again.
 */
export async function writePayloads(
  parts: { graph: GraphStore; vectors: VectorStore },
  memories: readonly Memory[],
): Promise<void> {
  const { graph, vectors } = parts;
  let outdated = memories.filter(({ embedded_by }) => embedded_by !== undefined);
  while (outdated.length > 0) {
    await vectors.updatePayloads(
      outdated.map(memory => ({ id: memory.id, payload: payloadOf(memory, memory.embedded_by ?? '') })),
    );
    const current = await graph.getMemories(outdated.map(({ id }) => id));
    outdated = outdated.flatMap(written => {
      const memory = current.get(written.id);
      return memory?.embedded_by !== undefined && !hasSamePayload(memory, written) ? [memory] : [];
    });
  }
}

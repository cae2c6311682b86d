/**
 * The projection for vectors in another store than the graph. A vector is written right after the commit. If this write
 * fails, or the process ends before the write, the worker repairs the vectors. The graph tells the worker which
 * vectors to repair: it contains notes about stale vectors, and the queue of memories to embed.
 */

import { hasSamePayload, payloadOf } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import {
  type EmbeddedClaim,
  type ProjectionParts,
  recordOf,
  settleClaims,
  type VectorProjection,
} from './vector-projection.js';

const NOTES_PER_STEP = 200;

export function vectorsApart(parts: ProjectionParts): VectorProjection {
  const { graph, vectors, onVectorFailure } = parts;
  const inOrder = createWritesInOrder();
  /** @returns whether the update succeeded */
  const attempt = async (follow: () => Promise<void>): Promise<boolean> => {
    try {
      await follow();
      return true;
    } catch (error) {
      onVectorFailure(error);
      return false;
    }
  };

  return {
    isInGraph: false,
    add: async (created, modelOf) => {
      const records = created.flatMap(record => {
        const { memory, vector } = record;
        return vector ? [recordOf({ memory, vector, model: modelOf(record) })] : [];
      });
      // The work stays queued in any case, because only the worker settles work. So a crash or a failure here loses
      // nothing.
      const isWritten = records.length === 0 || (await attempt(() => vectors.upsert(records)));
      return isWritten && records.length === created.length;
    },
    renew: async (memory, made) => {
      const { id } = memory;
      const follow = () => (made ? vectors.upsert([recordOf({ memory, ...made })]) : vectors.remove([id]));
      await attempt(() => inOrder([id], follow));
      // Queue the embedding again, because another process may have written a vector of newer content before this
      // process removed or replaced the vector.
      await graph.requeue('embed', [id]);
    },
    refresh: async memory => void (await attempt(() => inOrder([memory.id], () => writePayloads(parts, [memory])))),
    remove: async ids => void (await attempt(() => inOrder(ids, () => vectors.remove(ids)))),
    put: made => vectors.upsert(made.map(recordOf)),
    discard: ids => vectors.remove(ids),
    settle: async embedded => {
      await inOrder(
        embedded.map(({ claim }) => claim.memory.id),
        () => writeCurrent(parts, embedded),
      );
      const settled = await settleClaims(graph, embedded);
      await undoOutdated(parts, embedded, settled);
      return settled;
    },
    repair: async () => {
      const notes = await graph.staleVectors(NOTES_PER_STEP);
      if (notes.length === 0) return false;
      const ids = notes.map(({ id }) => id);
      await inOrder(ids, async () => {
        const memories = await graph.getMemories(ids);
        await vectors.remove(ids.filter(id => !memories.has(id)));
        await writePayloads(parts, [...memories.values()]);
      });
      await graph.settleStaleVectors(notes.map(({ token }) => token));
      return true;
    },
  };
}

/**
 * Writes the vectors of memories whose content has not changed since the claim. A memory with changed content keeps the
 * vector that the change wrote, because a recall may already be using that vector. A deleted memory gets no vector.
 */
async function writeCurrent({ graph, vectors }: ProjectionParts, embedded: readonly EmbeddedClaim[]): Promise<void> {
  const memories = await graph.getMemories(embedded.map(({ claim }) => claim.memory.id));
  const records = embedded.flatMap(({ claim, ...made }) => {
    const memory = memories.get(claim.memory.id);
    return memory?.content === claim.memory.content ? [recordOf({ memory, ...made })] : [];
  });
  if (records.length > 0) await vectors.upsert(records);
}

/**
 * Writes the payloads of memories. Another process may be writing the same payload from a later record, so a process
 * writes again if its own write turns out to be outdated.
 */
async function writePayloads({ graph, vectors }: ProjectionParts, memories: readonly Memory[]): Promise<void> {
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

/**
 * Undoes writes of outdated vectors. After this process has claimed a memory, and before it has written the vector,
 * another process may change or delete the memory. The vector of a deleted memory is removed. The vector of a changed
 * memory is computed again.
 */
async function undoOutdated(
  { graph, vectors }: ProjectionParts,
  embedded: readonly EmbeddedClaim[],
  settled: readonly string[],
): Promise<void> {
  const tokens = new Set(settled);
  const unsettled = embedded.filter(({ claim }) => !tokens.has(claim.token)).map(({ claim }) => claim.memory);
  if (unsettled.length === 0) return;
  const existing = await graph.getMemories(unsettled.map(({ id }) => id));
  await vectors.remove(unsettled.filter(({ id }) => !existing.has(id)).map(({ id }) => id));
  const changed = unsettled.filter(memory => {
    const current = existing.get(memory.id);
    return current && (current.content !== memory.content || !hasSamePayload(current, memory));
  });
  await graph.requeue(
    'embed',
    changed.map(({ id }) => id),
  );
}

/** Starts a write when all earlier writes to any of its ids have ended, successful or not. */
type WritesInOrder = <T>(ids: readonly string[], write: () => Promise<T>) => Promise<T>;

function createWritesInOrder(): WritesInOrder {
  const last = new Map<string, Promise<unknown>>();
  return async (ids, write) => {
    const earlier = new Set(ids.flatMap(id => last.get(id) ?? []));
    const result = Promise.allSettled(earlier).then(write);
    for (const id of ids) last.set(id, result);
    try {
      return await result;
    } finally {
      for (const id of ids) if (last.get(id) === result) last.delete(id);
    }
  };
}

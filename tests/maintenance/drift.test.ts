/** The walk that compares the stores, when many vectors wait for their removal. */
import { expect, it } from 'vitest';
import { walkDrift } from '../../src/projection/drift.js';
import { createGraphModel } from '../support/graph-model.js';
import { idOf, memory } from '../support/records.js';

/** A vector store that has vectors with these ids. */
function vectorsOf(ids: readonly string[]) {
  return {
    count: async () => ids.length,
    present: async (some: readonly string[]) => new Set(some.filter(id => ids.includes(id))),
    ids: async function* () {
      yield* ids;
    },
  };
}

const TOTAL = 1_700;

it('reads the notes of stale vectors once, however many pages of vectors have no memory', async () => {
  const graph = createGraphModel();
  const ids = Array.from({ length: TOTAL }, (_, index) => idOf(index + 1));
  await graph.saveMemories(ids.map((_, index) => ({ memory: memory(index + 1), work: [] })));
  await graph.deleteMemories(ids);
  const orphans = [idOf(TOTAL + 1), idOf(TOTAL + 2)];
  let reads = 0;
  const counting = {
    ...graph,
    staleVectors: (limit: number) => {
      reads += 1;
      return graph.staleVectors(limit);
    },
  };
  const told: string[] = [];
  const drift = await walkDrift(
    { graph: counting, vectors: vectorsOf([...ids, ...orphans]) },
    { onOrphaned: async some => void told.push(...some) },
  );
  expect(drift).toEqual({ memoryCount: 0, vectorCount: TOTAL + 2, missingCount: 0, orphanedCount: 2 });
  expect(told).toEqual(orphans);
  expect(reads).toBe(1);
});

it('leaves out a vector whose memory is stored again during the walk', async () => {
  const graph = createGraphModel();
  const storedAgain = {
    ...graph,
    staleVectors: async (limit: number) => {
      await graph.saveMemories([{ memory: memory(1), work: [] }]);
      return graph.staleVectors(limit);
    },
  };
  const { orphanedCount } = await walkDrift({ graph: storedAgain, vectors: vectorsOf([idOf(1)]) });
  expect(orphanedCount).toBe(0);
});

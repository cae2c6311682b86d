/** Vectors match their memories even after outages and crashes. */
import { describe, expect, test } from 'vitest';
import { createVectorProjection } from '../../src/projection/create-projection.js';
import type { VectorStore } from '../../src/stores/vector-store.js';
import { idOf, memory } from '../support/records.js';
import { createGate } from '../support/turns.js';
import { change, openTestVectors } from './test-vectors.js';
import { outage } from './test-worker.js';

describe('stale vectors', () => {
  test('are removed or updated by the worker after writes to the graph store alone', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1, { content: 'apples', tags: ['old'] }), memory(2), memory(3));
    await vectors.work();
    await change(vectors, 1, { tags: ['new'] });
    await vectors.graph.deleteMemories([idOf(2)]);
    await vectors.work();
    expect(await vectors.vectorIds()).toEqual([1, 3]);
    expect(await vectors.nearest('apples', 'new')).toEqual([1]);
    expect(await vectors.nearest('apples', 'old')).toEqual([]);
    expect(await vectors.graph.staleVectors(10)).toEqual([]);
  });

  test('are repaired after an outage of the vector store', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1), memory(2));
    await vectors.work();
    await vectors.graph.deleteMemories([idOf(1)]);
    vectors.failVectors(outage());
    await vectors.work();
    expect(await vectors.graph.staleVectors(10)).toHaveLength(1);
    vectors.failVectors(undefined);
    await vectors.work();
    expect(await vectors.vectorIds()).toEqual([2]);
    expect(await vectors.graph.staleVectors(10)).toEqual([]);
  });

  test('are all repaired when there are more than a thousand', async () => {
    const vectors = await openTestVectors();
    const many = Array.from({ length: 1_100 }, (_, index) => memory(index + 1));
    await vectors.save(...many);
    await vectors.work();
    await vectors.graph.deleteMemories(many.slice(1).map(({ id }) => id));
    await vectors.work();
    expect(await vectors.vectorIds()).toEqual([1]);
    expect(await vectors.graph.staleVectors(10)).toEqual([]);
  });

  test('if their late removal by another process removes a newer vector, the worker restores that vector', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1, { content: 'trains' }));
    await vectors.work();
    const gate = createGate();
    const late: VectorStore = {
      ...vectors.vectors,
      remove: async ids => {
        await gate.pass();
        await vectors.vectors.remove(ids);
      },
    };
    const elsewhere = createVectorProjection({ graph: vectors.graph, vectors: late, onVectorFailure: () => {} });
    await change(vectors, 1, { content: 'apples' }, true);
    const removal = elsewhere.renew(memory(1, { content: 'apples' }), undefined);
    await vectors.work();
    expect(await vectors.closeness('apples')).toBeCloseTo(1, 2);
    gate.open();
    await removal;
    expect(await vectors.vectorIds()).toEqual([]);
    await vectors.work();
    expect(await vectors.closeness('apples')).toBeCloseTo(1, 2);
  });
});

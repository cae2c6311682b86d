/** Vectors follow what became of their memories, after outages and crashes too. */
import { describe, expect, test } from 'vitest';
import { idOf, memory } from '../support/records.js';
import { change, openTestVectors } from './test-vectors.js';
import { outage } from './test-worker.js';

describe('vectors that no longer match', () => {
  test('are removed or changed by the worker, though nobody did it with the write', async () => {
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

  test('wait out an outage of the vector store', async () => {
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

  test('are worked off by the thousand', async () => {
    const vectors = await openTestVectors();
    const many = Array.from({ length: 1_100 }, (_, index) => memory(index + 1));
    await vectors.save(...many);
    await vectors.work();
    await vectors.graph.deleteMemories(many.slice(1).map(({ id }) => id));
    await vectors.work();
    expect(await vectors.vectorIds()).toEqual([1]);
    expect(await vectors.graph.staleVectors(10)).toEqual([]);
  });
});

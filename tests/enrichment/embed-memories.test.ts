/** Embeds memories, including memories that change before, during or after the call of the model. */
import { describe, expect, test } from 'vitest';
import { embedMemories } from '../../src/enrichment/enrich-memories.js';
import { idOf, memory } from '../support/records.js';
import { createGate, letWorkRun } from '../support/turns.js';
import { change, DIMENSIONS, openTestVectors, type TestVectors } from './test-vectors.js';
import { outage } from './test-worker.js';

describe('embedding', () => {
  test('makes vectors that are found, and records the model', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1, { content: 'apples and pears' }), memory(2, { content: 'trains and ships' }));
    await vectors.work();
    expect((await vectors.nearest('pears'))[0]).toBe(1);
    expect((await vectors.nearest('ships'))[0]).toBe(2);
    const kept = await vectors.graph.getMemories([idOf(1)]);
    expect(kept.get(idOf(1))?.embedded_by).toBe(vectors.embedder.model);
  });

  test('keeps work queued when the vector store fails, and settles it after storing the vectors', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1));
    vectors.failVectors(outage());
    await vectors.work();
    expect(await vectors.graph.workCounts('embed')).toEqual({ pending: 1, inFlight: 0, failed: 0 });
    expect(await vectors.graph.countMemories({ embeddedBy: 'any' })).toBe(0);
    vectors.failVectors(undefined);
    await vectors.work();
    expect(await vectors.graph.countMemories({ embeddedBy: 'any' })).toBe(1);
    expect(await vectors.vectorIds()).toEqual([1]);
  });

  test('of old content does not replace the new vector when it finishes late in another process', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1, { content: 'trains and ships', tags: ['old'] }));
    const claim = () => vectors.graph.claimWork({ kind: 'embed', limit: 1, nowMs: 0, leaseMs: 60_000 });
    const late = await claim();
    await vectors.graph.updateMemory(idOf(1), current => ({
      memory: { ...current, content: 'apples and pears', tags: ['new'], tag_prefixes: ['new'] },
      work: ['embed'],
    }));
    expect(await embedMemories(vectors, await claim())).toHaveLength(1);
    expect(await embedMemories(vectors, late)).toEqual([]);
    expect(await vectors.graph.workCounts('embed')).toMatchObject({ pending: 1 });
    await vectors.work();
    expect(await vectors.closeness('apples and pears', 'new')).toBeCloseTo(1, 2);
  });

  test('that finishes late and is still correct is not repeated', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1, { content: 'apples' }));
    const late = await vectors.graph.claimWork({ kind: 'embed', limit: 1, nowMs: 0, leaseMs: 1 });
    await vectors.work();
    expect(await embedMemories(vectors, late)).toEqual([]);
    expect(await vectors.graph.workCounts('embed')).toMatchObject({ pending: 0 });
  });

  test('stores a supplied vector unchanged, without calling the model', async () => {
    const vectors = await openTestVectors();
    const [embedding] = await vectors.embedder.embed(['quite another text'], 'document');
    const records = [{ memory: memory(1), ...(embedding && { embedding }), work: ['embed' as const] }];
    await vectors.graph.saveMemories(records);
    let embedded: readonly string[] = [];
    vectors.onEmbed(texts => {
      embedded = texts;
    });
    await vectors.work();
    expect(embedded).toEqual([]);
    const [hit] = await vectors.vectors.search({
      vector: embedding ?? new Float32Array(DIMENSIONS),
      limit: 1,
      filter: {},
      models: ['supplied'],
    });
    expect(hit?.similarity).toBeCloseTo(1, 2);
    const kept = await vectors.graph.getMemories([idOf(1)]);
    expect(kept.get(idOf(1))?.embedded_by).toBe('supplied');
  });

  test('makes a vector itself when the supplied one has another length than VECTOR_SIZE', async () => {
    const vectors = await openTestVectors();
    const embedding = Float32Array.from([1, 2, 3]);
    await vectors.graph.saveMemories([{ memory: memory(1, { content: 'apples' }), embedding, work: ['embed'] }]);
    await vectors.work();
    expect(await vectors.nearest('apples')).toEqual([1]);
    expect(await vectors.graph.workCounts('embed')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
  });

  test('fails and settles nothing when the embedder returns too few vectors', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1), memory(2));
    const broken = { ...vectors.embedder, embed: async () => [new Float32Array(DIMENSIONS).fill(1)] };
    await expect(embedMemories({ ...vectors, embedder: broken }, await vectors.claim())).rejects.toThrow(/no vector/);
    expect(await vectors.graph.countMemories({ embeddedBy: 'any' })).toBe(0);
  });
});

describe('a memory that changes while it is being embedded', () => {
  async function inFlight() {
    const vectors = await openTestVectors();
    await vectors.save(memory(1, { content: 'apples', tags: ['old'] }), memory(2, { content: 'trains' }));
    const gate = createGate();
    vectors.onEmbed(() => gate.pass());
    const pass = vectors.work();
    await letWorkRun();
    return {
      vectors,
      land: async () => {
        vectors.onEmbed(() => {});
        gate.open();
        await pass;
      },
    };
  }

  test('has no vector after it is deleted', async () => {
    const { vectors, land } = await inFlight();
    await vectors.graph.deleteMemories([idOf(1)]);
    await land();
    expect(await vectors.vectorIds()).toEqual([2]);
    expect(await vectors.graph.staleVectors(10)).toEqual([]);
  });

  test('has no vector after it is deleted, even if another process has already settled its stale vector', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1), memory(2));
    const claims = await vectors.claim();
    await vectors.graph.deleteMemories([idOf(1)]);
    const notes = await vectors.graph.staleVectors(10);
    await vectors.graph.settleStaleVectors(notes.map(({ token }) => token));
    expect(await vectors.embed(claims)).toHaveLength(1);
    expect(await vectors.vectorIds()).toEqual([2]);
  });

  test('gets the vector of its new content', async () => {
    const { vectors, land } = await inFlight();
    await change(vectors, 1, { content: 'submarines', tags: ['new'] }, true);
    await land();
    expect((await vectors.nearest('submarines', 'new'))[0]).toBe(1);
    expect(await vectors.nearest('submarines', 'old')).toEqual([]);
    expect((await vectors.nearest('trains'))[0]).toBe(2);
    expect(await vectors.graph.workCounts('embed')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
    expect(await vectors.graph.countMemories({ embeddedBy: 'any' })).toBe(2);
  });

  test('gets a vector with the new tags when only its tags change', async () => {
    const { vectors, land } = await inFlight();
    await change(vectors, 1, { tags: ['new'] });
    await land();
    expect(await vectors.nearest('apples', 'old')).toEqual([]);
    expect(await vectors.nearest('apples', 'new')).toEqual([1]);
  });

  test('gets the vector of its new content when it is deleted and stored again under the same id', async () => {
    const { vectors, land } = await inFlight();
    await vectors.graph.deleteMemories([idOf(1)]);
    await vectors.save(memory(1, { content: 'submarines', tags: ['back'] }));
    await land();
    expect((await vectors.nearest('submarines', 'back'))[0]).toBe(1);
    expect(await vectors.vectorIds()).toEqual([1, 2]);
    expect(await vectors.graph.staleVectors(10)).toEqual([]);
  });

  const current = async ({ graph }: TestVectors) => {
    const found = (await graph.getMemories([idOf(1)])).get(idOf(1));
    if (!found) throw new Error('the memory is there');
    return found;
  };
  async function renew(vectors: TestVectors, content: string) {
    await change(vectors, 1, { content }, true);
    const [vector] = await vectors.embedder.embed([content], 'document');
    return vectors.projection.renew(await current(vectors), vector && { vector, model: vectors.embedder.model });
  }

  test('keeps the vector of the update when the older vector is made later', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1, { content: 'apples' }), memory(2));
    const claims = await vectors.claim();
    await renew(vectors, 'submarines');
    await vectors.embed(claims);
    expect(await vectors.closeness('submarines')).toBeCloseTo(1, 2);
  });

  test('has the newer vector after an update that runs while the older vector is being written', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1, { content: 'apples' }), memory(2));
    const gate = createGate();
    vectors.onUpsert(() => gate.pass());
    const landing = vectors.embed(await vectors.claim());
    await letWorkRun();
    vectors.onUpsert(() => {});
    const renewal = renew(vectors, 'submarines');
    await letWorkRun();
    gate.open();
    await renewal;
    expect(await vectors.closeness('submarines')).toBeCloseTo(1, 2);
    await landing;
    expect(await vectors.closeness('submarines')).toBeCloseTo(1, 2);
  });

  test('has a vector with the new tags at once when its tags change before the vector is written', async () => {
    const vectors = await openTestVectors();
    await vectors.save(memory(1, { content: 'apples', tags: ['old'] }));
    const claims = await vectors.claim();
    await change(vectors, 1, { tags: ['new'] });
    await vectors.projection.refresh(await current(vectors));
    await vectors.embed(claims);
    expect(await vectors.nearest('apples', 'new')).toEqual([1]);
    expect(await vectors.nearest('apples', 'old')).toEqual([]);
  });
});

/** GraphStore contract: new memories may arrive in parts, while the caller still makes later parts. */
import { expect, test } from 'vitest';
import type { Memory } from '../../src/domain/memory.js';
import type { NewRecord } from '../../src/stores/ports/memory-store.js';
import type { WorkKind } from '../../src/stores/ports/work-queue.js';
import { memory } from '../support/records.js';
import { type GraphHarness, numbersOf } from './graph-harness.js';

const manyFrom = (first: number, count: number, content = 'sailing boats') =>
  Array.from({ length: count }, (_, index) => memory(first + index, { content, tags: [`boat:b${index % 3}`] }));

/** @param wait called after each part, except the last */
async function* inParts(
  memories: readonly Memory[],
  { size = 4, work = [], wait = () => Promise.resolve() }: Partial<PartOptions> = {},
): AsyncGenerator<readonly NewRecord[]> {
  for (let start = 0; start < memories.length; start += size) {
    if (start > 0) await wait();
    yield memories.slice(start, start + size).map(each => ({ memory: each, work }));
  }
}

async function* onePart(records: readonly NewRecord[]): AsyncGenerator<readonly NewRecord[]> {
  yield records;
}

interface PartOptions {
  size: number;
  work: readonly WorkKind[];
  wait(): Promise<void>;
}

export function describeParts(graph: GraphHarness): void {
  test.each([1, 3, 12])('%i memories are saved with their indexes and their work', async count => {
    const memories = manyFrom(1, count);
    const outcomes = await graph.store.saveMemories(inParts(memories, { work: ['embed', 'enrich'] }));
    expect(outcomes).toEqual(memories.map(() => 'created'));
    await graph.reopen();
    const ids = memories.map(({ id }) => id);
    expect([...(await graph.store.getMemories(ids)).values()]).toEqual(memories);
    expect(await graph.found('sailing')).toHaveLength(count);
    expect(numbersOf(await graph.store.list({ filter: {}, order: 'oldest', limit: 50 }))).toHaveLength(count);
    expect(await graph.store.workCounts('embed')).toEqual({ pending: count, inFlight: 0, failed: 0 });
    const claim = { kind: 'enrich', limit: 50, nowMs: Date.now(), leaseMs: 1_000 } as const;
    expect(await graph.store.claimWork(claim)).toEqual([]);
    expect(await graph.store.claimWork({ ...claim, kind: 'embed' })).toHaveLength(count);
  });

  test('nothing is saved if the caller fails to make a part, and later writes succeed', async () => {
    const failing = inParts(manyFrom(1, 20), { wait: failureOf(3) });
    await expect(graph.store.saveMemories(failing)).rejects.toThrow('no more parts');
    await graph.reopen();
    expect(await graph.store.countMemories()).toBe(0);
    expect(await graph.found('sailing')).toEqual([]);
    expect(await graph.store.saveMemories(inParts(manyFrom(1, 20)))).toHaveLength(20);
    expect(await graph.store.countMemories()).toBe(20);
  });

  test('nothing is saved if a memory of a late part conflicts, and the error gives its index', async () => {
    await graph.saveAll({ content: 'first' });
    const memories = [...manyFrom(2, 9), memory(1, { content: 'other' }), ...manyFrom(11, 3)];
    await expect(graph.store.saveMemories(inParts(memories))).rejects.toMatchObject({ code: 'conflict', index: 9 });
    await graph.reopen();
    expect(await graph.store.countMemories()).toBe(1);
    expect(await graph.found('sailing')).toEqual([]);
  });

  test('the same memory in two parts is saved once', async () => {
    const outcomes = await graph.store.saveMemories(
      inParts([...manyFrom(1, 8), memory(2, { content: 'sailing boats' })]),
    );
    expect(outcomes).toEqual([...Array.from({ length: 8 }, () => 'created'), 'replayed']);
    expect(await graph.found('sailing')).toHaveLength(8);
  });

  test.each([2, 12])(
    'if a memory exists that is marked as new, neither it nor the %i others are saved',
    async count => {
      const [there] = manyFrom(1, 1);
      await graph.save([there as Memory]);
      const records = [...manyFrom(2, count), there as Memory].map(each => ({ memory: each, work: [] }));
      const marked = records.map((record): NewRecord => ({ ...record, isNew: true }));
      await expect(graph.store.saveMemories(onePart(marked))).rejects.toMatchObject({ code: 'conflict', index: count });
      expect(await graph.store.countMemories()).toBe(1);
      expect(await graph.store.saveMemories(onePart([...marked.slice(0, -1), ...records]))).toEqual([
        ...Array.from({ length: count }, () => 'created'),
        ...Array.from({ length: count + 1 }, () => 'replayed'),
      ]);
      expect(await graph.store.countMemories()).toBe(count + 1);
    },
  );

  test('two batches whose parts alternate are both saved, and single memories are saved meanwhile', async () => {
    let saved = 0;
    const wait = async () => {
      saved += 1;
      await graph.save([memory(1_000 + saved)]);
    };
    const outcomes = await Promise.all([
      graph.store.saveMemories(inParts(manyFrom(1, 16, 'sailing boats'), { wait })),
      graph.store.saveMemories(inParts(manyFrom(101, 16, 'rowing boats'), { wait })),
    ]);
    expect(outcomes.flat()).toEqual(Array.from({ length: 32 }, () => 'created'));
    expect((await graph.found('sailing')).sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
    expect(await graph.found('rowing')).toHaveLength(16);
    expect(await graph.store.countMemories()).toBe(32 + saved);
  });
}

/** Returns a function that rejects only at the given call, counted from 1. */
function failureOf(call: number): () => Promise<void> {
  let count = 0;
  return async () => {
    count += 1;
    if (count === call) throw new Error('no more parts');
  };
}

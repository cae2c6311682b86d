/** Batches of new memories in SQLite: batches that fail, and that are still being saved at the end. */
import { expect, onTestFinished, test } from 'vitest';
import type { NewRecord } from '../../src/stores/ports/memory-store.js';
import { openSqlitePair, openSqliteStore } from '../../src/stores/sqlite/store.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, memory } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function record(number: number, vector = [1, 0, 0, 0]): NewRecord {
  return { memory: { ...memory(number), embedded_by: 'm' }, vector: Float32Array.from(vector), work: [] };
}

const records = (first: number, count: number) => Array.from({ length: count }, (_, index) => record(first + index));

test('a batch that cannot be saved names the cause, and another batch is saved with its vectors', async () => {
  const folder = temporaryFolder();
  const { graph, vectors } = openSqlitePair(folder.path, { dimensions: 4, clock: createManualClock() });
  onTestFinished(async () => {
    await vectors.close();
    await graph.close();
    folder.remove();
  });
  const bad = graph.saveMemories([...records(31, 20), record(51, [0, 0, 0, 0])]);
  const good = graph.saveMemories(records(1, 20));
  await expect(bad).rejects.toThrow(/not all zero/);
  expect(await good).toHaveLength(20);
  expect(await graph.countMemories()).toBe(20);
  const search = { vector: Float32Array.of(1, 1, 1, 0), limit: 100, filter: {}, models: ['m'] };
  expect((await vectors.search(search)).map(({ id }) => id)).toContain(idOf(20));
});

test.each([3, 300])(
  'closing the store waits until %i memories are saved, and further memories are refused',
  async count => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const store = openSqliteStore(folder.path);
    const saving = store.saveMemories(records(1, count));
    const closing = store.close();
    await expect(store.saveMemories(records(1_000, count))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await saving).toHaveLength(count);
    await closing;
    const again = openSqliteStore(folder.path);
    expect(await again.countMemories()).toBe(count);
    await again.close();
  },
);

test('a memory is saved before a change that is requested right after it', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const store = openSqliteStore(folder.path);
  const saving = store.saveMemories([record(1)]);
  const changed = await store.updateMemory(idOf(1), current => ({ memory: { ...current, importance: 1 }, work: [] }));
  expect(changed).toMatchObject({ importance: 1 });
  await saving;
  await store.close();
});

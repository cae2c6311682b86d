/** The thread that saves batches: batches that fail, that are lost, and that are still being saved at the end. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/stores/database/connection.js';
import type { NewRecord } from '../../src/stores/ports/memory-store.js';
import { createBatchWriter } from '../../src/stores/sqlite/batch-writer.js';
import { prepareTables } from '../../src/stores/sqlite/schema.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { idOf, memory } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const DIMENSIONS = 4;

function openForTest() {
  const folder = temporaryFolder();
  const path = join(folder.path, 'memories.db');
  const connection = connect(path);
  prepareTables(connection);
  const writer = createBatchWriter({ path, dimensions: DIMENSIONS });
  onTestFinished(async () => {
    await writer.close();
    connection.close();
    folder.remove();
  });
  const stored = () => connection.all<{ id: string }>('SELECT id FROM memories ORDER BY id').map(({ id }) => id);
  return { writer, stored };
}

function record(number: number, vector = [1, 0, 0, 0]): NewRecord {
  return { memory: { ...memory(number), embedded_by: 'm' }, vector: Float32Array.from(vector), work: [] };
}

const records = (first: number, count: number) => Array.from({ length: count }, (_, index) => record(first + index));

test('a batch that cannot be saved names the cause, and another open batch is saved', async () => {
  const { writer, stored } = openForTest();
  const [bad, good] = [writer.open(), writer.open()];
  good.add([record(1)]);
  bad.add([record(3), record(4, [0, 0, 0, 0])]);
  good.add([record(2)]);
  await expect(bad.save()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/could not be saved: .*not all zero/),
  });
  expect((await good.save()).outcomes).toEqual(['created', 'created']);
  expect(stored()).toEqual([idOf(1), idOf(2)]);
});

test('a batch whose records were dropped is not reported as saved', async () => {
  const { writer, stored } = openForTest();
  const batch = writer.open();
  batch.add([record(1), record(2)]);
  batch.drop();
  await expect(batch.save()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/0 of 2 records/),
  });
  expect(stored()).toEqual([]);
});

test('a batch whose thread has ended is not reported as saved, and the next batch gets a new thread', async () => {
  const { writer, stored } = openForTest();
  const batch = writer.open();
  batch.add([record(1)]);
  await writer.close();
  await expect(batch.save()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/thread has ended/),
  });
  const next = writer.open();
  next.add([record(2)]);
  await next.save();
  expect(stored()).toEqual([idOf(2)]);
});

test('a batch that is saved while the thread ends is neither reported as saved nor saved', async () => {
  const { writer, stored } = openForTest();
  const batch = writer.open();
  batch.add([record(1)]);
  const closing = writer.close();
  await expect(batch.save()).rejects.toMatchObject({ message: expect.stringMatching(/thread has ended/) });
  await closing;
  expect(stored()).toEqual([]);
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

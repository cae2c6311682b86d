/** A batch whose thread ends between the commit and its report: the caller gets an error, but the memories are stored. */
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlitePair } from '../../src/stores/sqlite/store.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, memory } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Ends the thread of the next batch that is saved, instead of passing on its report. */
function endBeforeReport(): void {
  const { emit } = Worker.prototype;
  const restore = () => {
    Worker.prototype.emit = emit;
  };
  onTestFinished(restore);
  Worker.prototype.emit = function (this: Worker, event: string, ...values: unknown[]) {
    const [value] = values;
    const isReport = event === 'message' && typeof value === 'object' && value !== null && 'outcomes' in value;
    if (!isReport) return emit.call(this, event as 'message', ...(values as [unknown]));
    restore();
    void this.terminate();
    return true;
  };
}

test('memories of a batch whose report was lost are counted and found by their vectors', async () => {
  const folder = temporaryFolder();
  const { graph, vectors } = openSqlitePair(folder.path, { dimensions: 4, clock: createManualClock() });
  onTestFinished(async () => {
    await vectors.close();
    await graph.close();
    folder.remove();
  });
  const records = (first: number) =>
    Array.from({ length: 20 }, (_, index) => ({
      memory: { ...memory(first + index), embedded_by: 'm' },
      vector: Float32Array.of(first, index, 1, 0),
      work: [],
    }));
  const search = { vector: Float32Array.of(1, 1, 1, 0), limit: 100, filter: {}, models: ['m'] };
  await graph.saveMemories(records(1));
  expect(await vectors.search(search)).toHaveLength(20);

  endBeforeReport();
  const few = [{ memory: memory(100), work: [] }];
  const outcomes = await Promise.allSettled([graph.saveMemories(records(21)), graph.saveMemories(few)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(await graph.countMemories()).toBe(41);
  expect((await vectors.search(search)).map(({ id }) => id)).toContain(idOf(40));
  expect(await graph.saveMemories(records(21))).toEqual(records(21).map(() => 'replayed'));
  expect(await graph.countMemories()).toBe(41);
});

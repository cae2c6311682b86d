/** Tests when the worker starts work, how large its batches are, how it stops, and when it tidies. */
import { describe, expect, test } from 'vitest';
import { createGate, letWorkRun } from '../support/turns.js';
import { numbers, openTestWorker } from './test-worker.js';

describe('a worker starts work', () => {
  test('at its own start, when an earlier process left unfinished work', async () => {
    const { clock, batches } = await openTestWorker({ waiting: [1, 2] });
    clock.advance(0);
    await letWorkRun();
    expect(batches).toEqual([[1, 2]]);
  });

  test('at once when a memory is added', async () => {
    const { clock, batches, add } = await openTestWorker();
    clock.advance(0);
    await letWorkRun();
    await add(1, 2);
    clock.advance(0);
    await letWorkRun();
    expect(batches).toEqual([[1, 2]]);
  });

  test('in batches of at most the configured size, oldest memories first', async () => {
    const { worker, batches, graph } = await openTestWorker({ waiting: numbers(45) });
    await worker.drain();
    expect(batches.map(batch => batch.length)).toEqual([20, 20, 5]);
    expect(batches.flat()).toEqual(numbers(45));
    expect(worker.stats).toMatchObject({ successes: 45, failures: 0 });
    expect(await graph.workCounts('embed')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
  });

  test('that arrived during a pass, without another notification', async () => {
    const { clock, worker, batches, add, onBatch } = await openTestWorker({ waiting: [1] });
    const gate = createGate();
    onBatch(() => gate.pass());
    const pass = worker.drain();
    await letWorkRun();
    await add(2);
    onBatch(() => {});
    gate.open();
    await pass;
    clock.advance(0);
    await letWorkRun();
    expect(batches).toEqual([[1], [2]]);
  });

  test('without a notification, when the lease of another process expires', async () => {
    const { clock, batches, claimElsewhere } = await openTestWorker({ waiting: [1, 2] });
    await claimElsewhere(60_000);
    clock.advance(0);
    await letWorkRun();
    clock.advance(59_999);
    await letWorkRun();
    expect(batches).toEqual([]);
    clock.advance(1);
    await letWorkRun();
    expect(batches).toEqual([[1, 2]]);
  });

  test('in one pass at a time, even when several passes are requested', async () => {
    const { worker, batches, onBatch } = await openTestWorker({ waiting: numbers(30) });
    let running = 0;
    onBatch(async () => {
      expect(++running).toBe(1);
      await letWorkRun(3);
      running--;
    });
    await Promise.all([worker.drain(), worker.drain(), worker.drain()]);
    expect(batches.flat()).toEqual(numbers(30));
  });

  test('and yields to the event loop between two batches', async () => {
    const { worker, batches } = await openTestWorker({ waiting: numbers(40) });
    const seen: number[] = [];
    const look = () => {
      seen.push(batches.length);
      if (batches.length < 2) setImmediate(look);
    };
    setImmediate(look);
    await worker.drain();
    await letWorkRun();
    expect(seen).toContain(1);
  });
});

describe('a worker that is stopped', () => {
  test('finishes the batch in flight and leaves all other work pending', async () => {
    const { clock, worker, batches, graph, onBatch } = await openTestWorker({ waiting: numbers(25) });
    const gate = createGate();
    onBatch(() => gate.pass());
    const pass = worker.drain();
    await letWorkRun();
    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    await letWorkRun();
    expect([isStopped, worker.isRunning]).toEqual([false, false]);
    gate.open();
    await Promise.all([stopping, pass]);
    expect(batches).toEqual([numbers(20)]);
    expect(await graph.workCounts('embed')).toEqual({ pending: 5, inFlight: 0, failed: 0 });
    worker.notify();
    clock.advance(3_600_000);
    await worker.drain();
    await letWorkRun();
    expect(batches).toHaveLength(1);
  });

  test('can be stopped a second time without an error', async () => {
    const { worker } = await openTestWorker();
    expect(worker.isRunning).toBe(true);
    await worker.stop();
    await worker.stop();
    expect(worker.isRunning).toBe(false);
  });
});

describe("the worker's tidying", () => {
  test('runs when no batch is left, and repeats until nothing is left to tidy', async () => {
    const order: string[] = [];
    let left = 2;
    const { worker, onBatch } = await openTestWorker({
      waiting: numbers(25),
      tidy: async () => {
        order.push('tidy');
        return left-- > 0;
      },
    });
    onBatch(batch => order.push(`batch of ${batch.length}`));
    await worker.drain();
    expect(order).toEqual(['batch of 20', 'batch of 5', 'tidy', 'tidy', 'tidy']);
  });

  test('is tried again after a failure', async () => {
    let tries = 0;
    const { clock, failures, worker } = await openTestWorker({
      tidy: async () => {
        if (++tries === 1) throw new Error('no');
        return false;
      },
    });
    await worker.drain();
    expect(failures).toEqual([{ message: 'no', isFinal: false }]);
    clock.advance(5_000);
    await letWorkRun();
    expect(tries).toBe(2);
  });
});

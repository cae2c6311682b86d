/** How the worker reacts to failing work, to unavailable services, and to batches that take long. */
import { describe, expect, test } from 'vitest';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { withWriteGuard } from '../../src/stores/write-guard.js';
import { createGate, letWorkRun } from '../support/turns.js';
import { numbers, openTestWorker, outage } from './test-worker.js';

describe('failing work', () => {
  test('is tried again after waits that double, and given up after the last attempt', async () => {
    const { clock, batches, graph, failures, onBatch, worker } = await openTestWorker({
      waiting: [1],
      settings: { maxAttempts: 4 },
    });
    onBatch(() => {
      throw new Error('no');
    });
    clock.advance(0);
    await letWorkRun();
    for (const [attempts, waitMs] of [
      [1, 5_000],
      [2, 10_000],
      [3, 20_000],
    ] as const) {
      expect(batches).toHaveLength(attempts);
      expect(await graph.workCounts('embed')).toEqual({ pending: 1, inFlight: 0, failed: 0 });
      clock.advance(waitMs - 1);
      await letWorkRun();
      expect(batches).toHaveLength(attempts);
      clock.advance(1);
      await letWorkRun();
    }
    expect(failures.map(({ isFinal }) => isFinal)).toEqual([false, false, false, true]);
    expect(await graph.workCounts('embed')).toEqual({ pending: 0, inFlight: 0, failed: 1 });
    clock.advance(86_400_000);
    await letWorkRun();
    expect(batches).toHaveLength(4);
    expect(worker.stats).toMatchObject({ successes: 0, failures: 4, lastError: 'no', lastSuccessId: null });
  });

  test.each([
    ['back by a day', '2026-02-28T12:00:00.000Z'],
    ['back by ten years', '2016-03-01T12:00:00.000Z'],
    ['forward by a year', '2027-03-01T12:00:00.000Z'],
  ])('is tried again even if the clock is set %s', async (_, time) => {
    const { clock, batches, graph, add, onBatch } = await openTestWorker({ waiting: [1] });
    onBatch(() => {
      onBatch(() => {});
      throw new Error('no');
    });
    clock.advance(0);
    await letWorkRun();
    clock.set(time);
    clock.advance(5_000);
    await letWorkRun();
    expect(batches).toEqual([[1], [1]]);
    await add(2);
    clock.advance(2_000);
    await letWorkRun();
    expect(batches).toEqual([[1], [1], [2]]);
    expect(await graph.workCounts('embed')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
  });

  test('uses up only one attempt when the clock is set back', async () => {
    const { clock, batches, graph, onBatch } = await openTestWorker({ waiting: [1], settings: { maxAttempts: 4 } });
    onBatch(() => {
      throw new Error('no');
    });
    clock.advance(0);
    await letWorkRun();
    clock.set('2026-02-28T12:00:00.000Z');
    clock.advance(5_000);
    await letWorkRun();
    expect(batches).toHaveLength(2);
    expect(await graph.workCounts('embed')).toEqual({ pending: 1, inFlight: 0, failed: 0 });
    clock.advance(9_999);
    await letWorkRun();
    expect(batches).toHaveLength(2);
    clock.advance(1);
    await letWorkRun();
    expect(batches).toHaveLength(3);
  });

  test('is not taken from a process that has claimed it and whose clock is hours ahead', async () => {
    const { clock, batches, graph, add } = await openTestWorker({ waiting: [1] });
    const nowMs = clock.nowMs() + 7_200_000;
    const [claim] = await graph.claimWork({ kind: 'embed', limit: 1, nowMs, leaseMs: 60_000 });
    await add(2);
    clock.advance(300_000);
    await letWorkRun();
    expect(batches).toEqual([[2]]);
    expect(await graph.settleWork([claim?.token ?? ''], { embeddedBy: 'm' })).toHaveLength(1);
  });

  test('never waits longer than five minutes for the next attempt', async () => {
    const { clock, batches, onBatch } = await openTestWorker({ waiting: [1], settings: { maxAttempts: 20 } });
    onBatch(() => {
      throw new Error('no');
    });
    clock.advance(0);
    await letWorkRun();
    for (let attempt = 1; attempt < 12; attempt++) {
      clock.advance(300_000);
      await letWorkRun();
    }
    expect(batches.length).toBeGreaterThanOrEqual(12);
  });

  test('does not make the other memories of its batch fail', async () => {
    const { worker, batches, graph, failures, onBatch } = await openTestWorker({ waiting: numbers(5) });
    onBatch(batch => {
      if (batch.includes(3)) throw new Error('poison');
    });
    await worker.drain();
    expect(batches).toEqual([numbers(5), [1], [2], [3], [4], [5]]);
    expect(await graph.workCounts('embed')).toEqual({ pending: 1, inFlight: 0, failed: 0 });
    expect(await graph.countMemories({ embeddedBy: 'any' })).toBe(4);
    expect(failures).toEqual([{ message: 'poison', isFinal: false }]);
    expect(worker.stats).toMatchObject({ successes: 4, failures: 1 });
  });

  test('counts the memories that its batch has settled, and tries only the others again', async () => {
    const { worker, batches, settled, failures, onBatch } = await openTestWorker({ waiting: numbers(5) });
    onBatch(async (batch, claims, settle) => {
      if (batch.length === 1) return;
      await settle(claims.slice(0, 3));
      throw new Error('no');
    });
    await worker.drain();
    expect(batches).toEqual([numbers(5), [4], [5]]);
    expect(settled).toEqual([3, 1, 1]);
    expect(worker.stats).toMatchObject({ successes: 5, failures: 0 });
    expect(failures).toEqual([]);
  });

  test('gets new attempts when the memory gets new work', async () => {
    const { clock, batches, graph, onBatch, worker } = await openTestWorker({
      waiting: [1],
      settings: { maxAttempts: 1 },
    });
    onBatch(() => {
      throw new Error('no');
    });
    await worker.drain();
    expect(await graph.workCounts('embed')).toMatchObject({ failed: 1 });
    const [id = ''] = await graph.list({ filter: {}, order: 'importance', limit: 1 });
    await graph.updateMemory(id, current => ({ memory: { ...current, content: 'other' }, work: ['embed'] }));
    onBatch(() => {});
    worker.notify();
    clock.advance(2_000);
    await letWorkRun();
    expect(batches).toHaveLength(2);
    expect(await graph.workCounts('embed')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
  });
});

describe('an outage', () => {
  test('uses up no attempt, however long it lasts', async () => {
    const attempts: number[] = [];
    const { clock, graph, failures, onBatch } = await openTestWorker({ waiting: [1] });
    onBatch((_, [claim]) => {
      attempts.push(claim?.attempt ?? 0);
      throw outage();
    });
    clock.advance(0);
    await letWorkRun();
    for (let round = 0; round < 10; round++) {
      clock.advance(300_000);
      await letWorkRun();
    }
    expect(attempts.length).toBeGreaterThan(10);
    expect(new Set(attempts)).toEqual(new Set([1]));
    expect(failures.every(({ isFinal }) => !isFinal)).toBe(true);
    onBatch(() => {});
    clock.advance(300_000);
    await letWorkRun();
    expect(await graph.workCounts('embed')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
    expect(await graph.countMemories({ embeddedBy: 'any' })).toBe(1);
  });

  test('ends the pass, and the next attempt follows after a wait that doubles each time', async () => {
    const { clock, batches, graph, failures, onBatch } = await openTestWorker({ waiting: numbers(60) });
    onBatch(() => {
      throw outage();
    });
    clock.advance(0);
    await letWorkRun();
    expect(batches).toEqual([numbers(20)]);
    expect(failures).toHaveLength(1);
    expect(await graph.workCounts('embed')).toEqual({ pending: 60, inFlight: 0, failed: 0 });
    for (const waitMs of [5_000, 10_000, 20_000]) {
      const tried = batches.length;
      clock.advance(waitMs - 1);
      await letWorkRun();
      expect(batches).toHaveLength(tried);
      clock.advance(1);
      await letWorkRun();
      expect(batches).toHaveLength(tried + 1);
    }
  });

  test('while a failed batch is tried memory by memory leaves the remaining memories pending', async () => {
    const { worker, graph, onBatch } = await openTestWorker({ waiting: numbers(4) });
    onBatch(batch => {
      if (batch.length > 1) throw new Error('split');
      if (batch[0] === 2) throw new Error('poison');
      if (batch[0] === 3) throw outage();
    });
    await worker.drain();
    expect(await graph.workCounts('embed')).toEqual({ pending: 3, inFlight: 0, failed: 0 });
    expect(await graph.countMemories({ embeddedBy: 'any' })).toBe(1);
  });

  test('of the queue itself only delays the work', async () => {
    let isAway = true;
    const { clock, batches, failures } = await openTestWorker({
      waiting: [1],
      wrap: graph => ({
        ...graph,
        claimWork: request => (isAway ? Promise.reject(outage()) : graph.claimWork(request)),
      }),
    });
    clock.advance(0);
    await letWorkRun();
    expect([batches, failures]).toEqual([[], [{ message: 'away', isFinal: false }]]);
    isAway = false;
    clock.advance(5_000);
    await letWorkRun();
    expect(batches).toEqual([[1]]);
  });
});

describe('due work that cannot be claimed, because writes are refused', () => {
  test('is looked for only after a wait', async () => {
    const refusals = [{ reason: 'the disk is full', hint: '' }];
    let passes = 0;
    const { clock, batches } = await openTestWorker({
      waiting: [1],
      wrap: graph => {
        const guarded = withWriteGuard(graph, { refusals, refuse: () => {} });
        const claimWork: GraphStore['claimWork'] = request => {
          passes += 1;
          return guarded.claimWork(request);
        };
        return { ...graph, claimWork };
      },
    });
    for (let turn = 0; turn < 20; turn++) {
      clock.advance(200);
      await letWorkRun();
    }
    expect(passes).toBe(1);
    refusals.length = 0;
    clock.advance(5_000);
    await letWorkRun();
    expect(batches).toEqual([[1]]);
  });
});

describe('a batch that takes long', () => {
  test('renews its leases as long as it runs, and not afterwards', async () => {
    let renewals = 0;
    const { clock, worker, graph, onBatch, claimElsewhere } = await openTestWorker({
      waiting: [1, 2],
      wrap: store => ({
        ...store,
        renewWork: (...renewal) => {
          renewals++;
          return store.renewWork(...renewal);
        },
      }),
    });
    const gate = createGate();
    onBatch(() => gate.pass());
    const pass = worker.drain();
    await letWorkRun();
    for (let round = 0; round < 10; round++) {
      clock.advance(20_000);
      await letWorkRun();
      expect(await claimElsewhere(1)).toEqual([]);
    }
    expect(renewals).toBe(10);
    gate.open();
    await pass;
    clock.advance(600_000);
    await letWorkRun();
    expect(renewals).toBe(10);
    expect(await graph.countMemories({ embeddedBy: 'any' })).toBe(2);
  });

  test('stops renewing its leases even if it ends during a renewal', async () => {
    let renewals = 0;
    const renewal = createGate();
    const { clock, worker, onBatch } = await openTestWorker({
      waiting: [1],
      wrap: store => ({
        ...store,
        renewWork: async (tokens, leaseUntilMs) => {
          renewals++;
          await renewal.pass();
          return store.renewWork(tokens, leaseUntilMs);
        },
      }),
    });
    const gate = createGate();
    onBatch(() => gate.pass());
    const pass = worker.drain();
    await letWorkRun();
    clock.advance(20_000);
    gate.open();
    await pass;
    renewal.open();
    await letWorkRun();
    clock.advance(600_000);
    await letWorkRun();
    expect(renewals).toBe(1);
  });

  test('continues to renew its leases after a failed renewal', async () => {
    let renewals = 0;
    const { clock, worker, failures, onBatch, claimElsewhere } = await openTestWorker({
      waiting: [1],
      wrap: store => ({
        ...store,
        renewWork: (...renewal) => (renewals++ === 0 ? Promise.reject(outage()) : store.renewWork(...renewal)),
      }),
    });
    const gate = createGate();
    onBatch(() => gate.pass());
    const pass = worker.drain();
    await letWorkRun();
    for (let round = 1; round <= 10; round++) {
      clock.advance(20_000);
      await letWorkRun();
      expect(renewals).toBe(round);
      expect(await claimElsewhere(1)).toEqual([]);
    }
    expect(failures).toHaveLength(1);
    gate.open();
    await pass;
  });
});

/** Tests runs of consolidation that fail, overlap or are interrupted. */
import { describe, expect, test } from 'vitest';
import { runNode } from '../../src/consolidation/run-records.js';
import { idOf } from '../support/records.js';
import { openGraphOf } from '../support/test-engine.js';
import { createGate, openApart } from './apart.js';
import { opened } from './opened.js';

/** Runs decay and forget once an hour, and disables the other tasks. */
const HOURLY = {
  DECAY_INTERVAL_SECONDS: '3600',
  FORGET_INTERVAL_SECONDS: '3600',
  CREATIVE_INTERVAL_SECONDS: '0',
  CLUSTER_INTERVAL_SECONDS: '0',
  ARCHIVE_THRESHOLD: '0.5',
  MAX_CHANGE_SHARE: '1',
};
const BY_HAND = { ...HOURLY, DECAY_INTERVAL_SECONDS: '0', FORGET_INTERVAL_SECONDS: '0' };

const fail = async () => {
  throw new Error('the disk is on fire');
};

describe('a failure', () => {
  test('of a task is reported in the response, in the history and by health', async () => {
    const { start, callerOf, store } = await openApart(BY_HAND);
    // Of all tasks, only `forget` calls `countMemories`.
    const { consolidation } = start({ countMemories: fail });
    const call = callerOf(consolidation);
    await store(400, 1);
    const { status, body } = await call('POST /consolidate', { mode: 'forget', dry_run: false });
    expect([status, body]).toEqual([
      500,
      {
        status: 'error',
        code: 500,
        error: 'Consolidation failed',
        message: 'Consolidation failed',
        details: 'the disk is on fire',
      },
    ]);
    const { history, next_runs } = (await call('GET /consolidate/status')).body;
    expect(history).toMatchObject([{ task: 'forget', state: 'failed', change_count: 0 }]);
    // Reading the history requires no token, but reading the details of a run does.
    expect(history[0]).not.toHaveProperty('problem');
    const { run } = (await call(`GET /consolidate/runs/${history[0].run_id}`)).body;
    expect(run.problem).toBe('the disk is on fire');
    expect(next_runs.forget).toBeNull();
    expect(consolidation.problems()).toEqual(['The last run of forget failed']);
    expect((await call('POST /consolidate', { mode: 'decay', dry_run: false })).status).toBe(200);
    expect(consolidation.problems()).toHaveLength(1);
  });

  test('of a dry run is not recorded in the history', async () => {
    const { start, callerOf } = await openApart(BY_HAND);
    const call = callerOf(start({ countMemories: fail }).consolidation);
    expect((await call('POST /consolidate', { mode: 'forget' })).status).toBe(500);
    expect((await call('GET /consolidate/status')).body.history).toEqual([]);
  });

  test('of a scheduled task keeps the task due, delays each retry longer, and delays no other task', async () => {
    const { start, failures, store } = await openApart(HOURLY);
    let isBroken = true;
    const { consolidation, tick } = start({ countMemories: async () => (isBroken ? fail() : 1) });
    await store(50, 1);
    await tick(61);
    expect(failures).toEqual([{ undertaking: 'forget', problem: 'the disk is on fire' }]);
    const due = (await consolidation.status()).nextRuns.forget;
    const statesOf = async (task: string) => {
      const { history } = await consolidation.status();
      return history.filter(run => run.task === task).map(({ state }) => state);
    };
    expect(await statesOf('decay')).toEqual(['done']);
    // The waits before the retries are ten, twenty and forty minutes.
    for (const [minutes, count] of [
      [9, 1],
      [1, 2],
      [19, 2],
      [1, 3],
      [39, 3],
    ] as const) {
      await tick(minutes);
      expect([minutes, failures.length]).toEqual([minutes, count]);
    }
    expect((await consolidation.status()).nextRuns.forget).toBe(due);
    expect((await statesOf('decay')).length).toBeGreaterThan(1);
    isBroken = false;
    await tick(1);
    expect(failures).toHaveLength(3);
    expect(await statesOf('forget')).toEqual(['done', 'failed', 'failed', 'failed']);
    expect(consolidation.problems()).toEqual([]);
  });

  test('of the cleanup after a run is reported, but the run counts as done', async () => {
    const { start, callerOf, failures } = await openApart(BY_HAND);
    const call = callerOf(start({ deleteNodes: fail }).consolidation);
    expect((await call('POST /consolidate', { mode: 'decay', dry_run: false })).status).toBe(200);
    expect((await call('GET /consolidate/status')).body.history).toMatchObject([{ task: 'decay', state: 'done' }]);
    expect(failures).toEqual([{ undertaking: 'tidying up', problem: 'the disk is on fire' }]);
  });

  test('to read the state makes the status request answer 500 with the cause', async () => {
    const { start, callerOf } = await openApart(BY_HAND);
    const call = callerOf(start({ listNodes: fail }).consolidation);
    expect(await call('GET /consolidate/status')).toMatchObject({
      status: 500,
      body: { error: 'Failed to get status', details: 'the disk is on fire' },
    });
  });
});

describe('a run while another one is in progress', () => {
  /** Prepares a process whose run of decay stops at a gate, and a second process on the same stores. */
  async function openHeld(env: Record<string, string>) {
    const apart = await openApart(env);
    await apart.store(50, 1, 2);
    const startHeld = () => {
      const gate = createGate();
      const countRelations = async (ids: readonly string[]) => {
        await gate.pass();
        return apart.graph.countRelations(ids);
      };
      return { gate, ...apart.start({ countRelations }) };
    };
    const first = startHeld();
    return { ...apart, gate: first.gate, first, second: apart.start(), startHeld };
  }

  test('is refused in every process, as is undoing a run, but reading the status is allowed', async () => {
    const { gate, first, second, callerOf } = await openHeld(BY_HAND);
    const running = callerOf(first.consolidation)('POST /consolidate', { mode: 'decay', dry_run: false });
    await gate.reached;
    for (const { consolidation } of [first, second]) {
      const call = callerOf(consolidation);
      for (const json of [{ mode: 'decay', dry_run: false }, {}]) {
        const { status, body } = await call('POST /consolidate', json);
        expect([status, body.error]).toEqual([
          409,
          'A run of consolidation is in progress; try again when it has ended',
        ]);
      }
      await expect(consolidation.undo(idOf(1))).rejects.toMatchObject({ code: 'conflict' });
      expect((await call('GET /consolidate/status')).body.history).toMatchObject([{ state: 'running' }]);
    }
    gate.open();
    const { status, body } = await running;
    expect([status, body.consolidation.updates]).toEqual([200, 2]);
    expect((await callerOf(second.consolidation)('POST /consolidate', {})).status).toBe(200);
  });

  test('is not started by the schedule, and does not count as a failure', async () => {
    const { gate, first, second, clock, failures } = await openHeld(HOURLY);
    await second.tick();
    clock.advance(3_600_000);
    await gate.reached;
    await second.tick();
    const { history } = await second.consolidation.status();
    expect(history.map(({ task, state }) => [task, state])).toEqual([['decay', 'running']]);
    gate.open();
    await first.settled();
    await second.tick();
    expect(failures).toEqual([]);
    const ended = (await second.consolidation.status()).history;
    expect(ended.map(({ task, state }) => `${task} ${state}`).sort()).toEqual(['decay done', 'forget done']);
  });

  test('ends and writes nothing if it has lost its lease', async () => {
    const { gate, first, startHeld, clock, callerOf, graph } = await openHeld(BY_HAND);
    const second = startHeld();
    const running = callerOf(first.consolidation)('POST /consolidate', { mode: 'decay', dry_run: false });
    await gate.reached;
    clock.advance(121_000);
    const later = second.consolidation.run({ mode: 'decay', isDryRun: false });
    await second.gate.reached;
    gate.open();
    const { status, body } = await running;
    expect([status, body.error]).toEqual([409, 'Another process has taken over consolidation']);
    expect((await graph.readRecords({ limit: 9 })).map(({ memory }) => memory.relevance_score)).toEqual([
      undefined,
      undefined,
    ]);
    second.gate.open();
    expect(await later).toMatchObject([{ count: 2 }]);
    const { history } = await second.consolidation.status();
    expect(history.map(({ state }) => state)).toEqual(['done', 'failed']);
    expect(await second.consolidation.undo(history[1]?.id ?? '')).toMatchObject({ undone: 0, skipped: 0 });
  });
});

describe('a run during which the process is stopped', () => {
  test('ends at its next page, delays the stop until then, and is not reported as a problem', async () => {
    const { start, callerOf, graph, store } = await openApart(BY_HAND);
    await store(50, 1);
    const gate = createGate();
    const { consolidation } = start({
      countRelations: async ids => {
        await gate.pass();
        return graph.countRelations(ids);
      },
    });
    const running = callerOf(consolidation)('POST /consolidate', { mode: 'decay', dry_run: false });
    await gate.reached;
    let isStopped = false;
    const stopping = consolidation.stop().then(() => {
      isStopped = true;
    });
    await new Promise(resolve => setImmediate(resolve));
    expect(isStopped).toBe(false);
    gate.open();
    await stopping;
    expect((await consolidation.status()).history).toMatchObject([
      { state: 'failed', problem: 'Engraph is being stopped', changeCount: 0 },
    ]);
    expect((await running).status).toBe(503);
    expect(consolidation.problems()).toEqual([]);
  });
});

describe('a run that was interrupted', () => {
  test('stays in the history as running, and the next run completes the work', async () => {
    const { store, call, run, reopen, config, clock } = await opened({
      ARCHIVE_THRESHOLD: '0.1',
      MAX_CHANGE_SHARE: '1',
    });
    await store({ days: 400, importance: 0.1, content: 'The spare fuse lies in the blue drawer' });
    await reopen(async () => {
      const graph = openGraphOf(config);
      const nowMs = clock.nowMs();
      const record = { durationSeconds: 0, count: 0, changeCount: 0, timestamp: new Date(nowMs).toISOString() };
      await graph.saveNode(runNode({ ...record, id: idOf(77), task: 'forget', state: 'running' }));
      await graph.takeLease({ name: 'consolidation', holder: 'gone', nowMs, untilMs: nowMs + 120_000 });
      await graph.close();
    });
    // Several processes may share a graph, so the lease of an ended process stays valid until it expires.
    clock.advance(121_000);
    expect((await run('forget')).forgotten).toBe(1);
    const { history } = (await call('GET /consolidate/status')).body;
    expect(history.map(({ state }: { state: string }) => state)).toEqual(['done', 'running']);
  });
});

/** Tests when the schedule starts runs, and how the status reports these runs. */
import { expect, test } from 'vitest';
import { idOf } from '../support/records.js';
import { ADMIN, opened } from './opened.js';

const DAY_MS = 86_400_000;

/** Waits until `isDone` returns true, because a timer starts the work of a tick in the background. */
async function settled(isDone: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 400; turn++) {
    if (await isDone()) return;
    await new Promise(resolve => setImmediate(resolve));
  }
  throw new Error('the condition was still false after 400 turns of the event loop');
}

async function opening(env: Record<string, string> = {}) {
  const parts = await opened(env);
  const status = async () => (await parts.call('GET /consolidate/status')).body;
  /** Advances the clock by one tick, and waits until the history contains `count` ended runs of the task. */
  const tick = async (task: string, count: number) => {
    parts.clock.advance(60_000);
    await settled(async () => {
      const { history } = await status();
      return (
        history.filter((run: { task: string; state: string }) => run.task === task && run.state !== 'running')
          .length === count
      );
    });
  };
  return { ...parts, status, tick };
}

test('a task is first due one interval after the first start, and a disabled task is never due', async () => {
  const { status, clock } = await opening();
  const nowMs = clock.nowMs();
  const { next_runs, history, thread_alive, tick_seconds } = await status();
  const days = (count: number) => new Date(nowMs + count * DAY_MS).toISOString();
  expect(next_runs).toEqual({ decay: days(1), creative: days(7), cluster: days(30), forget: null });
  expect([history, thread_alive, tick_seconds]).toEqual([[], true, 60]);
});

test('a task runs when its interval has passed, and not before', async () => {
  const { store, clock, status, tick, memory } = await opening();
  await store({ days: 50, id: idOf(1), content: 'A note', importance: 0.2 });
  clock.advance(60_000);
  await settled(async () => (await status()).next_runs.decay !== undefined);
  clock.advance(DAY_MS - 60_000);
  await tick('decay', 1);
  expect((await memory(idOf(1))).relevance_score).toBeGreaterThan(0);
  const { next_runs } = await status();
  expect(Date.parse(next_runs.decay) - clock.nowMs()).toBeGreaterThan(DAY_MS - 120_000);
});

test('the schedule survives a restart', async () => {
  const { clock, status, reopen, tick } = await opening({ FORGET_INTERVAL_SECONDS: '3600' });
  clock.advance(60_000);
  await settled(async () => true);
  const before = (await status()).next_runs;
  await reopen();
  clock.advance(3_600_000);
  await tick('forget', 1);
  expect((await status()).next_runs.decay).toBe(before.decay);
});

test('a task that ran while the clock was far ahead is due one interval after the clock is corrected', async () => {
  const { clock, status, tick, run } = await opening({
    ...{ FORGET_INTERVAL_SECONDS: '3600', DECAY_INTERVAL_SECONDS: '0' },
    ...{ CREATIVE_INTERVAL_SECONDS: '0', CLUSTER_INTERVAL_SECONDS: '0' },
  });
  clock.set('2030-01-01T00:00:00Z');
  await run('forget');
  clock.set('2026-03-02T00:00:00Z');
  clock.advance(60_000);
  await settled(async () => (await status()).next_runs.forget.startsWith('2026-03-02T01:01'));
  clock.advance(3_600_000);
  await tick('forget', 2);
});

test('a run that was stopped does not advance the schedule of its task', async () => {
  const { store, run, status, clock } = await opening({
    ARCHIVE_THRESHOLD: '0.9',
    FORGET_INTERVAL_SECONDS: '3600',
    MAX_CHANGE_SHARE: '0.1',
  });
  await store({ days: 400, content: 'one', importance: 0.1 }, { days: 400, content: 'two', importance: 0.1 });
  await run('decay');
  const before = (await status()).next_runs.forget;
  clock.advance(1_000);
  expect((await run('forget')).stopped).toContain('2 of 2 memories');
  const { next_runs, history } = await status();
  expect(history[0]).toMatchObject({ task: 'forget', state: 'stopped', forgotten: 0 });
  expect(next_runs.forget).toBe(before);
});

test('the history keeps only the newest runs', async () => {
  const { run, status, clock } = await opening({ HISTORY_LIMIT: '3' });
  for (let index = 0; index < 5; index++) {
    await run('decay');
    clock.advance(1_000);
  }
  const { history } = await status();
  expect(history).toHaveLength(3);
  const times = history.map(({ timestamp }: { timestamp: string }) => timestamp);
  expect(times).toEqual([...times].sort().reverse());
});

test('a frequent task does not remove the change lists of other tasks, so their runs can be undone', async () => {
  const { store, run, call, clock, memory } = await opening({
    ...{ HISTORY_LIMIT: '2', ARCHIVE_THRESHOLD: '0.2', MAX_CHANGE_SHARE: '1' },
    ...{ DECAY_INTERVAL_SECONDS: '0', CREATIVE_INTERVAL_SECONDS: '0', CLUSTER_INTERVAL_SECONDS: '0' },
  });
  await store({ days: 400, id: idOf(1), content: 'A note', importance: 0.1, type: 'Habit' });
  const { run_id } = await run('forget');
  for (let index = 0; index < 5; index++) {
    clock.advance(1_000);
    await run('decay');
  }
  expect((await call('POST /consolidate/undo', { run_id }, ADMIN)).body).toMatchObject({ undone: 1, skipped: 0 });
  expect((await memory(idOf(1))).archived).toBe(false);
});

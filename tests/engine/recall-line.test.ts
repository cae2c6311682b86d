/** Recalls are queued, and a recall that would wait too long is refused. */
import { expect, test } from 'vitest';
import { createRecallLine } from '../../src/engine/recall-line.js';
import { createManualClock } from '../support/manual-clock.js';
import { createGate, letWorkRun } from '../support/turns.js';

const AT_ONCE = 4;
/** One recall is already running, so one slot is taken. */
const FREE = AT_ONCE - 1;

/** Opens a queue in which one recall is running. The last finished recall took `durationMs`. */
async function openLine(durationMs: number) {
  const clock = createManualClock();
  const line = createRecallLine(clock);
  const gate = createGate();
  let begun = 0;
  const join = () =>
    line.inTurn(async () => {
      begun += 1;
      await gate.pass();
      return 'answer';
    });
  const ongoing = join();
  await line.inTurn(async () => clock.advance(durationMs));
  return { clock, line, join, gate, ongoing, begun: () => begun };
}

test('four recalls run at once, and the others after them', async () => {
  const { join, gate, begun } = await openLine(5);
  const all = Array.from({ length: 10 }, join);
  await letWorkRun();
  expect(begun()).toBe(AT_ONCE);
  gate.open();
  expect(await Promise.all(all)).toEqual(Array(10).fill('answer'));
});

test('many recalls may wait when each is fast', async () => {
  const { join, gate } = await openLine(5);
  const all = Array.from({ length: 1_000 }, join);
  gate.open();
  expect(await Promise.all(all)).toHaveLength(1_000);
});

test('a recall that would wait longer than five seconds is refused with a time to retry', async () => {
  const { join, gate } = await openLine(1_000);
  // Twenty waiting recalls take five seconds: four at once, one second each. While 21 wait, the next one is refused.
  const waiting = Array.from({ length: FREE + 21 }, join);
  await letWorkRun();
  await expect(join()).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'Too many recalls at once',
    retryAfterMs: 5_250,
  });
  gate.open();
  expect(await Promise.all(waiting)).toHaveLength(FREE + 21);
  expect(await join()).toBe('answer');
});

test('a few recalls may always wait, even if the last recalls were slow', async () => {
  const { join, gate } = await openLine(60_000);
  const few = Array.from({ length: FREE + 8 }, join);
  await letWorkRun();
  await expect(join()).rejects.toMatchObject({ code: 'too_many_requests' });
  gate.open();
  expect(await Promise.all(few)).toHaveLength(FREE + 8);
});

test('a burst that follows an empty queue is accepted, even if the recalls before it were slow', async () => {
  const { line, gate, ongoing } = await openLine(60_000);
  gate.open();
  await ongoing;
  const burst = Array.from({ length: 60 }, () => line.inTurn(async () => 'answer'));
  expect(await Promise.all(burst)).toHaveLength(60);
});

test('a recall that has waited longer than five seconds is refused when its turn comes', async () => {
  const { clock, join, gate } = await openLine(5);
  const begun = Array.from({ length: FREE }, join);
  const late = join();
  await letWorkRun();
  clock.advance(5_001);
  gate.open();
  await expect(late).rejects.toMatchObject({ code: 'too_many_requests', retryAfterMs: 5_001 });
  expect(await Promise.all(begun)).toHaveLength(FREE);
});

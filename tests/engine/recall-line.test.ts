/** Recalls wait in turn, and are refused where their turn would come too late. */
import { expect, test } from 'vitest';
import { createRecallLine } from '../../src/engine/recall-line.js';
import { createManualClock } from '../support/manual-clock.js';
import { createGate, letWorkRun } from '../support/turns.js';

const AT_ONCE = 4;

/** A line in which recalls have taken so long until now. */
async function openLine(durationMs: number) {
  const clock = createManualClock();
  const line = createRecallLine(clock);
  await line.inTurn(async () => clock.advance(durationMs));
  const gate = createGate();
  let begun = 0;
  const join = () =>
    line.inTurn(async () => {
      begun += 1;
      await gate.pass();
      return 'answer';
    });
  return { join, gate, begun: () => begun };
}

test('four are answered at once, and the others after them', async () => {
  const { join, gate, begun } = await openLine(5);
  const all = Array.from({ length: 10 }, join);
  await letWorkRun();
  expect(begun()).toBe(AT_ONCE);
  gate.open();
  expect(await Promise.all(all)).toEqual(Array(10).fill('answer'));
});

test('many wait where each takes little time', async () => {
  const { join, gate } = await openLine(5);
  const all = Array.from({ length: 1_000 }, join);
  gate.open();
  expect(await Promise.all(all)).toHaveLength(1_000);
});

test('one is refused where its turn would come after more than five seconds, and is told when to ask again', async () => {
  const { join, gate } = await openLine(1_000);
  // Twenty that wait take five seconds: four at once, each a second.
  const waiting = Array.from({ length: AT_ONCE + 21 }, join);
  await letWorkRun();
  await expect(join()).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'Too many recalls at once',
    retryAfterMs: 5_250,
  });
  gate.open();
  expect(await Promise.all(waiting)).toHaveLength(AT_ONCE + 21);
  expect(await join()).toBe('answer');
});

test('a few may always wait, however long the last ones took', async () => {
  const { join, gate } = await openLine(60_000);
  const few = Array.from({ length: AT_ONCE + 8 }, join);
  await letWorkRun();
  await expect(join()).rejects.toMatchObject({ code: 'too_many_requests' });
  gate.open();
  expect(await Promise.all(few)).toHaveLength(AT_ONCE + 8);
});

/** Long background work pauses while requests are being answered, but only for a limited time. */
import { expect, test } from 'vitest';
import { createForeground } from '../../src/engine/foreground.js';
import { createManualClock } from '../support/manual-clock.js';
import { createGate, letWorkRun } from '../support/turns.js';

function givingWay() {
  const clock = createManualClock();
  const foreground = createForeground(clock);
  let goesOn = false;
  const begin = () => {
    goesOn = false;
    void foreground.yieldToForeground().then(() => {
      goesOn = true;
    });
    return letWorkRun();
  };
  return { clock, foreground, begin, goesOn: () => goesOn };
}

test('long work continues at once when no request is being answered', async () => {
  const { begin, goesOn } = givingWay();
  await begin();
  expect(goesOn()).toBe(true);
});

test('long work continues when the last request has been answered or has failed', async () => {
  const { foreground, begin, goesOn } = givingWay();
  const [first, second] = [createGate(), createGate()];
  const answered = foreground.during(first.pass);
  const failed = foreground.during(async () => {
    await second.pass();
    throw new Error('no answer');
  });
  await begin();
  expect(goesOn()).toBe(false);
  first.open();
  await answered;
  await letWorkRun();
  expect(goesOn()).toBe(false);
  second.open();
  await expect(failed).rejects.toThrow('no answer');
  await letWorkRun();
  expect(goesOn()).toBe(true);
});

test('long work continues within a second even if a request takes longer, and waits again at each page', async () => {
  const { clock, foreground, begin, goesOn } = givingWay();
  const gate = createGate();
  const answered = foreground.during(gate.pass);
  for (let page = 0; page < 2; page++) {
    await begin();
    expect(goesOn()).toBe(false);
    clock.advance(1_000);
    await letWorkRun();
    expect(goesOn()).toBe(true);
  }
  gate.open();
  await answered;
});

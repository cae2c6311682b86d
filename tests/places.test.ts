/** Requests compute in the order of their arrival, a few at a time, and background work goes on between them. */
import { describe, expect, test } from 'vitest';
import { createPlaces, waitOutside } from '../src/places.js';
import { createManualClock } from './support/manual-clock.js';
import { createGate, letWorkRun } from './support/turns.js';

const PLACES = 4;
const WAITING = 512;

function open() {
  const clock = createManualClock();
  const places = createPlaces(clock);
  const begun: string[] = [];
  /** Starts a request that holds its place until the gate is opened. */
  const start = (name: string) => {
    const gate = createGate();
    const ended = places.take(async () => {
      begun.push(name);
      await gate.pass();
      return name;
    });
    return { gate, ended };
  };
  return { clock, places, begun, start };
}

describe('requests', () => {
  test('four have places, and the others get theirs in the order of arrival', async () => {
    const { begun, start } = open();
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(start);
    await letWorkRun();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    all[2]?.gate.open();
    await letWorkRun();
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const { gate } of all) gate.open();
    expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  test('the queue is bounded, and a request that is refused learns when to try again', async () => {
    const { start } = open();
    const all = Array.from({ length: PLACES + WAITING }, (_, index) => start(`${index}`));
    await expect(start('late').ended).rejects.toMatchObject({ code: 'too_many_requests', retryAfterMs: 1_000 });
    for (const { gate } of all) gate.open();
    await Promise.all(all.map(({ ended }) => ended));
    const next = start('next');
    next.gate.open();
    expect(await next.ended).toBe('next');
  });

  test('a failed request gives its place up', async () => {
    const { places } = open();
    const fail = () => places.take(() => Promise.reject(new Error('broken')));
    for (let round = 0; round < 3 * PLACES; round++) await expect(fail()).rejects.toThrow('broken');
    expect(await places.take(async () => 'answer')).toBe('answer');
  });

  test('a part of a request needs no other place, even if all are taken', async () => {
    const { places } = open();
    const whole = () => places.take(() => places.take(async () => 'part'));
    expect(await Promise.all(Array.from({ length: PLACES }, whole))).toEqual(Array(PLACES).fill('part'));
  });

  test('of long requests two compute at a time, and short ones pass those that wait', async () => {
    const { places, begun, start } = open();
    const gates = ['long 1', 'long 2', 'long 3', 'long 4', 'long 5'].map(name => {
      const gate = createGate();
      const ended = places.takeLong(async () => {
        begun.push(name);
        await gate.pass();
      });
      return { gate, ended };
    });
    const short = start('short');
    await letWorkRun();
    expect(begun).toEqual(['long 1', 'long 2', 'short']);
    gates[0]?.gate.open();
    await letWorkRun();
    expect(begun).toEqual(['long 1', 'long 2', 'short', 'long 3']);
    for (const { gate } of [...gates, short]) gate.open();
    await Promise.all([...gates, short].map(({ ended }) => ended));
    expect(begun).toEqual(['long 1', 'long 2', 'short', 'long 3', 'long 4', 'long 5']);
  });

  test('a request that waits for a model lets others have its place, also if parts of it wait in parallel', async () => {
    const { places, begun, start } = open();
    const answers = Array.from({ length: PLACES }, createGate);
    const asking = answers.map(gate =>
      places.take(() => Promise.all([waitOutside(gate.pass), waitOutside(gate.pass)])),
    );
    await letWorkRun();
    const all = ['a', 'b', 'c', 'd', 'e'].map(start);
    await letWorkRun();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    for (const gate of answers) gate.open();
    await letWorkRun();
    for (const { gate } of all) gate.open();
    await Promise.all([...asking, ...all.map(({ ended }) => ended)]);
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

describe('background work', () => {
  function background(places: ReturnType<typeof open>['places'], count: number) {
    let done = 0;
    for (let index = 0; index < count; index++) void places.afterRequests().then(() => (done += 1));
    return () => done;
  }

  test('goes on at once without requests, and when the last request has ended', async () => {
    const { places, start } = open();
    const first = background(places, 3);
    await letWorkRun();
    expect(first()).toBe(3);
    const requests = ['a', 'b'].map(start);
    const second = background(places, 3);
    await letWorkRun();
    expect(second()).toBe(0);
    for (const { gate } of requests) gate.open();
    await letWorkRun();
    expect(second()).toBe(3);
  });

  test('does one step every 50 ms while requests are answered without a pause', async () => {
    const { clock, places, start } = open();
    const { gate, ended } = start('long');
    const steps = background(places, 3);
    for (const expected of [0, 1, 2, 3]) {
      await letWorkRun();
      expect(steps()).toBe(expected);
      clock.advance(50);
    }
    gate.open();
    await ended;
  });
});

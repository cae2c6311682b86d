import { describe, expect, test } from 'vitest';
import { withCircuitBreaker } from '../src/circuit-breaker.js';
import { MemoryError } from '../src/domain/errors.js';
import { createManualClock } from './support/manual-clock.js';

const AWAY = new MemoryError('unavailable', 'The store cannot be reached');

function openGuarded(isAway?: (failure: MemoryError) => boolean) {
  const clock = createManualClock();
  const calls: string[] = [];
  const changes: boolean[] = [];
  let failure: Error | undefined;
  const answer = async (name: string) => {
    calls.push(name);
    if (failure) throw failure;
    return name;
  };
  const store = {
    description: 'a store',
    ping: () => answer('ping').then(() => undefined),
    read: (key: string) => answer(`read ${key}`),
    close: async () => void calls.push('close'),
  };
  const guarded = withCircuitBreaker(store, {
    clock,
    ...(isAway && { isAway }),
    onChange: ({ isReachable }) => void changes.push(isReachable),
  });
  return {
    guarded,
    calls,
    changes,
    clock,
    failWith: (error: Error | undefined) => {
      failure = error;
    },
    /** Advances the clock and waits until a due ping has ended. */
    advance: async (durationMs: number) => {
      clock.advance(durationMs);
      await new Promise(resolve => setImmediate(resolve));
    },
  };
}

describe('a store behind a circuit breaker', () => {
  test('receives every call while it answers', async () => {
    const { guarded, calls } = openGuarded();
    expect(await guarded.read('a')).toBe('read a');
    expect(guarded.description).toBe('a store');
    await guarded.close();
    expect(calls).toEqual(['read a', 'close']);
  });

  test('is not called after a failure until it answers a ping', async () => {
    const { guarded, calls, changes, advance, failWith } = openGuarded();
    failWith(AWAY);
    await expect(guarded.read('a')).rejects.toBe(AWAY);
    await expect(guarded.read('b')).rejects.toBe(AWAY);
    await expect(guarded.ping()).rejects.toBe(AWAY);
    expect(calls).toEqual(['read a']);
    await advance(50);
    await expect(guarded.read('c')).rejects.toBe(AWAY);
    failWith(undefined);
    await expect(guarded.read('d')).rejects.toBe(AWAY);
    await advance(100);
    expect(await guarded.read('e')).toBe('read e');
    expect(calls).toEqual(['read a', 'ping', 'ping', 'read e']);
    expect(changes).toEqual([false, true]);
  });

  test('is pinged less and less often while it fails, but at least every five seconds', async () => {
    const { guarded, calls, advance, failWith } = openGuarded();
    failWith(AWAY);
    await expect(guarded.read('a')).rejects.toBe(AWAY);
    for (let step = 0; step < 600; step++) await advance(100);
    const pings = calls.length - 1;
    expect(pings).toBeGreaterThan(12);
    expect(pings).toBeLessThan(25);
    failWith(undefined);
    for (let step = 0; step < 51; step++) await advance(100);
    expect(await guarded.read('b')).toBe('read b');
  });

  test('stays in use after a failure unrelated to the store', async () => {
    const { guarded, calls, changes, failWith } = openGuarded();
    for (const error of [new Error('a fault'), new MemoryError('conflict', 'there already')]) {
      failWith(error);
      await expect(guarded.read('a')).rejects.toBe(error);
    }
    failWith(undefined);
    expect(await guarded.read('b')).toBe('read b');
    expect(calls).toHaveLength(3);
    expect(changes).toEqual([]);
  });

  test('stays in use although it refuses calls, until it fails because of an outage', async () => {
    const { guarded, calls, changes, failWith } = openGuarded(failure => failure === AWAY);
    const refused = new MemoryError('unavailable', 'There is no memory left for this');
    failWith(refused);
    await expect(guarded.read('a')).rejects.toBe(refused);
    await expect(guarded.read('b')).rejects.toBe(refused);
    expect(calls).toEqual(['read a', 'read b']);
    failWith(AWAY);
    await expect(guarded.read('c')).rejects.toBe(AWAY);
    await expect(guarded.read('d')).rejects.toBe(AWAY);
    expect([calls, changes]).toEqual([['read a', 'read b', 'read c'], [false]]);
  });

  test('is pinged less and less often if it answers pings but no other calls', async () => {
    const { guarded, calls, changes, advance, failWith } = openGuarded();
    const comeAndGo = async (durationMs: number) => {
      for (let step = 0; step < durationMs / 50; step++) {
        failWith(AWAY);
        await guarded.read('a').catch(() => undefined);
        failWith(undefined);
        await advance(50);
      }
    };
    await comeAndGo(60_000);
    expect(calls.filter(call => call === 'ping').length).toBeLessThan(25);
    // After the store has been in use for a while, the next outage is treated like the first.
    await advance(20_000);
    await advance(20_000);
    const before = changes.length;
    failWith(AWAY);
    await expect(guarded.read('a')).rejects.toBe(AWAY);
    failWith(undefined);
    await advance(50);
    expect(changes.slice(before)).toEqual([false, true]);
  });

  test('reports nothing after it was closed, even if a ping is in progress', async () => {
    const { guarded, changes, clock, failWith } = openGuarded();
    failWith(AWAY);
    await expect(guarded.read('a')).rejects.toBe(AWAY);
    failWith(undefined);
    clock.advance(50);
    await guarded.close();
    expect(changes).toEqual([false]);
  });

  test('is not pinged after it was closed', async () => {
    const { guarded, calls, advance, failWith } = openGuarded();
    failWith(AWAY);
    await expect(guarded.read('a')).rejects.toBe(AWAY);
    await guarded.close();
    await advance(60_000);
    expect(calls).toEqual(['read a', 'close']);
  });
});

/** A server that loads a snapshot and the log behind it has the same data as before, and finds them. */
import { expect, test } from 'vitest';
import { describeFalkor, eventually } from '../support/falkordb-server.js';
import { idOf, memory, NOON } from '../support/records.js';

const AT = '2026-03-01T12:00:00.000Z';

describeFalkor('a server that was killed after a snapshot', {}, suite => {
  const snapshot = async () => {
    await suite.server.command('BGREWRITEAOF');
    const isDone = /aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0/;
    await eventually(async () => expect(await suite.server.command('INFO', 'persistence')).toMatch(isDone));
  };
  const restart = async () => {
    await suite.server.kill();
    await suite.server.restart();
  };

  test('has every later change', async () => {
    const store = suite.open();
    const save = (...numbers: number[]) =>
      store.saveMemories(numbers.map(number => ({ memory: memory(number), work: ['embed'] })));
    await save(1, 2);
    await snapshot();
    await save(3, 4);
    const claims = await store.claimWork({ kind: 'embed', limit: 9, nowMs: NOON, leaseMs: 1_000 });
    await store.settleWork(
      claims.map(({ token }) => token),
      { embeddedBy: 'm' },
    );
    for (const number of [1, 3])
      await store.updateMemory(idOf(number), current => ({ memory: { ...current, content: 'edited' }, work: [] }));
    const before = await store.readRecords({ limit: 9 });
    await restart();
    expect(await eventually(() => store.readRecords({ limit: 9 }))).toEqual(before);
    expect(before.map(({ memory: { content } }) => content === 'edited')).toEqual([true, false, true, false]);
  });

  test('finds due work, memories without a vector, odd ids and old memories of no importance', async () => {
    const store = suite.open();
    const epoch = '1970-01-01T00:00:00.000Z';
    const odd = { ...memory(2, { importance: 0, timestamp: epoch, t_valid: epoch }), id: 'an odd id' };
    await store.saveMemories([memory(1), odd].map(each => ({ memory: each, work: ['enrich'] })));
    const node = { kind: 'ProjectAlias', id: 'My Shop', properties: {}, updated_at: AT } as const;
    await store.saveNode(node);
    await snapshot();
    await restart();
    await eventually(() => store.ping());
    expect(await store.nextWorkDueMs('enrich')).toBe(0);
    expect(await store.claimWork({ kind: 'enrich', limit: 9, nowMs: NOON, leaseMs: 1_000 })).toHaveLength(2);
    expect(await store.countMemories({ embeddedBy: 'any' })).toBe(0);
    expect(await store.requeueOutdated(['m'])).toBe(2);
    expect(await store.readRecords({ limit: 9 })).toHaveLength(2);
    expect(await store.list({ filter: {}, order: 'importance', limit: 9 })).toEqual([idOf(1), 'an odd id']);
    for (const filter of [{ validAtMs: 0 }, { fromMs: 0, toMs: 0 }])
      expect(await store.list({ filter, order: 'newest', limit: 9 })).toContain('an odd id');
    expect(await store.getNode('ProjectAlias', 'My Shop')).toEqual(node);
    expect(await store.readNodes('ProjectAlias', { limit: 9 })).toEqual([node]);
  });
});

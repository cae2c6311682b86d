/** A call that reaches its time limit fails alone: the server ends its statement, and other calls go on. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type Connection, connect } from '../../src/stores/falkordb/connection.js';
import type { Session } from '../../src/stores/falkordb/session.js';
import { type FalkorSettings, openFalkorStore } from '../../src/stores/falkordb/store.js';
import { describeFalkor, eventually, type FalkorSuite } from '../support/falkordb-server.js';
import { idOf, memory } from '../support/records.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

const TIMEOUT_MS = 500;
/** A statement that would run for many seconds. */
const ENDLESS = `UNWIND range(1, 100000) AS each ${countTo(10_000)}`;

function countTo(number: number): string {
  return `UNWIND range(1, ${number}) AS number RETURN count(number) AS count`;
}

/** Returns a statement that takes about `durationMs`. */
async function statementOf(connection: Connection, durationMs: number): Promise<string> {
  const number = 1_000_000;
  const durations: number[] = [];
  for (let run = 0; run < 3; run++) {
    const startedMs = performance.now();
    await connection.read(countTo(number));
    durations.push(performance.now() - startedMs);
  }
  return countTo(Math.round((number * durationMs) / Math.min(...durations)));
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function proxied(suite: FalkorSuite, options: Parameters<typeof startTcpProxy>[1] = {}) {
  const proxy = await startTcpProxy(Number(new URL(suite.server.tcpUrl ?? '').port), options);
  closing.push(proxy.stop);
  return { proxy, url: `falkor://127.0.0.1:${proxy.port}` };
}

function openStore(settings: FalkorSettings) {
  const store = openFalkorStore(settings);
  closing.push(store.close);
  return store;
}

/** Connects to a graph without indexes. */
async function openConnection(
  suite: FalkorSuite,
  overrides: Partial<FalkorSettings> = {},
  prepare = async (_: Session): Promise<void> => undefined,
) {
  const settings = suite.settings(overrides);
  await suite.server.query(settings.graph, 'MERGE (:Any)');
  const connection = connect(settings, prepare);
  closing.push(connection.close);
  return connection;
}

describeFalkor('A call of FalkorDB at its time limit', { isForgetful: true, hasPort: true }, suite => {
  test('is ended on the server, so that a later write runs', async () => {
    const { graph } = suite.settings();
    const store = openStore(suite.settings({ graph, timeoutMs: TIMEOUT_MS }));
    await eventually(() => store.saveMemories([{ memory: memory(1), work: [] }]));
    const connection = await openConnection(suite, { graph, timeoutMs: TIMEOUT_MS });
    await expect(connection.read(ENDLESS)).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(() => store.saveMemories([{ memory: memory(2), work: [] }]), 5_000);
  });

  test('does not close the connection while other calls are answered', async () => {
    const timeoutMs = 3_000;
    const { url, proxy } = await proxied(suite);
    const connection = await openConnection(suite, { url, timeoutMs });
    const statement = await statementOf(connection, timeoutMs / 5);
    // All calls are sent at once. The server answers the first ones, and the others reach their time limit.
    const calls = await Promise.allSettled(Array.from({ length: 8 }, () => connection.read(statement)));
    const errors = calls.flatMap(call => (call.status === 'rejected' ? [String(call.reason)] : []));
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThan(calls.length);
    for (const error of errors) expect(error).toContain('too busy');
    await eventually(() => connection.read('RETURN 1'));
    expect(proxy.opened).toBe(1);
  });

  test('fails alone', async () => {
    const { url, proxy } = await proxied(suite);
    const connection = await openConnection(suite, { url, timeoutMs: 3_000 });
    await connection.read('RETURN 1');
    const [slow, quick] = await Promise.allSettled([connection.read(ENDLESS), connection.read('RETURN 1 AS one')]);
    expect(String((slow as PromiseRejectedResult).reason)).toContain('stopped the statement at the time limit');
    expect(quick).toEqual({ status: 'fulfilled', value: [{ one: 1 }] });
    expect(proxy.opened).toBe(1);
  });

  test('does not close the connection if the server answers another call with an error', async () => {
    const { url, proxy } = await proxied(suite);
    const connection = await openConnection(suite, { url, timeoutMs: 3_000 });
    await connection.read('RETURN 1');
    const slow = await Promise.allSettled([connection.read(ENDLESS), connection.read(ENDLESS)]);
    const reasons = slow.map(each => String((each as PromiseRejectedResult).reason));
    expect(reasons[0]).toContain('stopped the statement at the time limit');
    expect(reasons[1]).toContain('too busy');
    await eventually(() => connection.read('RETURN 1'));
    expect(proxy.opened).toBe(1);
  });

  test('may run on the server only for the rest of its time', async () => {
    const limits: number[] = [];
    const { url } = await proxied(suite, {
      onRequest: data => {
        for (const [, limit] of data.toString().matchAll(/TIMEOUT\r\n\$\d+\r\n(\d+)\r\n/g)) limits.push(Number(limit));
      },
    });
    const [timeoutMs, waitMs] = [2_000, 300];
    const connection = await openConnection(suite, { url, timeoutMs }, () => pause(waitMs));
    await connection.read('RETURN 1');
    expect(limits).toHaveLength(1);
    expect(limits[0]).toBeGreaterThan(0);
    // The timer of the pause may end one millisecond early.
    expect(limits[0]).toBeLessThanOrEqual((timeoutMs - waitMs + 1) * 0.8 + 1);
  });

  test('is not sent if the connection opens after the time limit', async () => {
    const timeoutMs = 1_000;
    let open: () => void = () => undefined;
    const opened = new Promise<void>(resolve => {
      open = resolve;
    });
    // Opening the session takes two round trips. Its preparation begins before the time limit of the call, and ends
    // after it.
    const { url, proxy } = await proxied(suite, { delayMs: timeoutMs / 8 });
    const connection = await openConnection(suite, { url, timeoutMs }, () => opened);
    await expect(connection.write('CREATE (:Late)')).rejects.toMatchObject({
      message: expect.stringContaining('does not answer in time'),
    });
    open();
    const countLate = () => connection.read('MATCH (n:Late) RETURN count(n) AS count');
    expect(await eventually(countLate)).toEqual([{ count: 0 }]);
    expect(proxy.opened).toBe(1);
  });

  test('replaces a connection without any answer, so that the next call succeeds', async () => {
    const { url, proxy } = await proxied(suite);
    const store = openStore(suite.settings({ url, timeoutMs: 2_000 }));
    await eventually(() => store.saveMemories([{ memory: memory(1), work: [] }]));
    proxy.mute();
    await expect(store.getMemories([idOf(1)])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.getMemories([idOf(1)])).toEqual(new Map([[idOf(1), memory(1)]]));
  });

  test('does not end the attempt to connect through a slow network', async () => {
    const timeoutMs = 1_600;
    const { graph } = suite.settings();
    await openStore(suite.settings({ graph })).ping();
    // Opening the session takes two round trips and preparing it takes three, so each step takes less than the time
    // limit, and both together take more.
    const { url, proxy } = await proxied(suite, { delayMs: timeoutMs / 8 });
    const store = openStore(suite.settings({ url, graph, timeoutMs }));
    // The session opens shortly before the time limit of the second call, which therefore gets no answer from it.
    const starts = [0, timeoutMs / 3];
    await Promise.all(starts.map(afterMs => pause(afterMs).then(() => eventually(() => store.ping()))));
    expect(proxy.opened).toBe(1);
  });

  test("fails with a clear error if the server's own time limit is lower", async () => {
    const connection = await openConnection(suite);
    await connection.read('RETURN 1');
    await suite.server.command('GRAPH.CONFIG', 'SET', 'TIMEOUT_MAX', '300');
    closing.push(() => suite.server.command('GRAPH.CONFIG', 'SET', 'TIMEOUT_MAX', '0'));
    expect(await connection.read('RETURN 2 AS two')).toEqual([{ two: 2 }]);
    await expect(connection.read(ENDLESS)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('stopped the statement at the time limit'),
    });
  });
});

describeFalkor('A FalkorDB with low limits', { isForgetful: true }, suite => {
  test('rejects a read whose answer it may have cut short, and the error names the setting', async () => {
    const settings = suite.settings();
    const records = Array.from({ length: 40 }, (_, index) => ({ memory: memory(index + 1), work: [] }));
    await openStore(settings).saveMemories(records);
    await suite.server.command('GRAPH.CONFIG', 'SET', 'RESULTSET_SIZE', '30');
    closing.push(() => suite.server.command('GRAPH.CONFIG', 'SET', 'RESULTSET_SIZE', '-1'));
    const store = openStore(settings);
    await expect(store.readRecords({ limit: 40 })).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('RESULTSET_SIZE'),
    });
    expect(await store.readRecords({ limit: 4 })).toHaveLength(4);
    const ids = records.map(each => each.memory.id);
    expect((await store.getMemories(ids)).size).toBe(40);
    await store.deleteMemories(ids);
    expect(await store.staleVectors(1_000)).toHaveLength(40);
  });

  test('runs the statements of many clients although its queue is short', async () => {
    await suite.server.command('GRAPH.CONFIG', 'SET', 'MAX_QUEUED_QUERIES', '1');
    closing.push(() => suite.server.command('GRAPH.CONFIG', 'SET', 'MAX_QUEUED_QUERIES', '1000'));
    const clients = await Promise.all(Array.from({ length: 12 }, () => openConnection(suite, { graph: 'shared' })));
    const answers = await Promise.all(clients.map(client => client.read<{ count: number }>(countTo(100_000))));
    expect(answers.flat().map(({ count }) => count)).toEqual(clients.map(() => 100_000));
  });
});

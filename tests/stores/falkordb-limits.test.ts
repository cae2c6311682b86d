/** A call that reaches its time limit fails alone: the server ends its statement, and other calls go on. */
import { afterEach, expect, test } from 'vitest';
import { connect } from '../../src/stores/falkordb/connection.js';
import { type FalkorSettings, openFalkorStore } from '../../src/stores/falkordb/store.js';
import { pause } from '../../src/stores/falkordb/time-limit.js';
import { describeFalkor, eventually, type FalkorSuite } from '../support/falkordb-server.js';
import { idOf, memory } from '../support/records.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

const TIMEOUT_MS = 500;
/** A statement that would run for many seconds. */
const ENDLESS = `UNWIND range(1, 100000) AS each ${countTo(10_000)}`;

function countTo(number: number): string {
  return `UNWIND range(1, ${number}) AS number RETURN count(number) AS count`;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function proxied(suite: FalkorSuite, options = {}) {
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
async function openConnection(suite: FalkorSuite, overrides: Partial<FalkorSettings> = {}) {
  const settings = suite.settings(overrides);
  await suite.server.query(settings.graph, 'MERGE (:Any)');
  const connection = connect(settings, async () => undefined);
  closing.push(connection.close);
  return connection;
}

describeFalkor('A call of FalkorDB at its time limit', { isForgetful: true, hasPort: true }, suite => {
  test('ends its read on the server, so that a write can run', async () => {
    const { graph } = suite.settings();
    const store = openStore(suite.settings({ graph, timeoutMs: TIMEOUT_MS }));
    await eventually(() => store.saveMemories([{ memory: memory(1), work: [] }]));
    const connection = await openConnection(suite, { graph, timeoutMs: TIMEOUT_MS });
    await expect(connection.read(ENDLESS)).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(() => store.saveMemories([{ memory: memory(2), work: [] }]), 5_000);
  });

  test('leaves the connection to calls that are answered', async () => {
    const { url, proxy } = await proxied(suite);
    const connection = await openConnection(suite, { url, timeoutMs: 2_000 });
    await connection.read('RETURN 1');
    const calls = await Promise.allSettled(Array.from({ length: 200 }, () => connection.read(countTo(200_000))));
    const errors = calls.flatMap(call => (call.status === 'rejected' ? [String(call.reason)] : []));
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThan(calls.length);
    for (const error of errors) expect(error).toMatch(/too busy|stopped the statement/);
    await connection.read('RETURN 1');
    expect(proxy.opened).toBe(1);
  });

  test('replaces a connection without any answer, so that the next call succeeds', async () => {
    const { url, proxy } = await proxied(suite);
    const store = openStore(suite.settings({ url, timeoutMs: TIMEOUT_MS }));
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

  test('fails with a clear error if the server allows statements less time', async () => {
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
    const ids = records.map(each => each.memory.id);
    await expect(store.getMemories(ids)).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('RESULTSET_SIZE'),
    });
    expect((await store.getMemories(ids.slice(0, 4))).size).toBe(4);
  });

  test('runs the statements of many clients although its queue is short', async () => {
    await suite.server.command('GRAPH.CONFIG', 'SET', 'MAX_QUEUED_QUERIES', '1');
    closing.push(() => suite.server.command('GRAPH.CONFIG', 'SET', 'MAX_QUEUED_QUERIES', '1000'));
    const clients = await Promise.all(Array.from({ length: 12 }, () => openConnection(suite, { graph: 'shared' })));
    const answers = await Promise.all(clients.map(client => client.read<{ count: number }>(countTo(100_000))));
    expect(answers.flat().map(({ count }) => count)).toEqual(clients.map(() => 100_000));
  });
});

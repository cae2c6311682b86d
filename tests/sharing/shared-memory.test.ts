/** One memory for several processes: who has it open, what the others do, and what follows when it goes. */
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { join as joinPath } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockFolder } from '../../src/stores/data-folder/lock.js';
import { readOwner, writeOwner } from '../../src/stores/data-folder/owner-file.js';
import { createManualClock } from '../support/manual-clock.js';
import { configOf, join, send, testFolder } from './test-memory.js';

async function rejectionOf(promise: Promise<unknown>): Promise<{ message: string; hint: string }> {
  return promise.then(
    () => Promise.reject(new Error('It did not reject')),
    error => error,
  );
}

/** Moves the time on until the promise is settled. */
async function whileTimePasses<Value>(clock: { advance(ms: number): void }, promise: Promise<Value>): Promise<Value> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  settled.catch(() => {});
  while (!isSettled) {
    clock.advance(25);
    await new Promise(resolve => setImmediate(resolve));
  }
  return settled;
}

describe('processes on one data folder', () => {
  test('have one memory: the first opens it, the others send their requests to it', async () => {
    const config = configOf({ ENGRAPH_DATA_DIR: testFolder() });
    const [first, second, third] = [join(config), join(config), join(config)];
    expect(await first.open()).toBeUndefined();
    expect(await second.open()).toMatchObject({ pid: process.pid });
    const { body: stored } = await send(second, 'POST /memory', { content: 'Herons nest early', tags: ['birds'] });
    expect((await send(third, 'GET /recall?query=herons')).body.results).toMatchObject([{ id: stored.memory_id }]);
    expect((await send(first, 'GET /memory/by-tag?tags=birds')).body.count).toBe(1);
    expect(await send(third, 'GET /memory/nonsense')).toMatchObject({ status: 400, body: { field: 'memory_id' } });
    expect((await send(third, 'GET /nowhere')).status).toBe(404);
  });

  test('open nothing before the first request', async () => {
    const folder = joinPath(testFolder(), 'new');
    const memory = join(configOf({ ENGRAPH_DATA_DIR: folder }));
    await memory.close();
    expect(existsSync(folder)).toBe(false);
  });

  test('take over when the owner ends, and the request that finds it gone is answered', async () => {
    const config = configOf({ ENGRAPH_DATA_DIR: testFolder() });
    const owners = Array.from({ length: 4 }, () => join(config));
    for (const memory of owners) await memory.open();
    for (const [index, owner] of owners.slice(0, -1).entries()) {
      const closing = owner.close();
      const next = owners[index + 1] as (typeof owners)[number];
      expect((await send(next, 'POST /memory', { content: `Fact ${index}`, tags: ['facts'] })).status).toBe(201);
      await closing;
    }
    const [last] = owners.slice(-1) as [(typeof owners)[number]];
    expect((await send(last, 'GET /memory/by-tag?tags=facts')).body.count).toBe(3);
  });

  test('take over without a request too, so that background work goes on', async () => {
    const config = configOf({ ENGRAPH_DATA_DIR: testFolder() });
    const first = join(config);
    await first.open();
    let announce: () => void;
    const opened = new Promise<void>(resolve => {
      announce = resolve;
    });
    const second = join(config, { onOpened: () => announce() });
    await second.open();
    await first.close();
    await opened;
    expect(await second.open()).toBeUndefined();
  });

  test('leave neither a socket nor a record behind', async () => {
    const folder = testFolder();
    const memory = join(configOf({ ENGRAPH_DATA_DIR: folder }));
    await memory.open();
    const { address } = readOwner(folder) ?? {};
    expect(existsSync(address ?? '')).toBe(true);
    await memory.close();
    expect([existsSync(address ?? ''), readOwner(folder)]).toEqual([false, undefined]);
  });

  test('meet at another place where the path of the folder is too long for a socket', async () => {
    const config = configOf({ ENGRAPH_DATA_DIR: joinPath(testFolder(), 'x'.repeat(120)) });
    const [first, second] = [join(config), join(config)];
    await first.open();
    expect(await second.open()).toMatchObject({ address: expect.not.stringContaining('xxx') });
    expect((await send(second, 'GET /health')).status).toBe(200);
  });

  test('are asked for the token of the folder', async () => {
    const folder = testFolder();
    await join(configOf({ ENGRAPH_DATA_DIR: folder })).open();
    const { address = '' } = readOwner(folder) ?? {};
    const status = await new Promise(resolve => {
      request({ socketPath: address, path: '/recall' }, response => resolve(response.statusCode)).end();
    });
    expect(status).toBe(401);
  });
});

describe('an owner that cannot be asked', () => {
  test('because its version is another is named, with the process to restart', async () => {
    const folder = testFolder();
    const lock = lockFolder(folder);
    onTestFinished(() => lock.release());
    const clock = createManualClock();
    for (const [announced, said] of [
      [{}, `Process ${process.pid} has the memory in ${folder} open and does not share it`],
      [
        { version: '9.0.0', protocol: 99, address: 'x', token: 'y' },
        `Process ${process.pid} (Engraph 9.0.0) has the memory in ${folder} open and cannot share it with this Engraph 1.2.3`,
      ],
    ] as const) {
      lock.announce(announced);
      const memory = join(configOf({ ENGRAPH_DATA_DIR: folder }), { clock });
      const { message, hint } = await rejectionOf(whileTimePasses(clock, send(memory, 'GET /recall')));
      expect(message).toBe(said);
      expect(hint).toContain(`Restart the program that runs process ${process.pid}`);
    }
  });

  test('because nobody listens any more is named after ten seconds', async () => {
    const folder = testFolder();
    const lock = lockFolder(folder);
    onTestFinished(() => lock.release());
    lock.announce({ protocol: 1, address: joinPath(folder, 'nobody.sock'), token: 'x' });
    const clock = createManualClock();
    const memory = join(configOf({ ENGRAPH_DATA_DIR: folder }), { clock });
    const { message, hint } = await rejectionOf(whileTimePasses(clock, send(memory, 'GET /recall')));
    expect(message).toMatch(new RegExp(`Process ${process.pid} has the memory in .* open and does not answer`));
    expect(hint).toContain('Restart');
  });

  test('because the next one has taken its place is passed over for that one', async () => {
    const folder = testFolder();
    const memory = join(configOf({ ENGRAPH_DATA_DIR: folder }));
    const first = join(configOf({ ENGRAPH_DATA_DIR: folder }));
    await first.open();
    // What is read before the owner changes leads to the socket of the next one.
    const { token = '', ...record } = readOwner(folder) ?? { pid: 0 };
    writeOwner(folder, { ...record, token: 'of the last owner' });
    await memory.open();
    writeOwner(folder, { ...record, token });
    expect((await send(memory, 'GET /health')).status).toBe(200);
  });

  test('because it hangs is named when the time of the call is over', async () => {
    const folder = testFolder();
    const lock = lockFolder(folder);
    const sockets: Socket[] = [];
    const silent = createServer(socket => void sockets.push(socket));
    const address = joinPath(folder, 'silent.sock');
    await new Promise<void>(resolve => silent.listen(address, resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
      lock.release();
    });
    lock.announce({ protocol: 1, address, token: 'x' });
    const memory = join(configOf({ ENGRAPH_DATA_DIR: folder }));
    const call = memory.fetch(new Request('http://test/recall', { signal: AbortSignal.timeout(50) }));
    expect((await rejectionOf(Promise.resolve(call))).message).toContain(`Process ${process.pid} has the memory`);
  });
});

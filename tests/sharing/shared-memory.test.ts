/**
 * Several processes share one memory. One process, the owner, opens the memory, and the others send requests to the
 * owner. When the owner ends, another process takes over.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join as joinPath } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { shareWith } from '../../src/sharing/election.js';
import { lockFolder } from '../../src/stores/data-folder/lock.js';
import { type OwnerRecord, readOwner, writeOwner } from '../../src/stores/data-folder/owner-file.js';
import { createManualClock } from '../support/manual-clock.js';
import { answerOf, configOf, join, send, testFolder, VERSION } from './test-memory.js';

async function rejectionOf(promise: Promise<unknown>): Promise<{ message: string; hint: string; code: string }> {
  return promise.then(
    () => Promise.reject(new Error('It did not reject')),
    error => error,
  );
}

/** Advances the time until the promise is settled. */
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
  test('share one memory: the first opens it, the others send their requests to it', async () => {
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

  test('take over when the owner ends, and answer the request that discovers its end', async () => {
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

  test('take over when the owner ends, even if no request follows, so that background work continues', async () => {
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

  test('leave neither a socket nor a record behind when they close', async () => {
    const folder = testFolder();
    const memory = join(configOf({ ENGRAPH_DATA_DIR: folder }));
    await memory.open();
    const { address } = readOwner(folder) ?? {};
    expect(existsSync(address ?? '')).toBe(true);
    await memory.close();
    expect([existsSync(address ?? ''), readOwner(folder)]).toEqual([false, undefined]);
  });

  test('use another place for the socket if the path of the folder is too long', async () => {
    const config = configOf({ ENGRAPH_DATA_DIR: joinPath(testFolder(), 'x'.repeat(120)) });
    const [first, second] = [join(config), join(config)];
    await first.open();
    expect(await second.open()).toMatchObject({ address: expect.not.stringContaining('xxx') });
    expect((await send(second, 'GET /health')).status).toBe(200);
  });

  test('are refused if they do not send the token of the folder', async () => {
    const folder = testFolder();
    await join(configOf({ ENGRAPH_DATA_DIR: folder })).open();
    const { address = '' } = readOwner(folder) ?? {};
    const status = await new Promise(resolve => {
      request({ socketPath: address, path: '/recall' }, response => resolve(response.statusCode)).end();
    });
    expect(status).toBe(401);
  });
});

describe('an owner that cannot receive requests', () => {
  test('is named if it does not share the memory, has another version, or keeps the memory elsewhere', async () => {
    const folder = testFolder();
    const config = configOf({ ENGRAPH_DATA_DIR: folder });
    const ours = shareWith(config, VERSION);
    const lock = lockFolder(folder);
    onTestFinished(() => lock.release());
    const reachable = { address: 'x', token: 'y' };
    for (const [announced, said] of [
      [{}, 'does not share it'],
      [
        { ...ours, ...reachable, version: '9.0.0', protocol: 99 },
        'cannot share it, because it runs Engraph 9.0.0 and this process runs 1.2.3',
      ],
      [{ ...ours, ...reachable, settings: 'other' }, 'keeps it elsewhere than the settings of this process say'],
    ] as const) {
      lock.announce(announced);
      const clock = createManualClock();
      const memory = join(config, { clock });
      const { message, hint, code } = await rejectionOf(whileTimePasses(clock, send(memory, 'GET /recall')));
      expect(message).toBe(`Process ${process.pid} has the memory in ${folder} open and ${said}`);
      expect(hint).toContain(`Restart the program that runs process ${process.pid}`);
      expect(code).toBe('conflict');
    }
  });

  test('causes an error that names its process, after ten seconds, if it no longer listens', async () => {
    const folder = testFolder();
    const lock = lockFolder(folder);
    onTestFinished(() => lock.release());
    const config = configOf({ ENGRAPH_DATA_DIR: folder });
    lock.announce({ ...shareWith(config, VERSION), address: joinPath(folder, 'nobody.sock'), token: 'x' });
    const clock = createManualClock();
    const memory = join(config, { clock });
    const { message, hint } = await rejectionOf(whileTimePasses(clock, send(memory, 'GET /recall')));
    expect(message).toMatch(new RegExp(`Process ${process.pid} has the memory in .* open and does not answer`));
    expect(hint).toContain('restart');
  });

  test('is skipped if another owner has replaced it', async () => {
    const folder = testFolder();
    const config = configOf({ ENGRAPH_DATA_DIR: folder });
    const clock = createManualClock();
    const [first, second] = [join(config, { clock }), join(config)];
    await first.open();
    // The record has the socket of the new owner, but still the token of the previous owner.
    writeOwner(folder, { ...(readOwner(folder) as OwnerRecord), token: 'of the last owner' });
    const opening = second.open();
    clock.advance(3_000);
    expect(await opening).toMatchObject({ pid: process.pid });
  });

  test('is named in the error if it hangs until the time limit of the request is over', async () => {
    const { memory, hang } = await siblingOfHangingOwner();
    hang();
    const call = answerOf(memory, new Request('http://test/recall', { signal: AbortSignal.timeout(50) }));
    expect((await rejectionOf(Promise.resolve(call))).message).toContain(`Process ${process.pid} has the memory`);
    const started = performance.now();
    await expect(send(memory, 'GET /health')).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

/** Returns the memory of a process that is not the owner. The owner answers until `hang` is called. */
async function siblingOfHangingOwner() {
  const folder = testFolder();
  const config = configOf({ ENGRAPH_DATA_DIR: folder });
  const lock = lockFolder(folder);
  let isHanging = false;
  const server = createServer((_request, response) => {
    if (!isHanging) response.writeHead(200).write('\n');
  });
  const address = joinPath(folder, 'hanging.sock');
  await new Promise<void>(resolve => server.listen(address, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    lock.release();
  });
  lock.announce({ ...shareWith(config, VERSION), address, token: 'x' });
  const memory = join(config);
  await memory.open();
  return {
    memory,
    hang: () => {
      isHanging = true;
    },
  };
}

describe('a data folder that loses files or is moved', () => {
  test('has its socket and its record again after three seconds', async () => {
    const folder = testFolder();
    const config = configOf({ ENGRAPH_DATA_DIR: folder });
    const clock = createManualClock();
    await join(config, { clock }).open();
    rmSync(readOwner(folder)?.address ?? '');
    writeFileSync(joinPath(folder, 'owner.json'), '{');
    clock.advance(3_000);
    await expect.poll(() => readOwner(folder)?.address).toBeDefined();
    expect((await send(join(config), 'GET /health')).status).toBe(200);
  });

  test('refuses writes of its former owner, and keeps the record of the next owner', async () => {
    const folder = testFolder();
    const config = configOf({ ENGRAPH_DATA_DIR: folder });
    const first = join(config);
    await first.open();
    renameSync(folder, `${folder}-moved`);
    onTestFinished(() => rmSync(`${folder}-moved`, { recursive: true }));
    const refusal = await send(first, 'POST /memory', { content: 'x' });
    expect(refusal.status).toBe(503);
    expect(JSON.stringify(refusal.body)).toContain('was moved or removed while Engraph had it open');
    const { body: health } = await send(first, 'GET /health');
    expect(JSON.stringify(health)).toContain('was moved or removed while Engraph had it open');
    const second = join(config);
    expect(await second.open()).toBeUndefined();
    await first.close();
    expect(readOwner(folder)).toBeDefined();
    expect((await send(join(config), 'POST /memory', { content: 'x' })).status).toBe(201);
  });
});

test('a data folder for which a socket cannot be created is still served by one process', async () => {
  const folder = testFolder();
  vi.stubEnv('TMPDIR', joinPath(folder, 'nowhere'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const memory = join(configOf({ ENGRAPH_DATA_DIR: joinPath(folder, 'x'.repeat(120)) }));
  expect((await send(memory, 'POST /memory', { content: 'x' })).status).toBe(201);
});

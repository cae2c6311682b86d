/**
 * A second user of the machine against a service without a token. Only root can start a process of another user, so
 * these tests are skipped for other users.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BINARY, ENVIRONMENT, spawnEngraph, spawnServe, temporaryFolder } from './spawned-engraph.js';

const OTHER_UID = 65_534;
const THIRD_UID = 65_533;
const KEPT = 'The ferry leaves at noon.';
const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;

/** Runs a script as a user. @returns what it printed */
async function runAs(uid: number, script: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { uid, gid: uid, cwd: '/', env: {} });
  let output = '';
  child.stdout.on('data', text => {
    output += text;
  });
  child.stderr.on('data', text => {
    output += text;
  });
  await once(child, 'close');
  return output;
}

/** Starts the binary as a user. It is killed at the end of the test. */
function runEngraphAs(uid: number, args: readonly string[]) {
  const env = { ...ENVIRONMENT, HOME: '/nonexistent' };
  const child = spawn(process.execPath, [BINARY, ...args], { uid, gid: uid, cwd: '/', env });
  let output = '';
  child.stderr.on('data', text => {
    output += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { ended, said: () => output };
}

const statusesAs = async (uid: number, url: string, paths: readonly string[], init: object = {}): Promise<number[]> => {
  const fetching = paths.map(path => `(await fetch(${JSON.stringify(url + path)}, ${JSON.stringify(init)})).status`);
  return JSON.parse(await runAs(uid, `console.log(JSON.stringify([${fetching.join(', ')}]))`)) as number[];
};

/** Sends a request that deletes everything, 60 times, and ends each connection as `how` says. */
const deleting = (port: string, how: string) => `
import net from 'node:net';
for (let round = 0; round < 60; round++) {
  await new Promise(done => {
    const socket = net.connect(${port}, '127.0.0.1');
    const request = 'DELETE /memory/by-tag?tags=kept HTTP/1.1\\r\\nHost: localhost:${port}\\r\\nConnection: close\\r\\n\\r\\n';
    socket.on('connect', () => { ${how}; }).on('error', () => {}).on('close', done).resume();
  });
}`;

async function store(url: string): Promise<void> {
  const body = JSON.stringify({ content: KEPT, tags: ['kept'] });
  const response = await fetch(`${url}/memory`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(response.status).toBe(201);
}

describe.skipIf(!isRoot)('another user of the machine (needs root to become that user)', () => {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"content":"x"}' };
  const list = { ...json, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' };

  test.each(['127.0.0.1', '::1'])('can neither read nor write nor open the page on %s', async host => {
    const { url } = await spawnServe(await temporaryFolder(), { HOST: host });
    await store(url);
    const paths = ['/recall?query=ferry', '/startup-recall', '/', '/docs', '/consolidate/status', '/metrics'];
    expect(await statusesAs(OTHER_UID, url, paths)).toEqual(paths.map(() => 403));
    expect(await statusesAs(OTHER_UID, url, ['/memory', '/memory/batch', '/web/codes'], json)).toEqual([403, 403, 403]);
    expect(await statusesAs(OTHER_UID, url, ['/mcp'], list)).toEqual([403]);
    expect(await statusesAs(OTHER_UID, url, ['/health'])).toEqual([200]);
    const said = await runAs(OTHER_UID, `console.log(await (await fetch('${url}/recall')).text())`);
    expect(said).toContain('Set SERVICE_API_TOKEN');
    expect(said).not.toContain(KEPT);
    expect((await fetch(`${url}/recall?query=ferry`)).status).toBe(200);
  });

  test.each([
    ['closes its sending half', 'socket.end(request)'],
    ['closes the socket at once', 'socket.write(request, () => socket.destroy())'],
    ['resets the connection at once', 'socket.write(request, () => socket.resetAndDestroy())'],
  ])('deletes nothing if it %s, so that the kernel forgets who it was', async (_, how) => {
    const { url, port } = await spawnServe(await temporaryFolder());
    await store(url);
    expect(await runAs(OTHER_UID, deleting(port, how))).toBe('');
    expect(await (await fetch(`${url}/memory/by-tag?tags=kept`)).json()).toMatchObject({ count: 1 });
  });

  test('is answered with the token', async () => {
    const { url } = await spawnServe(await temporaryFolder(), { SERVICE_API_TOKEN: 's3cret' });
    expect(await statusesAs(OTHER_UID, url, ['/recall'], { headers: { 'x-api-key': 's3cret' } })).toEqual([200]);
    expect(await statusesAs(OTHER_UID, url, ['/recall', '/health'])).toEqual([401, 200]);
  });

  test('is answered by its own service, as is root, and a third user is not', async () => {
    // The folder of other tests may stand in a folder that only root can reach.
    const folder = mkdtempSync('/tmp/engraph-other-user-');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    chownSync(folder, OTHER_UID, OTHER_UID);
    const service = runEngraphAs(OTHER_UID, ['serve', '--port', '0', '--data-dir', folder]);
    await expect.poll(() => service.said(), { timeout: 20_000 }).toMatch(/listening on/);
    const url = /listening on (\S+)/.exec(service.said())?.[1] ?? '';
    expect(await statusesAs(OTHER_UID, url, ['/recall'])).toEqual([200]);
    expect((await fetch(`${url}/recall`)).status).toBe(200);
    expect(await statusesAs(THIRD_UID, url, ['/recall'])).toEqual([403]);
  });

  test('gets a sentence from engraph view', async () => {
    const { port } = await spawnServe(await temporaryFolder());
    const { ended, said } = runEngraphAs(OTHER_UID, ['view', '--port', port]);
    expect([await ended, said()]).toEqual([1, expect.stringContaining('Set SERVICE_API_TOKEN')]);
  });
});

test.runIf(isRoot)('root is answered by a service of another process of root, with a token or not', async () => {
  const { port } = await spawnServe(await temporaryFolder());
  const { ended } = spawnEngraph(['view', '--port', port], { DISPLAY: '' });
  expect((await ended).code).toBe(0);
});

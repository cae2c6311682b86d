/** `engraph serve` as a real process. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { BINARY, ENVIRONMENT, spawnEngraph, spawnServe, temporaryFolder } from './spawned-engraph.js';

async function isHealthy(url: string): Promise<boolean> {
  return (await fetch(`${url}/health`)).ok;
}

async function storeOver(url: string, content: string): Promise<number> {
  const body = JSON.stringify({ content });
  const response = await fetch(`${url}/memory`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return response.status;
}

describe('engraph serve', () => {
  it('prints its address in one line on stderr, and answers requests', async () => {
    const { url, output } = await spawnServe(await temporaryFolder());
    expect(await isHealthy(url)).toBe(true);
    expect(await storeOver(url, 'Ann likes tea.')).toBe(201);
    expect(output.stdout).toBe('');
    expect(output.stderr.match(/listening/g)).toHaveLength(1);
  });

  it.runIf(existsSync('/bin/sh'))('stops when the shell through which npm started it has ended', async () => {
    const folder = await temporaryFolder();
    const command = `'${process.execPath}' '${BINARY}' serve --port 0 --data-dir '${folder}'; true`;
    const npm = spawn('/bin/sh', ['-c', command], { env: { ...ENVIRONMENT, npm_lifecycle_event: 'start' } });
    let url = '';
    for await (const line of createInterface({ input: npm.stderr })) {
      url = /listening on (http:\S+)/.exec(line)?.[1] ?? '';
      if (url !== '') break;
    }
    expect(await isHealthy(url)).toBe(true);
    // The service still writes to its folder after it has stopped to listen. Its outputs close when it has ended.
    const ended = once(npm, 'close');
    npm.stdout.resume();
    npm.stderr.resume();
    npm.kill('SIGTERM');
    await expect.poll(() => isHealthy(url).catch(() => false)).toBe(false);
    await ended;
  });

  it('logs only JSON with LOG_FORMAT=json, even if it cannot start', async () => {
    const folder = await temporaryFolder();
    const json = { LOG_FORMAT: 'json', LOG_LEVEL: 'debug' };
    const first = spawnEngraph(['serve', '--port', '0', '--data-dir', folder], json);
    const [, url = ''] = await first.saysOnStderr(/"message":"listening on (http:[^"]+)"/);
    expect((await fetch(`${url}/recall?query=tea`, { headers: { 'x-request-id': 'tea-1' } })).status).toBe(200);
    const silent = { ...json, LOG_LEVEL: 'silent' };
    const second = spawnEngraph(['serve', '--port', new URL(url).port, '--data-dir', folder], silent);
    expect((await second.ended).code).toBe(1);
    first.child.kill('SIGTERM');
    await first.ended;
    const entriesOf = ({ output }: typeof first) =>
      output.stderr
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
    expect(entriesOf(first)).toContainEqual(
      expect.objectContaining({ level: 'debug', request_id: 'tea-1', method: 'GET', route: '/recall', status: 200 }),
    );
    expect(entriesOf(second)).toMatchObject([{ level: 'error', message: expect.stringContaining('taken') }]);
  });

  it('warns about a startup recall without a token only if other machines can reach the service', async () => {
    const token = { SERVICE_API_TOKEN: 'secret' };
    const beyond = { ...token, HOST: '0.0.0.0' };
    const isSaid = async (environment: Record<string, string>) => {
      const { url, output } = await spawnServe(await temporaryFolder(), environment);
      const { status } = await fetch(`${url}/startup-recall`);
      return { isSaid: output.stderr.includes('GET /startup-recall needs no token'), status };
    };
    expect(await isSaid(beyond)).toEqual({ isSaid: true, status: 200 });
    expect(await isSaid({ ...token, ENGRAPH_ALLOWED_HOSTS: 'memory.example' })).toEqual({ isSaid: true, status: 200 });
    expect(await isSaid(token)).toEqual({ isSaid: false, status: 200 });
    expect(await isSaid({ ...beyond, STARTUP_RECALL_REQUIRES_TOKEN: 'true' })).toEqual({ isSaid: false, status: 401 });
  });

  it('refuses writes over REST and MCP with ENGRAPH_READ_ONLY', async () => {
    const { url } = await spawnServe(await temporaryFolder(), { ENGRAPH_READ_ONLY: 'true' });
    expect(await storeOver(url, 'Ann likes tea.')).toBe(403);
    const params = { name: 'store_memory', arguments: { content: 'Ann likes tea.' } };
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect(await response.text()).toContain('"code":"forbidden"');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly on %s, even if the signal comes twice', async signal => {
    const { child, ended, url } = await spawnServe(await temporaryFolder());
    expect(await storeOver(url, 'Ann likes tea.')).toBe(201);
    child.kill(signal);
    child.kill(signal);
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it('finds stored memories again after a restart', async () => {
    const folder = await temporaryFolder();
    const first = await spawnServe(folder);
    await storeOver(first.url, 'The heron nests on the chimney.');
    first.child.kill('SIGTERM');
    await first.ended;
    const second = await spawnServe(folder);
    const response = await fetch(`${second.url}/recall?query=heron`);
    expect(await response.json()).toMatchObject({
      results: [{ memory: { content: 'The heron nests on the chimney.' } }],
    });
  });

  it('creates files that only its user can read', async () => {
    const folder = join(await temporaryFolder(), 'new');
    await spawnServe(folder);
    const names = await readdir(folder);
    expect(names).not.toEqual([]);
    for (const path of [folder, ...names.map(name => join(folder, name))]) {
      expect((await stat(path)).mode & 0o077, path).toBe(0);
    }
  });

  it('exits with a message if the port is taken, and the first process keeps serving', async () => {
    const first = await spawnServe(await temporaryFolder());
    const folder = await temporaryFolder();
    const second = spawnEngraph(['serve', '--port', first.port, '--data-dir', folder]);
    expect(await second.ended).toEqual({ code: 1, signal: null });
    const troubles = second.output.stderr.split('\n').filter(line => line !== '' && !line.startsWith('engraph info: '));
    expect(troubles).toEqual([expect.stringMatching(/^engraph: Port \d+ .*taken/)]);
    expect(await isHealthy(first.url)).toBe(true);
    // The second process has released its folder, so a third process can open the folder.
    expect(await isHealthy((await spawnServe(folder)).url)).toBe(true);
  });

  it('shares a memory that another process serves, but fails to start on the port of that process', async () => {
    const folder = await temporaryFolder();
    const first = await spawnServe(folder);
    const second = await spawnServe(folder);
    expect(await storeOver(second.url, 'The heron nests on the chimney.')).toBe(201);
    const { results } = (await (await fetch(`${first.url}/recall?query=heron`)).json()) as { results: object[] };
    expect(results).toHaveLength(1);
    const third = spawnEngraph(['serve', '--port', first.port, '--data-dir', folder]);
    expect((await third.ended).code).toBe(1);
    expect(third.output.stderr).toContain(
      `Process ${first.child.pid} has this memory open and may serve it there already`,
    );
  });

  it('refuses a data folder that is a file', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    const spawned = spawnEngraph(['serve', '--port', '0', '--data-dir', file]);
    expect(await spawned.ended).toEqual({ code: 1, signal: null });
    expect(spawned.output.stderr).toContain('a-file');
    expect(spawned.output.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('keeps serving after stderr was closed', async () => {
    const { child, url, ended } = await spawnServe(await temporaryFolder(), { LOG_LEVEL: 'debug' });
    child.stderr.destroy();
    expect(await storeOver(url, 'Ann likes tea.')).toBe(201);
    expect(await isHealthy(url)).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});

/** An address may belong to a server, to a Sentinel that knows its master, or to a node of a cluster. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openFalkorStore } from '../../src/stores/falkordb/store.js';
import {
  eventually,
  freePort,
  startFalkorServer,
  startImpostor,
  whyNoFalkorServer,
} from '../support/falkordb-server.js';
import { idOf, memory } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

/** Writes and reads through an address. */
async function expectToWork(url: string, password = ''): Promise<void> {
  const store = openFalkorStore({ url, password, graph: 'addressed', timeoutMs: 10_000 });
  onTestFinished(() => store.close());
  await eventually(() => store.ping());
  await store.saveMemories([{ memory: memory(1), work: [] }]);
  expect((await store.getMemories([idOf(1)])).get(idOf(1))).toEqual(memory(1));
}

async function started(options: readonly string[] = [], password?: string) {
  const server = await startFalkorServer({ hasPort: true, isForgetful: true, options, ...(password && { password }) });
  undo.push(() => server.stop());
  return { ...server, port: new URL(server.tcpUrl ?? '').port };
}

describe.skipIf(whyNoFalkorServer() !== undefined)('an address', () => {
  test.each([undefined, 'secret'])('of a Sentinel connects to the master, whose password is %s', async password => {
    const { port } = await started([], password);
    const folder = temporaryFolder();
    const sentinelPort = await freePort();
    const file = join(folder.path, 'sentinel.conf');
    const login = password ? `sentinel auth-pass main ${password}\n` : '';
    writeFileSync(file, `port ${sentinelPort}\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 ${port} 1\n${login}`);
    const sentinel = spawn('valkey-server', [file, '--sentinel'], { cwd: folder.path, stdio: 'ignore' });
    undo.push(() => folder.remove());
    undo.push(() => sentinel.kill('SIGKILL'));
    await expectToWork(`falkor://127.0.0.1:${sentinelPort}`, password);
  });

  test('of any node of a cluster connects to the node that has the graph', async () => {
    const node = async (slots: readonly [string, string]) => {
      const bus = String(await freePort());
      const server = await started([
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        bus,
        '--cluster-announce-ip',
        '127.0.0.1',
      ]);
      await server.command('CLUSTER', 'ADDSLOTSRANGE', ...slots);
      return { ...server, bus };
    };
    const [first, second] = [await node(['0', '8191']), await node(['8192', '16383'])];
    await first.command('CLUSTER', 'MEET', '127.0.0.1', second.port, second.bus);
    for (const { command } of [first, second]) {
      await eventually(async () => expect(await command('CLUSTER', 'INFO')).toContain('cluster_state:ok'));
    }
    for (const { port } of [first, second]) await expectToWork(`falkor://127.0.0.1:${port}`);
  });
});

test('an address whose server drops every connection is reported as unavailable', async () => {
  const impostor = await startImpostor(socket => socket.once('data', () => socket.resetAndDestroy()));
  const store = openFalkorStore({ url: impostor.url, graph: 'addressed', timeoutMs: 10_000 });
  onTestFinished(async () => {
    await store.close();
    await impostor.stop();
  });
  await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
});

/** MCP processes that start and end on one data folder leave nothing behind. Uses the compiled binary. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockFolder } from '../../src/stores/data-folder/lock.js';
import { readOwner } from '../../src/stores/data-folder/owner-file.js';
import { INITIALIZE, spawnServe, spawnStdio, temporaryFolder, toolCall } from '../cli/spawned-engraph.js';

/** Number of processes that start one after the other. Every second one is killed. A long run sets a higher number. */
const STARTS = Number(process.env.ENGRAPH_TEST_STARTS ?? 4);
const AT_ONCE = STARTS > 4 ? 10 : 5;

/** Starts a process whose client stores one memory. */
async function startAndCall(folder: string, id: number) {
  const spawned = spawnStdio(folder);
  spawned.send(INITIALIZE);
  await spawned.receive();
  spawned.send({ method: 'notifications/initialized' });
  spawned.send(toolCall(id, 'store_memory', { content: `Fact ${id}`, tags: ['starts'] }));
  expect(JSON.stringify(await spawned.receive())).toContain('Memory stored.');
  return spawned;
}

async function isRunning(pid: number | undefined): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // A zombie process counts as ended.
  return stat !== undefined && !/\) Z /.test(stat);
}

async function expectSound(folder: string, count: number): Promise<void> {
  expect(existsSync(join(folder, 'owner.lock'))).toBe(true);
  lockFolder(folder).release();
  const { url, child, ended } = await spawnServe(folder);
  const page = (await (await fetch(`${url}/memory/by-tag?tags=starts&limit=1`)).json()) as object;
  expect(page).toMatchObject({ count: 1 });
  const health = (await (await fetch(`${url}/health`)).json()) as { memory_count: number };
  expect(health.memory_count).toBe(count);
  child.kill('SIGTERM');
  await ended;
}

describe('processes that start and end', () => {
  test(
    'leave no process, no lock and an undamaged folder when they run one after the other and half of them are killed',
    async () => {
      const folder = await temporaryFolder();
      const pids: (number | undefined)[] = [];
      for (let id = 1; id <= STARTS; id++) {
        const { child, ended } = await startAndCall(folder, id);
        pids.push(child.pid);
        if (id % 2 === 0) child.kill('SIGKILL');
        else child.stdin.end();
        await ended;
      }
      expect((await Promise.all(pids.map(isRunning))).filter(Boolean)).toEqual([]);
      await expectSound(folder, STARTS);
    },
    STARTS * 10_000,
  );

  test('have exactly one owner when several start at once', { timeout: 60_000 }, async () => {
    const folder = await temporaryFolder();
    const all = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => startAndCall(folder, index + 1)));
    const owner = readOwner(folder)?.pid;
    expect(all.filter(({ child }) => child.pid === owner)).toHaveLength(1);
    const [first] = all.filter(({ child }) => child.pid === owner);
    await first?.saysOnStderr(/REST is listening/);
    expect(all.filter(({ output }) => output.stderr.includes('REST is listening'))).toEqual([first]);
    for (const { child } of all) child.stdin.end();
    for (const { ended } of all) expect(await ended).toEqual({ code: 0, signal: null });
    await expectSound(folder, AT_ONCE);
  });
});

/** `engraph status`, `engraph consolidate` and `engraph restore` as real processes. */
import { describe, expect, it } from 'vitest';
import { runNode } from '../../src/consolidation/run-records.js';
import { openSqlitePair } from '../../src/stores/sqlite/store.js';
import { createManualClock } from '../support/manual-clock.js';
import { startModelServer } from '../support/model-server.js';
import { idOf } from '../support/records.js';
import { runInProcess } from './in-process.js';
import { spawnServe, temporaryFolder } from './spawned-engraph.js';

const FORGETTING = {
  CONSOLIDATION_DELETE_THRESHOLD: '0.05',
  CONSOLIDATION_ARCHIVE_THRESHOLD: '0.1',
  CONSOLIDATION_MAX_CHANGE_SHARE: '0.5',
};
const RUN_ID = /run ([0-9a-f-]{36})/;

/** Starts a service with these memories. The returned `command` runs a command beside the service. */
async function serveMemories(memories: readonly object[], environment: Record<string, string> = FORGETTING) {
  const folder = await temporaryFolder();
  const service = await spawnServe(folder, environment);
  const response = await fetch(`${service.url}/memory/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(memories),
  });
  expect(response.status).toBe(201);
  const command = (...args: string[]) => runInProcess([...args, '--data-dir', folder]);
  return { ...service, folder, command };
}

const note = (number: number, importance: number) => ({
  id: idOf(number),
  content: `Note ${number}`,
  importance,
  type: 'Habit',
  timestamp: '2020-01-01',
});
const MEMORIES = [note(1, 0.1), note(2, 0.9), note(3, 0.9), note(4, 0.9)];

describe('engraph status', () => {
  it('lists the former names of projects with the number of their memories', async () => {
    const { url, command } = await serveMemories([{ ...note(1, 0.5), tags: ['project:shop'] }]);
    const body = JSON.stringify({ project: 'acme/shop', former_projects: ['shop', 'till'] });
    await fetch(`${url}/projects`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { code, stdout } = await command('status');
    expect([code, stdout.split('\n').filter(line => line.startsWith('project'))]).toEqual([
      0,
      ['project acme/shop is also found under shop (1 memory)'],
    ]);
  }, 20_000);
});

describe('engraph consolidate', () => {
  it("lists the changes, makes them with --apply, and 'engraph restore' restores the deleted memories", async () => {
    const { url, command } = await serveMemories(MEMORIES);
    const dry = await command('consolidate', 'forget');
    expect([dry.code, dry.stderr]).toEqual([0, '']);
    expect(dry.stdout).toMatch(/^forget: memories to forget: 1, changes: 1, \d+\.\d s\n/);
    expect(dry.stdout).toMatch(/^ {2}delete {5}"Note 1": relevance 0\.030 lies below the delete threshold/m);
    expect(dry.stdout).not.toContain(idOf(1));
    expect((await command('consolidate', 'forget', '--verbose')).stdout).toMatch(new RegExp(`^ {13}${idOf(1)}$`, 'm'));
    expect(dry.stdout).toContain("Nothing was written. 'engraph consolidate forget --apply' makes these changes.");
    expect((await fetch(`${url}/memory/${idOf(1)}`)).status).toBe(200);

    const applied = await command('consolidate', 'forget', '--apply');
    expect([applied.code, applied.stderr]).toEqual([0, '']);
    expect(applied.stdout).toMatch(RUN_ID);
    expect(applied.stdout).toMatch(/^ {2}delete {5}"Note 1": /m);
    expect(applied.stdout).not.toContain('Nothing was written');
    expect((await fetch(`${url}/memory/${idOf(1)}`)).status).toBe(404);

    const status = await command('status');
    expect(status.code).toBe(0);
    expect(status.stdout).toMatch(/^healthy: 3 memories, \d vectors\n/);
    expect(status.stdout).toContain("next consolidation run 'forget': only when somebody starts it");
    expect(status.stdout).toContain(`forget done, changes: 1, run ${RUN_ID.exec(applied.stdout)?.[1]}`);
    expect(status.stdout).toContain('deleted memories in the bin: 1');

    const listed = await command('restore');
    expect(listed.stdout).toMatch(new RegExp(`^${idOf(1)}  \\S+Z  Note 1  \\(relevance 0\\.030 lies below .*\\)\n$`));
    const restored = await command('restore', idOf(1), idOf(8));
    expect([restored.code, restored.stdout]).toEqual([1, `${idOf(1)} is back\n${idOf(8)} is not in the bin\n`]);
    expect((await fetch(`${url}/memory/${idOf(1)}`)).status).toBe(200);
    expect(await command('restore')).toEqual({ code: 0, stdout: 'The bin is empty.\n', stderr: '' });
  }, 20_000);

  it('exits with 1 and prints the reason if a run was stopped', async () => {
    const { command } = await serveMemories([note(1, 0.1), note(2, 0.1), note(3, 0.1)]);
    const { code, stdout } = await command('consolidate', '--apply');
    expect(code).toBe(1);
    for (const task of ['decay', 'creative', 'cluster', 'forget'])
      expect(stdout).toMatch(new RegExp(`^${task}: `, 'm'));
    expect(stdout).toMatch(/ {2}stopped: 3 of 3 memories would be archived or deleted.*nothing was changed\n/);
    expect((await command('status')).stdout).toMatch(/forget stopped, changes: 0, run \S+: 3 of 3 memories would be/);
  }, 20_000);

  it('opens the memory itself if no other process has it open', async () => {
    const folder = await temporaryFolder();
    const { code, stdout, stderr } = await runInProcess(['consolidate', 'decay', '--data-dir', folder]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^decay: relevances: 0, changes: 0/);
  });

  it.each([
    [['consolidate'], {}],
    [['consolidate', '--apply'], {}],
    [['restore', idOf(1)], {}],
  ])('%j is refused in one sentence if the memory is read-only', async args => {
    const folder = await temporaryFolder();
    const { code, stdout, stderr } = await runInProcess([...args, '--data-dir', folder], { ENGRAPH_READ_ONLY: 'true' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'engraph: This memory is read-only here; nothing was changed. The service was started with ENGRAPH_READ_ONLY.\n',
    );
  });
});

describe('engraph restore', () => {
  it('lists the beginnings of the 500 memories that were deleted last, and counts the others', async () => {
    const many = Array.from({ length: 502 }, (_, index) => note(index + 1, 0.1));
    const long = `The printer jams ${'again and '.repeat(100)}again`;
    many[0] = { ...note(1, 0.1), content: long };
    const settings = { ...FORGETTING, CONSOLIDATION_MAX_CHANGE_SHARE: '1' };
    const { command, url } = await serveMemories(many.slice(0, 400), settings);
    await fetch(`${url}/memory/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(many.slice(400)),
    });
    expect((await command('consolidate', 'forget', '--apply')).stdout).toContain('memories to forget: 502');
    const { stdout } = await command('restore');
    const lines = stdout.trim().split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([501, 'and 2 more, which were deleted before these']);
    expect(Math.max(...lines.map(line => line.length))).toBeLessThan(300);
    expect(stdout).toContain('The printer jams again and again');
  });

  it('refuses an invalid id in one sentence', async () => {
    const { command } = await serveMemories(MEMORIES);
    const { code, stdout, stderr } = await command('restore', 'the-last-one');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^engraph: 'ids' .*UUID.*\n$/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('needs the admin token if the memory is a remote service', async () => {
    const tokens = { SERVICE_API_TOKEN: 'secret', ADMIN_API_TOKEN: 'admin' };
    const service = await spawnServe(await temporaryFolder(), tokens);
    const remote = { ENGRAPH_URL: service.url, ENGRAPH_TOKEN: 'secret' };
    const refused = await runInProcess(['restore'], remote);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(
      /^engraph: http\S+ requires an admin token\. ADMIN_API_TOKEN must be the same .*\n$/,
    );
    expect((await runInProcess(['restore'], { ...remote, ADMIN_API_TOKEN: 'admin' })).stdout).toBe(
      'The bin is empty.\n',
    );
    expect((await runInProcess(['status'], remote)).stdout).toMatch(/^healthy: 0 memories/);
  });
});

describe('engraph status', () => {
  it('reports why a run failed, and that another run was undone', async () => {
    const folder = await temporaryFolder();
    const { graph } = openSqlitePair(folder, { dimensions: 1024, clock: createManualClock() });
    const record = { durationSeconds: 1, count: 0, changeCount: 3, timestamp: '2026-02-01T00:00:00.000Z' };
    await graph.saveNode(
      runNode({ ...record, id: idOf(1), task: 'decay', state: 'failed', problem: 'the disk is full' }),
    );
    const undoneAt = '2026-02-02T00:00:00.000Z';
    await graph.saveNode(runNode({ ...record, id: idOf(2), task: 'creative', state: 'done', undoneAt }));
    await graph.close();
    const { code, stdout, stderr } = await runInProcess(['status', '--data-dir', folder]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`decay failed, changes: 3, run ${idOf(1)}: the disk is full\n`);
    expect(stdout).toContain(`creative done, changes: 3, taken back, run ${idOf(2)}\n`);
  });

  it('reports in one sentence that the remote service does not answer', async () => {
    const { url, stop } = await startModelServer();
    await stop();
    const { code, stdout, stderr } = await runInProcess(['status'], { ENGRAPH_URL: url });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${url} gave no answer (ECONNREFUSED)`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }, 60_000);
});

/**
 * A folder that cannot be written is read: the disk is full, its file system is read-only, or another user owns it.
 * Every acknowledged memory is found, even those that only the log has. Uses the compiled binary.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { spawnEngraph, spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { keepChanging } from '../support/changing-folder.js';

vi.setConfig({ testTimeout: 120_000 });

const SETTINGS = { VECTOR_SIZE: '64', LLM_PROVIDER: 'none', ADMIN_API_TOKEN: 'admin' };
const COUNT = 5;
/** The id of no memory. */
const OTHER_ID = '11111111-1111-4111-8111-111111111111';
const SIZE = '12m';
const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0 && process.platform === 'linux';

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

const MAY_MOUNT = IS_ROOT && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function send(url: string, path: string, json?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-admin-token': 'admin' };
  const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  const response = await fetch(`${url}${path}`, { headers, ...body });
  const text = await response.text();
  return { status: response.status, body: text.includes('\n') ? { text } : JSON.parse(text) };
}

async function fill(folder: string, signal: NodeJS.Signals): Promise<void> {
  const { url, child, ended } = await spawnServe(folder, SETTINGS);
  for (let index = 0; index < COUNT; index++) {
    expect((await send(url, '/memory', { content: `heron ${signal} ${'abcdefgh'[index]}` })).status).toBe(201);
  }
  child.kill(signal);
  await ended;
}

async function disk(): Promise<string> {
  const folder = await temporaryFolder();
  expect(run('mount', '-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder)).toBe(true);
  onTestFinished(() => void run('umount', '-l', folder));
  return folder;
}

async function expectReading(url: string, refusal: { status: number; error: RegExp }): Promise<void> {
  const recall = await send(url, '/recall?query=heron&limit=50');
  expect([recall.status, recall.body.count]).toEqual([200, COUNT]);
  const [{ id } = { id: '' }] = recall.body.results as { id: string }[];
  expect((await send(url, `/memory/${id}`)).status).toBe(200);
  const exported = await send(url, '/export');
  expect([exported.status, String(exported.body.text).match(/heron/g)?.length]).toEqual([200, expect.any(Number)]);
  for (const [path, json] of [
    ['/memory', { content: 'owl' }],
    ['/memory/batch', [{ content: 'owl' }]],
    ['/associate', { memory1_id: id, memory2_id: OTHER_ID, type: 'LEADS_TO', strength: 1 }],
  ] as const) {
    const { status, body } = await send(url, path, json);
    expect([path, status, body.error]).toEqual([path, refusal.status, expect.stringMatching(refusal.error)]);
  }
}

function memoryFiles(folder: string): string[] {
  const names = readdirSync(folder).filter(name => /^memories\.db(?:-wal)?$/.test(name));
  return names.map(name => `${name} ${statSync(join(folder, name)).size}`);
}

/** What happens to the folder after its process has ended. */
const ways: [string, (disk: string, folder: string) => void, RegExp][] = [
  ['full', (root: string) => void run('dd', 'if=/dev/zero', `of=${root}/filler`, 'bs=4k'), /disk is full/],
  ['read-only', (root: string) => void run('mount', '-o', 'remount,ro', root), /read-only/],
  [
    'full, and the index of the log is missing',
    (root: string, folder: string) => {
      rmSync(join(folder, 'memories.db-shm'), { force: true });
      run('dd', 'if=/dev/zero', `of=${root}/filler`, 'bs=4k');
    },
    /disk is full/,
  ],
  [
    'read-only, and the index of the log is missing',
    (root: string, folder: string) => {
      rmSync(join(folder, 'memories.db-shm'), { force: true });
      run('mount', '-o', 'remount,ro', root);
    },
    /read-only/,
  ],
];

describe.runIf(MAY_MOUNT).each(['SIGTERM', 'SIGKILL'] as const)('after a %s', signal => {
  test.each(ways)('a disk that is %s is read, and says so', async (_, spoil, reason) => {
    const root = await disk();
    const folder = join(root, 'data');
    await fill(folder, signal);
    spoil(root, folder);
    const before = memoryFiles(folder);
    const { url, child, ended, output } = await spawnServe(folder, SETTINGS);
    expect(output.stderr).toMatch(/the memory in \S+ is only read/);
    expect(output.stderr).toMatch(reason);
    const health = await send(url, '/health');
    expect([health.status, health.body.status]).toEqual([503, 'degraded']);
    expect(String(health.body.reasons)).toMatch(reason);
    await expectReading(url, { status: 503, error: reason });
    child.kill('SIGTERM');
    await ended;
    expect(memoryFiles(folder)).toEqual(before);
  });

  test.each(ways.slice(2))('ENGRAPH_READ_ONLY reads a disk that is %s, and is well', async (_, spoil) => {
    const root = await disk();
    const folder = join(root, 'data');
    await fill(folder, signal);
    spoil(root, folder);
    const { url } = await spawnServe(folder, { ...SETTINGS, ENGRAPH_READ_ONLY: 'true' });
    expect((await send(url, '/health')).status).toBe(200);
    await expectReading(url, { status: 403, error: /read-only here/ });
  });
});

describe.runIf(MAY_MOUNT)('on a disk that was full at the start', () => {
  test('several processes read, and all of them write again when there is space', async () => {
    const root = await disk();
    const folder = join(root, 'data');
    await fill(folder, 'SIGKILL');
    run('dd', 'if=/dev/zero', `of=${root}/filler`, 'bs=4k');
    const services = [await spawnServe(folder, SETTINGS), await spawnServe(folder, SETTINGS)];
    for (const { url } of services) await expectReading(url, { status: 503, error: /disk is full/ });
    // Each process adds a file for a moment to find out whether it can write, and must not trip over those of others.
    await keepChanging(folder);
    rmSync(join(root, 'filler'));
    for (const [index, { url }] of services.entries()) {
      await expect
        .poll(() => send(url, '/memory', { content: `owl ${index}` }).then(({ status }) => status), {
          timeout: 25_000,
          interval: 250,
        })
        .toBe(201);
    }
    const counts = await Promise.all(services.map(async ({ url }) => (await send(url, '/health')).body.memory_count));
    expect(counts).toEqual([COUNT + 2, COUNT + 2]);
  });
});

describe.runIf(IS_ROOT)('a folder of another user', () => {
  const owned: [string, (folder: string) => void][] = [
    ['may only be read', () => {}],
    [
      'has a memory file that may only be read',
      folder => {
        chownSync(folder, NOBODY, NOBODY);
        for (const name of readdirSync(folder)) {
          if (!name.startsWith('memories.db')) chownSync(join(folder, name), NOBODY, NOBODY);
        }
      },
    ],
  ];
  async function copyForOthers(): Promise<string> {
    const own = await temporaryFolder();
    await fill(own, 'SIGKILL');
    const parent = await temporaryFolder();
    const folder = join(parent, 'data');
    cpSync(own, folder, { recursive: true, filter: path => !path.endsWith('.sock') });
    for (const path of [dirname(parent), parent]) if ((statSync(path).mode & 0o005) === 0) chmodSync(path, 0o755);
    chmodSync(folder, 0o755);
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    return folder;
  }

  test.each(owned)('that %s is read', async (_, give) => {
    const folder = await copyForOthers();
    give(folder);
    const { url, output } = await spawnServe(folder, SETTINGS, '0', NOBODY);
    expect(output.stderr).toMatch(/is only read.*may not write/);
    await expectReading(url, { status: 503, error: /may not write/ });
  });

  test('is read without the index of its log', async () => {
    const folder = await copyForOthers();
    chmodSync(join(folder, 'memories.db-shm'), 0o600);
    const { url } = await spawnServe(folder, SETTINGS, '0', NOBODY);
    await expectReading(url, { status: 503, error: /may not write/ });
  });

  test.each(['memories.db', 'memories.db-wal', 'owner.lock'])('is not read if %s may not be read', async name => {
    const folder = await copyForOthers();
    const path = join(folder, name);
    chmodSync(path, 0o600);
    const args = ['serve', '--port', '0', '--data-dir', folder];
    const { ended, output } = spawnEngraph(args, { ...SETTINGS, ENGRAPH_READ_ONLY: 'true' }, NOBODY);
    expect((await ended).code).toBe(1);
    expect(output.stderr).toContain(`this user may not read it (${path})`);
  });
});

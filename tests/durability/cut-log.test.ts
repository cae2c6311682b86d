/** A log that was cut after a crash is noticed, and a whole log never raises an alarm. Uses the compiled binary. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';

vi.setConfig({ testTimeout: 120_000 });

const SETTINGS = { VECTOR_SIZE: '64', LLM_PROVIDER: 'none' };
/** The facts about the last change are on the disk after this time. */
const KNOWN_AFTER_MS = 900;
const COUNT = 12;

interface Answer {
  status: number;
  body: { reasons?: string[]; memory_count?: number; details?: string };
}

async function send(url: string, path: string, json?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, json ? { method: 'POST', headers, body: JSON.stringify(json) } : {});
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** A folder whose process was killed: its file has some memories, and its log has all of them. */
async function fillAndKill(folder: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const { url, child, ended } = await spawnServe(folder, SETTINGS);
    for (let index = 0; index < COUNT; index++) {
      expect((await send(url, '/memory', { content: `heron ${signal} ${index}` })).status).toBe(201);
    }
    await wait(KNOWN_AFTER_MS);
    child.kill(signal);
    await ended;
  }
}

const killed = mkdtempSync(join(tmpdir(), 'engraph-killed-'));
afterAll(() => rmSync(killed, { recursive: true, force: true }));

/** The first test fills the folder, because only a test can start a process. */
async function copyOfKilled() {
  if (readdirSync(killed).length === 0) await fillAndKill(killed);
  const folder = await temporaryFolder();
  cpSync(killed, folder, { recursive: true, filter: path => !path.endsWith('.sock') });
  return { folder, log: join(folder, 'memories.db-wal') };
}

/** Number of pages in a log. */
const frames = (log: string) => Math.floor((statSync(log).size - 32) / 4120);

const cuts: [string, (log: string) => void][] = [
  ['is missing', log => rmSync(log)],
  ['is empty', log => truncateSync(log, 0)],
  ['ends within its header', log => truncateSync(log, 20)],
  ['ends after its header', log => truncateSync(log, 32)],
  ['ends after one frame', log => truncateSync(log, 32 + 4120)],
  ['ends within a frame', log => truncateSync(log, 32 + 4120 + 77)],
  ['has a damaged first frame', log => damage(log, 32 + 100)],
  ['has a damaged header', log => damage(log, 0)],
];

function damage(log: string, at: number): void {
  const bytes = readFileSync(log);
  bytes.fill(7, at, at + 40);
  writeFileSync(log, bytes);
}

test.each(cuts)('a log that %s is noticed until the loss is accepted, and stays as it is', async (_, cut) => {
  const { folder, log } = await copyOfKilled();
  cut(log);
  const left = sizeOf(log);
  for (let start = 1; start <= 2; start++) {
    const { url, child, ended, output } = await spawnServe(folder, SETTINGS);
    expect(output.stderr).toMatch(/acknowledged changes? (?:are|is) missing/);
    const health = await send(url, '/health');
    expect(health.status).toBe(503);
    expect(health.body.reasons?.join()).toMatch(/memories\.db-wal was cut short or removed/);
    const { status, body } = await send(url, '/memory', { content: 'owl' });
    expect([status, body.details]).toEqual([503, expect.stringMatching(/Copy the data folder.*--accept-loss/)]);
    expect((await send(url, '/recall?query=heron')).status).toBe(200);
    child.kill('SIGTERM');
    await ended;
    expect(sizeOf(log)).toBe(left);
  }
  const accepted = await spawnServe(folder, { ...SETTINGS, ENGRAPH_ACCEPT_LOSS: 'true' });
  expect((await send(accepted.url, '/memory', { content: 'owl' })).status).toBe(201);
  accepted.child.kill('SIGTERM');
  await accepted.ended;
  const after = await spawnServe(folder, SETTINGS);
  expect((await send(after.url, '/health')).status).toBe(200);
});

test('a log that was cut anywhere is noticed if a change of memories is missing', async () => {
  const counted: number[] = [];
  for (const share of [0.2, 0.5, 0.8]) {
    const { folder, log } = await copyOfKilled();
    truncateSync(log, 32 + 4120 * Math.floor(frames(log) * share));
    const { url } = await spawnServe(folder, SETTINGS);
    const { body } = await send(url, '/health');
    counted.push(body.memory_count ?? 0);
    // Work in the background makes no alarm, so the alarm depends on whether all memories are there.
    if ((body.memory_count ?? 0) < 2 * COUNT) expect(body.reasons?.join()).toMatch(/missing/);
  }
  expect(Math.min(...counted)).toBeLessThan(2 * COUNT);
});

test('a whole log raises no alarm, nor does a backup of the whole folder', async () => {
  const { folder } = await copyOfKilled();
  const { url, child, ended } = await spawnServe(folder, SETTINGS);
  expect(await send(url, '/health')).toMatchObject({ status: 200, body: { memory_count: 2 * COUNT } });
  expect((await send(url, '/memory', { content: 'owl' })).status).toBe(201);
  await wait(KNOWN_AFTER_MS);
  child.kill('SIGKILL');
  await ended;
  rmSync(folder, { recursive: true });
  cpSync(killed, folder, { recursive: true, filter: path => !path.endsWith('.sock') });
  const restored = await spawnServe(folder, SETTINGS);
  expect(await send(restored.url, '/health')).toMatchObject({ status: 200, body: { memory_count: 2 * COUNT } });
});

/** SQLite may remove an empty log. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

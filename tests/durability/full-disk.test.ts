/**
 * On a full disk, writes are refused, acknowledged data stays, and health reports the reason. Uses the compiled binary.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';

const SETTINGS = { VECTOR_SIZE: '64', EMBEDDING_PROVIDER: 'hash', LLM_PROVIDER: 'none' };
const SIZE = '8m';
const BATCH = 200;
const BATCHES_MAX = 30;

/** Mounts a separate file system. Returns undefined if the mount fails, as it does for every user except root. */
async function smallDisk(): Promise<string | undefined> {
  const folder = await temporaryFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

async function send(url: string, body?: unknown): Promise<{ status: number; answer: Record<string, unknown> }> {
  const response = await fetch(url, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

test('a full disk makes writes fail with 503, loses nothing, and is reported by health', { timeout: 60_000 }, async ({
  skip,
}) => {
  const disk = await smallDisk();
  if (disk === undefined) return skip('mounting a file system needs root');
  const { url, child, ended } = await spawnServe(join(disk, 'data'), SETTINGS);
  const items = Array.from({ length: BATCH }, (_, index) => ({
    content: `heron ${index} ${'on the chimney of the old mill '.repeat(20)}`,
  }));
  let stored = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const { status, answer } = await send(`${url}/memory/batch`, items);
    if (status === 201) stored += BATCH;
    else {
      expect([status, answer.error]).toEqual([503, expect.stringMatching(/disk is full/)]);
      break;
    }
  }
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThan(BATCH * BATCHES_MAX);
  const health = await send(`${url}/health`);
  expect(health.status).toBe(503);
  expect(health.answer.memory_count).toBe(stored);
  expect((health.answer.reasons as string[]).join(' ')).toMatch(/disk is full.*MiB left/);
  const { status, answer } = await send(`${url}/recall?query=heron&limit=3`);
  expect([status, answer.count]).toEqual([200, 3]);
  child.kill('SIGKILL');
  await ended;
});

/** Vectors are derived: a service whose vectors are lost makes them again by itself. Uses the compiled binary. */
import { readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { recallIds, untilSynced } from './reader.js';

const SETTINGS = { VECTOR_SIZE: '64', EMBEDDING_BATCH_TIMEOUT_SECONDS: '0.02' };
const COUNT = 60;

async function storeSome(url: string): Promise<string[]> {
  const items = Array.from({ length: COUNT }, (_, index) => ({ content: `heron${index} on chimney ${index}` }));
  const response = await fetch(`${url}/memory/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(items),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { memory_ids: string[] }).memory_ids;
}

async function truncateAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isFile()) await truncate(join(entry.parentPath, entry.name));
}

describe('a service that was killed', () => {
  const losses: [string, (vectors: string) => Promise<void>][] = [
    ['removed', vectors => rm(vectors, { recursive: true })],
    ['emptied file by file', truncateAll],
  ];
  test.each(losses)('makes its vectors again when their folder was %s', { timeout: 30_000 }, async (_, lose) => {
    const folder = await temporaryFolder();
    const first = await spawnServe(folder, SETTINGS);
    const ids = await storeSome(first.url);
    await untilSynced(first.url, COUNT);
    first.child.kill('SIGKILL');
    await first.ended;
    await lose(join(folder, 'vectors'));
    const second = await spawnServe(folder, SETTINGS);
    expect(await recallIds(second.url, 'heron7')).toEqual([ids[7]]);
    await untilSynced(second.url, COUNT);
    expect(second.output.stderr).toContain(`${COUNT} memories had no vector: they are embedded in the background`);
  });
});

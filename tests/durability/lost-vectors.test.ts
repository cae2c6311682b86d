/**
 * Vectors are derived data: a service that has lost vectors computes them again by itself. Uses the compiled binary.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../src/stores/database/connection.js';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { recallIds, untilSynced } from './reader.js';

const SETTINGS = { VECTOR_SIZE: '64' };
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

test('a service computes vectors again if they were lost after it was killed', { timeout: 30_000 }, async () => {
  const folder = await temporaryFolder();
  const first = await spawnServe(folder, SETTINGS);
  const ids = await storeSome(first.url);
  await untilSynced(first.url, COUNT);
  first.child.kill('SIGKILL');
  await first.ended;
  const file = connect(join(folder, 'memories.db'));
  file.execute('DELETE FROM vectors; DELETE FROM exact_vectors;');
  file.close();
  const second = await spawnServe(folder, SETTINGS);
  expect(await recallIds(second.url, 'heron7')).toEqual([ids[7]]);
  await untilSynced(second.url, COUNT);
  expect(second.output.stderr).toContain(`${COUNT} memories have no vector of hash-v3-64 yet`);
});

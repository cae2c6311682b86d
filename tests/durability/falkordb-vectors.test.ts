/**
 * A service with a graph on FalkorDB and embedded vectors is killed while it embeds. After the next start every memory
 * soon has a vector, without waiting for a lease of the killed process. Uses the compiled binary.
 */
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { read, untilSynced } from './reader.js';

const COUNT = 150;
const ROUNDS = 2;

describeFalkor('FalkorDB with embedded vectors', {}, suite => {
  test('has every vector soon after a killed service restarts on the same folder', { timeout: 60_000 }, async () => {
    const folder = await temporaryFolder();
    const settings = {
      VECTOR_SIZE: '64',
      FALKORDB_URL: suite.server.url,
      FALKORDB_GRAPH: 'killed',
    };
    for (let round = 1; round <= ROUNDS; round++) {
      const { url, child, ended } = await spawnServe(folder, settings);
      const items = Array.from({ length: COUNT }, (_, index) => ({ content: `heron ${round} on chimney ${index}` }));
      const response = await fetch(`${url}/memory/batch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(items),
      });
      expect(response.status).toBe(201);
      // Wait until embedding has begun, so that the kill interrupts it.
      await expect
        .poll(async () => (await read<{ vector_count: number }>(`${url}/health`)).vector_count, { interval: 20 })
        .toBeGreaterThan((round - 1) * COUNT);
      child.kill('SIGKILL');
      await ended;
    }
    const { url, child, ended } = await spawnServe(folder, settings);
    // The time limit of this wait is much shorter than the one-minute leases of the killed process.
    await untilSynced(url, COUNT * ROUNDS);
    child.kill('SIGTERM');
    await ended;
  });

  test.each([
    ['rubbish', (file: string) => writeFileSync(file, 'rubbish '.repeat(2_000))],
    ['a cut file', (file: string) => truncateSync(file, 10_000)],
    ['a damaged header', (file: string) => writeFileSync(file, readFileSync(file).fill(7, 16, 100))],
  ])('sets %s aside, and makes the vectors again', { timeout: 60_000 }, async (name, damage) => {
    const folder = await temporaryFolder();
    const settings = {
      VECTOR_SIZE: '64',
      FALKORDB_URL: suite.server.url,
      FALKORDB_GRAPH: name.replaceAll(' ', '-'),
    };
    const first = await spawnServe(folder, settings);
    const response = await fetch(`${first.url}/memory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'herons nest early' }),
    });
    expect(response.status).toBe(201);
    await untilSynced(first.url, 1);
    first.child.kill('SIGTERM');
    await first.ended;
    damage(join(folder, 'vectors.db'));
    const { url, output } = await spawnServe(folder, settings);
    expect(output.stderr).toMatch(
      /vectors\.db contains no memories.*vectors\.db\.damaged, and the vectors are made again/,
    );
    await untilSynced(url, 1);
    expect(existsSync(join(folder, 'vectors.db.damaged'))).toBe(true);
  });
});

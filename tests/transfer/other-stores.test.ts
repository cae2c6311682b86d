/**
 * An export of embedded stores is imported unchanged into FalkorDB and Qdrant, and from there back into embedded
 * stores.
 */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exportToFile } from '../../src/transfer/export-lines.js';
import { importFile, type TransferClient } from '../../src/transfer/import-file.js';
import { axis } from '../engine/open-engine.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { startedQdrant } from '../support/qdrant-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { emptyMemory, filledMemory } from './filled.js';

async function exported(client: TransferClient): Promise<string> {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, 'memory.jsonl');
  const header = { version: 1, exported_at: 'x', engraph: 'x' };
  await exportToFile(path, { readPage: client.exportPage, header, onProgress: () => {} });
  return path;
}

const importing = (client: TransferClient) => ({ client, isDryRun: false, onProgress: () => {} });

test('an export of embedded stores is imported unchanged into Qdrant, and from there into embedded ones', async () => {
  const { client, count, ids } = await filledMemory();
  const target = await emptyMemory({ QDRANT_URL: (await startedQdrant()).url });
  const { comparison } = await importFile(await exported(client), importing(target.client));
  expect(comparison).toEqual({ equal: count, kept: 0, differing: [] });
  await target.test.engine.idle();
  const nearest = await target.test.recall({ embedding: axis(9), limit: 1 });
  expect(nearest.results.map(({ memory }) => memory.id)).toEqual([ids.supplied]);
  const back = await emptyMemory();
  const returned = await importFile(await exported(target.client), importing(back.client));
  expect(returned.comparison).toEqual({ equal: count, kept: 0, differing: [] });
});

describeFalkor('an export of embedded stores', { isForgetful: true }, suite => {
  test('is imported unchanged into FalkorDB, and from there into embedded stores', async () => {
    const { client, count } = await filledMemory();
    const { url, graph } = suite.settings();
    const target = await emptyMemory({ FALKORDB_URL: url, FALKORDB_GRAPH: graph });
    const there = await importFile(await exported(client), importing(target.client));
    expect(there.comparison).toEqual({ equal: count, kept: 0, differing: [] });
    await target.test.engine.idle();
    const back = await emptyMemory();
    const returned = await importFile(await exported(target.client), importing(back.client));
    expect(returned.comparison).toEqual({ equal: count, kept: 0, differing: [] });
  });
});

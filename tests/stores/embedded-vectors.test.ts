import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openEmbeddedVectors } from '../../src/stores/embedded-vectors/store.js';
import { CONTRACT_DIMENSIONS, describeVectorStore } from '../contracts/vector-store.js';
import { idOf, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describeVectorStore('embedded zvec', async () => {
  const folder = temporaryFolder();
  let store = await openEmbeddedVectors(folder.path, CONTRACT_DIMENSIONS);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openEmbeddedVectors(folder.path, CONTRACT_DIMENSIONS);
      return store;
    },
    dispose: async () => {
      await store.close();
      folder.remove();
    },
  };
});

const RECORD = {
  id: idOf(1),
  vector: Float32Array.from([1, 0, 0, 0, 0, 0, 0, 0]),
  payload: { tags: [], timestampMs: NOON, model: 'm' },
};

function replaceBy(vectors: string, make: () => void): void {
  rmSync(vectors, { recursive: true });
  make();
}

function forEachManifest(vectors: string, damage: (path: string) => void): void {
  const manifests = readdirSync(vectors).filter(name => name.startsWith('manifest'));
  expect(manifests).not.toEqual([]);
  for (const name of manifests) damage(join(vectors, name));
}

describe('embedded zvec', () => {
  test('refuses another vector size with the way out', async () => {
    const folder = temporaryFolder();
    await (await openEmbeddedVectors(folder.path, 8)).close();
    await expect(openEmbeddedVectors(folder.path, 16)).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('VECTOR_SIZE=8'),
    });
    folder.remove();
  });

  const damages: [string, (vectors: string) => void][] = [
    ['a file in its place', vectors => replaceBy(vectors, () => writeFileSync(vectors, 'not a collection'))],
    ['an empty folder in its place', vectors => replaceBy(vectors, () => mkdirSync(vectors))],
    ['an empty manifest', vectors => forEachManifest(vectors, path => truncateSync(path))],
    ['a garbled manifest', vectors => forEachManifest(vectors, path => writeFileSync(path, 'garbage'))],
    ['a segment gone', vectors => rmSync(join(vectors, '0'), { recursive: true })],
  ];
  test.each(damages)('sets what it cannot read aside and begins anew: %s', async (_, damage) => {
    const folder = temporaryFolder();
    const first = await openEmbeddedVectors(folder.path, 8);
    await first.upsert([RECORD]);
    await first.close();
    for (let round = 1; round <= 2; round++) {
      damage(join(folder.path, 'vectors'));
      const again = await openEmbeddedVectors(folder.path, 8);
      expect(await again.count()).toBe(0);
      await again.upsert([RECORD]);
      await again.close();
      expect(readdirSync(folder.path).filter(name => name.startsWith('unreadable-'))).toHaveLength(round);
    }
    const last = await openEmbeddedVectors(folder.path, 8);
    expect(await last.count()).toBe(1);
    await last.close();
    folder.remove();
  });
});

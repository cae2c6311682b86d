import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openEmbeddedVectors } from '../../src/stores/embedded-vectors/store.js';
import { CONTRACT_DIMENSIONS, describeVectorStore } from '../contracts/vector-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describeVectorStore('embedded zvec', async () => {
  const folder = temporaryFolder();
  let { store } = await openEmbeddedVectors(folder.path, CONTRACT_DIMENSIONS);
  return {
    store,
    reopen: async () => {
      await store.close();
      ({ store } = await openEmbeddedVectors(folder.path, CONTRACT_DIMENSIONS));
      return store;
    },
    dispose: async () => {
      await store.close();
      folder.remove();
    },
  };
});

describe('embedded zvec', () => {
  test('refuses another vector size with the way out', async () => {
    const folder = temporaryFolder();
    const { store } = await openEmbeddedVectors(folder.path, 8);
    await store.close();
    await expect(openEmbeddedVectors(folder.path, 16)).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('VECTOR_SIZE=8'),
    });
    folder.remove();
  });

  test('sets a folder aside that it cannot read, and begins anew', async () => {
    const folder = temporaryFolder();
    const first = await openEmbeddedVectors(folder.path, 8);
    expect(first.isNew).toBe(true);
    await first.store.close();
    rmSync(join(folder.path, 'vectors'), { recursive: true });
    writeFileSync(join(folder.path, 'vectors'), 'not a collection');
    const second = await openEmbeddedVectors(folder.path, 8);
    expect(second.isNew).toBe(true);
    await second.store.close();
    const third = await openEmbeddedVectors(folder.path, 8);
    expect(third.isNew).toBe(false);
    await third.store.close();
    folder.remove();
  });
});

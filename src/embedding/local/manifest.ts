/**
 * The list of a downloaded model's files. The list is written last, so if the list exists and all files match, the
 * model is complete.
 */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

export const MANIFEST_FILE = 'engraph-model.json';

export interface Manifest {
  model: string;
  /** Path of the ONNX file. */
  weights: string;
  files: readonly { path: string; sizeBytes: number; sha256: string }[];
}

/**
 * Compares only the sizes of the files, because the download verified their checksums.
 *
 * @returns undefined when the folder contains no complete model
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')) as Manifest;
    for (const { path, sizeBytes } of manifest.files) {
      if ((await stat(join(folder, path))).size !== sizeBytes) return undefined;
    }
    return manifest;
  } catch {
    // The manifest or a listed file is missing, or the manifest was not written by Engraph. In each case the download
    // runs, and verifies the files that are present.
    return undefined;
  }
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST_FILE);
  const draft = `${path}.${randomUUID()}.draft`;
  const handle = await open(draft, 'w');
  try {
    await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
}

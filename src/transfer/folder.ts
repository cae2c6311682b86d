/** Lists the regular files of an untrusted folder, within limits, and never leaves the folder. */
import type { Dirent } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MemoryError } from '../domain/errors.js';

export interface FoundFile {
  /** Path with which the file can be opened. */
  path: string;
  /** Path relative to the folder, with slashes. */
  name: string;
}

const FILES_MAX = 500_000;
const DEPTH_MAX = 16;

/**
 * Yields files in order of their names. Symbolic links, and names that begin with a dot, are skipped. If `folder` is a
 * file, yields this file.
 *
 * @throws MemoryError `too_large` for more than half a million files
 */
export async function* filesIn(folder: string, isWanted: (name: string) => boolean): AsyncGenerator<FoundFile> {
  if ((await stat(folder)).isFile()) {
    yield { path: folder, name: basename(folder) };
    return;
  }
  let count = 0;
  for await (const file of walk(folder, '', 0)) {
    count += 1;
    if (count > FILES_MAX) throw new MemoryError('too_large', `${folder} has more than ${FILES_MAX} files`);
    if (isWanted(file.name)) yield file;
  }
}

async function* walk(folder: string, prefix: string, depth: number): AsyncGenerator<FoundFile> {
  if (depth > DEPTH_MAX) return;
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort(byName)) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) yield* walk(path, `${name}/`, depth + 1);
    else if (entry.isFile()) yield { path, name };
  }
}

function byName(one: Dirent, other: Dirent): number {
  return one.name < other.name ? -1 : 1;
}

export interface ReadFile {
  bytes: Buffer;
  modifiedMs: number;
}

/**
 * Reads a whole file of bounded size.
 *
 * @throws MemoryError `too_large`
 */
export async function readBounded(path: string, maxBytes: number): Promise<ReadFile> {
  const file = await open(path, 'r');
  try {
    const { size, mtimeMs } = await file.stat();
    if (size > maxBytes) {
      throw new MemoryError('too_large', `${path} has ${size} bytes, but may have at most ${maxBytes}`);
    }
    return { bytes: await file.readFile(), modifiedMs: mtimeMs };
  } finally {
    await file.close();
  }
}

/** Lists the regular files of an untrusted folder, within limits, never leaves the folder, and reads bounded files. */
import { createReadStream, type Dirent } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { MemoryError, messageOf } from '../domain/errors.js';

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

/** Number of bytes from which the format of a file is recognised. */
const HEAD_BYTES = 262_144;

/** The encoding `latin1` keeps every byte, so that bytes that are not text can be compared too. */
export async function headOf(path: string, encoding: 'latin1' | 'utf8' = 'latin1'): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString(encoding, 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Maximum size of files that are read as a whole. */
export const WHOLE_FILE_MAX_BYTES = 256 * 1_048_576;
const RATIO_MAX = 200;
const RATIO_CHECKED_FROM_BYTES = 16 * 1_048_576;

/** @throws MemoryError `too_large` for a stream of more than `maxBytes` */
export async function collect(
  chunks: AsyncIterable<Buffer>,
  name: string,
  maxBytes = WHOLE_FILE_MAX_BYTES,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new MemoryError('too_large', `${name} has more than ${maxBytes} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

export function chunksOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>;
}

/** @throws MemoryError `invalid` for bytes that are not gzip, `too_large` for a decompression bomb or a large result */
export async function gunzip(bytes: Buffer, name: string): Promise<Buffer> {
  const stream = createGunzip();
  stream.end(bytes);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      const isBomb = size > RATIO_CHECKED_FROM_BYTES && size > bytes.length * RATIO_MAX;
      if (isBomb)
        throw new MemoryError('too_large', `${name} grows to more than ${RATIO_MAX} times its size, so it is not read`);
      if (size > WHOLE_FILE_MAX_BYTES)
        throw new MemoryError('too_large', `${name} has more than ${WHOLE_FILE_MAX_BYTES} bytes`);
      parts.push(chunk);
    }
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    throw new MemoryError('invalid', `${name} cannot be read as gzip: ${messageOf(error)}`, { cause: error });
  } finally {
    stream.destroy();
  }
  return Buffer.concat(parts);
}

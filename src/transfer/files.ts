/** Lists the regular files of an untrusted folder, never leaves the folder, and reads files whole or line by line. */

import { isUtf8 } from 'node:buffer';
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

/**
 * Yields files in order of their names. Symbolic links, and names that begin with a dot, are skipped. If `folder` is a
 * file, yields this file.
 */
export async function* filesIn(folder: string, isWanted: (name: string) => boolean): AsyncGenerator<FoundFile> {
  if ((await stat(folder)).isFile()) {
    yield { path: folder, name: basename(folder) };
    return;
  }
  for await (const file of walk(folder, '')) if (isWanted(file.name)) yield file;
}

async function* walk(folder: string, prefix: string): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort(byName)) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) yield* walk(path, `${name}/`);
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
export async function readBounded(path: string, maxBytes = WHOLE_FILE_MAX_BYTES): Promise<ReadFile> {
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
const WHOLE_FILE_MAX_BYTES = 256 * 1_048_576;
/** Maximum ratio of decompression. Text rarely exceeds a ratio of 50, but a decompression bomb does. */
const RATIO_MAX = 200;
const RATIO_CHECKED_FROM_BYTES = 16 * 1_048_576;

/** @throws MemoryError `too_large` for a decompression bomb */
export function assertRatio(bytes: number, packedBytes: number, name: string): void {
  if (bytes <= RATIO_CHECKED_FROM_BYTES || bytes <= packedBytes * RATIO_MAX) return;
  throw new MemoryError('too_large', `${name} grows to more than ${RATIO_MAX} times its size, so it is not read`);
}

/**
 * @param packedBytes size of the content before it was unpacked, if it was
 * @throws MemoryError `too_large` for a large stream or a decompression bomb
 */
export async function collect(chunks: AsyncIterable<Buffer>, name: string, packedBytes = Infinity): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    assertRatio(size, packedBytes, name);
    if (size > WHOLE_FILE_MAX_BYTES) {
      throw new MemoryError('too_large', `${name} has more than ${WHOLE_FILE_MAX_BYTES} bytes`);
    }
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
  try {
    return await collect(stream, name, bytes.length);
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    throw new MemoryError('invalid', `${name} cannot be read as gzip: ${messageOf(error)}`, { cause: error });
  } finally {
    stream.destroy();
  }
}

export interface Line {
  /** From 1. */
  number: number;
  text: string;
  /** Size with its line break, in bytes. */
  size: number;
  /** Why the line cannot be read, as the end of a sentence about the line. The text is then empty. */
  problem?: string;
}

/** Maximum size of a line. In an export, a memory with all its edges fits into a line of this size. */
export const LINE_MAX_BYTES = 16 * 1_048_576;
const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/** Yields complete lines, several at a time. The text after the last line break is a line too. */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  let parts: Buffer[] = [];
  let held = 0;
  let number = 0;
  const hold = (bytes: Buffer) => {
    held += bytes.length;
    // The bytes of a line that is too long are counted, and not kept.
    if (held > LINE_MAX_BYTES) parts = [];
    else parts.push(bytes);
  };
  const next = (lineBreak: number): Line => {
    number += 1;
    const line = { number, size: held + lineBreak, ...read(parts, held, number) };
    parts = [];
    held = 0;
    return line;
  };
  for await (const chunk of chunksOf(path)) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      hold(chunk.subarray(start, end));
      lines.push(next(1));
      start = end + 1;
    }
    hold(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (held > 0) yield [next(0)];
}

function read(parts: readonly Buffer[], size: number, number: number): Pick<Line, 'text' | 'problem'> {
  if (size > LINE_MAX_BYTES) return { text: '', problem: `is longer than ${LINE_MAX_BYTES} bytes` };
  const [first = Buffer.alloc(0), ...rest] = parts;
  const bytes = rest.length === 0 ? first : Buffer.concat(parts);
  if (!isUtf8(bytes)) return { text: '', problem: 'is not text in UTF-8' };
  const text = bytes.toString('utf8');
  const unmarked = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return { text: unmarked.endsWith('\r') ? unmarked.slice(0, -1) : unmarked };
}

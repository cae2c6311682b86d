/** Downloads one file: resumes an earlier attempt, verifies the file, and moves it into place in one step. */
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileSums, matchesAnnounced, sumFile } from './checksum.js';
import { causeOf, DownloadError, type HubFile, reach } from './hub-file.js';
import { claimPart, removeAbandonedParts } from './part-file.js';

export interface FetchOptions {
  signal: AbortSignal;
  /** Called repeatedly with the number of bytes of this file that are present. */
  onProgress(bytes: number): void;
}

/**
 * Ensures that a file is present and matches the hub's size and checksum.
 *
 * @param target path of the file; missing folders are created
 * @throws DownloadError when the file cannot be downloaded now; the bytes that arrived are kept for the next attempt,
 * unless their checksum is wrong
 */
export async function fetchFile(file: HubFile, target: string, options: FetchOptions): Promise<FileSums> {
  await mkdir(dirname(target), { recursive: true });
  // An earlier download of the model may have completed this file, and failed at a later file.
  const present = await sumIfThere(target, file);
  if (present) return present;
  const part = await claimPart(target, file.checksum?.value.slice(0, 16) ?? `size${file.sizeBytes}`);
  try {
    await fill(part.path, file, options);
    const sums = await sumFile(part.path, file.sizeBytes);
    if (!matchesAnnounced(sums, file)) {
      // Delete the partial file, because it is unknown which bytes are wrong.
      await rm(part.path, { force: true });
      throw new DownloadError(`${file.path} arrived with a wrong checksum`);
    }
    await rename(part.path, target);
    await removeAbandonedParts(target);
    return sums;
  } finally {
    part.release();
  }
}

async function sumIfThere(target: string, file: HubFile): Promise<FileSums | undefined> {
  const { size } = (await stat(target).catch(() => undefined)) ?? {};
  if (size !== file.sizeBytes) return undefined;
  const sums = await sumFile(target, size);
  return matchesAnnounced(sums, file) ? sums : undefined;
}

/** Downloads the missing rest of a partial file, and flushes the partial file to disk. */
async function fill(path: string, file: HubFile, { signal, onProgress }: FetchOptions): Promise<void> {
  const handle = await open(path, 'a+');
  try {
    let { size } = await handle.stat();
    if (size > file.sizeBytes) size = 0;
    if (size < file.sizeBytes) {
      const body = await startFrom(size, file, signal);
      size = body.startBytes;
      await handle.truncate(size);
      onProgress(size);
      for await (const chunk of body.chunks) {
        size += chunk.length;
        if (size > file.sizeBytes) throw new DownloadError(`${file.path} is longer than announced`);
        await handle.appendFile(chunk);
        onProgress(size);
      }
    }
    await handle.sync();
    if (size < file.sizeBytes) throw new DownloadError(`the connection ended before ${file.path} was complete`);
  } finally {
    await handle.close();
  }
}

/** Requests the rest of a file. If a server ignores the range, the download starts again from the beginning. */
async function startFrom(
  bytes: number,
  { url, path, sizeBytes }: HubFile,
  signal: AbortSignal,
): Promise<{ startBytes: number; chunks: AsyncIterable<Uint8Array> }> {
  const headers = { 'accept-encoding': 'identity', ...(bytes > 0 && { range: `bytes=${bytes}-` }) };
  const { status, headers: answered, body } = await reach(url, { headers, signal });
  const isPart = status === 206 && answered.get('content-range') === `bytes ${bytes}-${sizeBytes - 1}/${sizeBytes}`;
  if (!(isPart || status === 200) || !body) {
    await body?.cancel();
    throw new DownloadError(`the hub answered with status ${status} for ${path}`);
  }
  return { startBytes: isPart ? bytes : 0, chunks: readBody(body, path) };
}

async function* readBody(body: AsyncIterable<Uint8Array>, path: string): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new DownloadError(`the connection ended in the middle of ${path} (${causeOf(error)})`, {
      cause: error,
    });
  }
}

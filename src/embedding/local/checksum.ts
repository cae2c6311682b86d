/** Checksums of files. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { HubFile } from './hub-file.js';

export interface FileSums {
  sizeBytes: number;
  /** SHA-256 in hexadecimal digits. */
  sha256: string;
  /** The hash by which git names the content. */
  gitSha1: string;
}

/** @param sizeBytes size of the file, which git hashes before the content */
export async function sumFile(path: string, sizeBytes: number): Promise<FileSums> {
  const sha256 = createHash('sha256');
  const gitSha1 = createHash('sha1').update(`blob ${sizeBytes}\0`);
  let count = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    sha256.update(chunk);
    gitSha1.update(chunk);
    count += chunk.length;
  }
  return { sizeBytes: count, sha256: sha256.digest('hex'), gitSha1: gitSha1.digest('hex') };
}

export function isAsAnnounced(sums: FileSums, { sizeBytes, checksum }: HubFile): boolean {
  if (sums.sizeBytes !== sizeBytes) return false;
  return checksum === undefined || checksum.value === (checksum.algorithm === 'sha256' ? sums.sha256 : sums.gitSha1);
}

/** Maximum size of files that are read as a whole. */
const WHOLE_BYTES = 4_194_304;
const SAMPLES = 64;
const SAMPLE_BYTES = 4096;

/**
 * A short hash of the content of files. Large files are only sampled, because reading a gigabyte would delay the start.
 * Samples are enough, because weights from another training or conversion differ everywhere.
 */
export async function fingerprint(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    const handle = await open(join(folder, file));
    try {
      const { size } = await handle.stat();
      hash.update(`${file} ${size}\0`);
      const count = size <= WHOLE_BYTES ? 1 : SAMPLES;
      const length = size <= WHOLE_BYTES ? size : SAMPLE_BYTES;
      for (let index = 0; index < count; index++) {
        const position = Math.floor((index * (size - length)) / Math.max(1, count - 1));
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  }
  return hash.digest('hex').slice(0, 12);
}

/** Reads streams of bounded size into memory. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { MemoryError, messageOf } from '../../domain/errors.js';

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

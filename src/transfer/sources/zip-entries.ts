/** Reads single entries of a zip file as streams, within limits. Nothing is written to the disk. */
import type { Readable } from 'node:stream';
import { type Entry, open, type ZipFile } from 'yauzl';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { assertRatio } from '../files.js';

export interface ZipArchive {
  /** Paths of the files, with slashes. An archive with a path that leads out of the archive is refused. */
  names: string[];
  /** @throws MemoryError `invalid` for a missing or damaged entry, `too_large` for a decompression bomb */
  read(name: string): AsyncGenerator<Buffer>;
  close(): void;
}

/** @throws MemoryError `invalid` for a file that is not a zip file or has unsafe paths */
export async function openZip(path: string): Promise<ZipArchive> {
  const zip = await opened(path);
  const entries = await entriesOf(zip, path).catch(error => {
    zip.close();
    throw error;
  });
  return {
    names: [...entries.keys()],
    read: name => contentOf(zip, entries.get(name), `${path}: ${name}`),
    close: () => zip.close(),
  };
}

function opened(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: true };
    open(path, options, (error, zip) => {
      if (error) reject(unreadable(path, error));
      else resolve(zip);
    });
  });
}

function entriesOf(zip: ZipFile, path: string): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on('error', error => reject(unreadable(path, error)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

async function* contentOf(zip: ZipFile, entry: Entry | undefined, place: string): AsyncGenerator<Buffer> {
  if (!entry) throw new MemoryError('invalid', `${place} does not exist`);
  assertRatio(entry.uncompressedSize, entry.compressedSize, place);
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error ? reject(unreadable(place, error)) : resolve(opened)));
  });
  try {
    // The library ends the stream with an error if an entry is longer than its header states.
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw error instanceof MemoryError ? error : unreadable(place, error);
  } finally {
    stream.destroy();
  }
}

function unreadable(place: string, cause: unknown): MemoryError {
  return new MemoryError('invalid', `${place} cannot be read as a zip file: ${messageOf(cause)}`, { cause });
}

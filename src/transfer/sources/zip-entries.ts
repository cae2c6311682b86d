/** Reads single entries of a zip file as streams, within limits. Nothing is written to the disk. */
import type { Readable } from 'node:stream';
import { type Entry, open, type ZipFile } from 'yauzl';
import { MemoryError, messageOf } from '../../domain/errors.js';

const ENTRIES_MAX = 100_000;
const ENTRY_MAX_BYTES = 4 * 1_073_741_824;
/** Text is rarely compressed to less than a fiftieth of its size. A bomb is. */
const RATIO_MAX = 200;
const RATIO_CHECKED_FROM_BYTES = 16 * 1_048_576;

export interface ZipArchive {
  /** Names of files, with slashes. Names that lead out of the archive make it unreadable. */
  names: string[];
  /** @throws MemoryError `invalid` for an entry that is not there or is damaged, `too_large` for one beyond the limits */
  read(name: string): AsyncGenerator<Buffer>;
  close(): void;
}

/** @throws MemoryError `invalid` for a file that is not a zip file, or one with absolute paths */
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
      if (entries.size >= ENTRIES_MAX) {
        reject(new MemoryError('too_large', `${path} has more than ${ENTRIES_MAX} entries`));
        return;
      }
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

async function* contentOf(zip: ZipFile, entry: Entry | undefined, place: string): AsyncGenerator<Buffer> {
  if (!entry) throw new MemoryError('invalid', `${place} is not there`);
  assertSize(entry.uncompressedSize, entry.compressedSize, place);
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error ? reject(unreadable(place, error)) : resolve(opened)));
  });
  try {
    // The library ends the stream where an entry is longer than its header says.
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw error instanceof MemoryError ? error : unreadable(place, error);
  } finally {
    stream.destroy();
  }
}

function assertSize(bytes: number, compressed: number, place: string): void {
  if (bytes > ENTRY_MAX_BYTES) throw new MemoryError('too_large', `${place} has more than ${ENTRY_MAX_BYTES} bytes`);
  if (bytes > RATIO_CHECKED_FROM_BYTES && bytes > compressed * RATIO_MAX) {
    throw new MemoryError('too_large', `${place} grows to more than ${RATIO_MAX} times its size: it is not read`);
  }
}

function unreadable(place: string, cause: unknown): MemoryError {
  return new MemoryError('invalid', `${place} cannot be read as a zip file: ${messageOf(cause)}`, { cause });
}

/** Opens the files of a data export of ChatGPT or Claude. The export is a zip file, a folder, or a single file. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { chunksOf } from './bytes.js';
import { openZip } from './zip-entries.js';

export interface ExportedFile {
  /** Without folders. */
  name: string;
  chunks(): AsyncIterable<Buffer>;
}

export interface DataExport {
  files: ExportedFile[];
  close(): void;
}

const WANTED = /^(?:conversations(?:-\d+)?|memories)\.json$/;

/** @throws MemoryError like `openZip` */
export async function openDataExport(path: string): Promise<DataExport> {
  if ((await stat(path)).isDirectory()) {
    const entries = await readdir(path, { withFileTypes: true });
    const names = entries.filter(entry => entry.isFile() && WANTED.test(entry.name)).map(({ name }) => name);
    return {
      files: names.sort().map(name => ({ name, chunks: () => chunksOf(join(path, name)) })),
      close: () => {},
    };
  }
  if (!path.toLowerCase().endsWith('.zip')) {
    return { files: [{ name: basename(path), chunks: () => chunksOf(path) }], close: () => {} };
  }
  const zip = await openZip(path);
  const names = zip.names.filter(name => WANTED.test(basename(name))).sort();
  return {
    files: names.map(name => ({ name: basename(name), chunks: () => zip.read(name) })),
    close: () => zip.close(),
  };
}

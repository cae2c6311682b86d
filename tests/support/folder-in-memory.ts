/**
 * A folder for the writes of tests. The folder may be in memory, because tests kill processes but never the machine.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
const ROOM_BYTES = 4e9;

/** Environment variables that put temporary files into memory. Empty if `/dev/shm` is missing or too small. */
export function folderInMemory(): Record<string, string> {
  if (!existsSync(MEMORY_FOLDER)) return {};
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (bavail * bsize < ROOM_BYTES) return {};
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'engraph-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}

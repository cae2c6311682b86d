/** Where tests write: they end processes, never machines, so it need not go to a disk where there is room in memory. */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
const ROOM_BYTES = 4e9;

/** Environment variables that put temporary files into memory; none where memory has too little room. */
export function folderInMemory(): Record<string, string> {
  if (!existsSync(MEMORY_FOLDER)) return {};
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (bavail * bsize < ROOM_BYTES) return {};
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'engraph-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}

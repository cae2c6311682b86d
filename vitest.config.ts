import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What starts servers and processes of its own, or runs other test files once more. */
const ALONE = ['tests/durability/**/*.test.ts', 'tests/engine/*-on-falkordb.test.ts'];
const MEMORY_FOLDER = '/dev/shm';
const ROOM_BYTES = 4e9;

/** Tests end processes, never machines: where there is room in memory, what they write need not go to a disk. */
function temporaryFolder(): Record<string, string> {
  if (!existsSync(MEMORY_FOLDER)) return {};
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (bavail * bsize < ROOM_BYTES) return {};
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'engraph-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}

const env = temporaryFolder();

export default defineConfig({
  test: {
    projects: [
      // The files of a worker share what they import: loading it anew for each took a third of the time.
      { test: { name: 'shared', include: ['tests/**/*.test.ts'], exclude: ALONE, isolate: false, env } },
      { test: { name: 'alone', include: ALONE, env } },
    ],
  },
});

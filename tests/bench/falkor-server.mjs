/** A FalkorDB server for a benchmark, with temporary folders. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export function temporaryFolders() {
  const made = [];
  return {
    make: () => {
      const folder = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
      made.push(folder);
      return folder;
    },
    remove: () => {
      for (const folder of made) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param fsync value of the server's `appendfsync` */
export async function startFalkorServer(folders, fsync = 'always') {
  const folder = folders.make();
  const socket = join(folder, 'socket');
  const module = join(
    dirname(createRequire(import.meta.url).resolve('@falkordblite/linux-x64/package.json')),
    'bin/falkordb.so',
  );
  const options = `--port 0 --unixsocket ${socket} --dir ${folder} --appendonly yes --appendfsync ${fsync}`;
  const server = spawn('valkey-server', [...options.split(' '), '--loadmodule', module], { stdio: 'ignore' });
  while (!existsSync(socket)) await delay(20);
  return { url: `unix://${socket}`, stop: () => server.kill('SIGKILL') };
}

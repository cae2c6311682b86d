/** Where an owner listens for the other processes of its user. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Systems cut the path of a socket at 104 bytes or later. */
const PATH_MAX_BYTES = 100;
const SOCKET_FILE = 'owner.sock';

/**
 * A Unix socket in the data folder: only its user gets there, no other program can have taken it, and no browser reaches
 * it. Where the path is too long it is one among the temporary files. On Windows it is a named pipe, which other users
 * may open: hence the token.
 */
export function socketAddress(folder: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\engraph-${randomUUID()}`;
  const path = join(folder, SOCKET_FILE);
  return Buffer.byteLength(path) <= PATH_MAX_BYTES ? path : join(tmpdir(), `engraph-${randomUUID()}.sock`);
}

/** What a killed owner has left would keep the next one from listening. */
export function removeSocket(address: string): void {
  if (process.platform !== 'win32') rmSync(address, { force: true });
}

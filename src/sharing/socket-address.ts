/** Where an owner listens for the other processes of its user. */
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Systems cut the path of a socket at 104 bytes or later. */
const PATH_MAX_BYTES = 100;
const SOCKET_FILE = /^(?:engraph-)?owner-[0-9a-f]{16}\.sock$/;

/**
 * Addresses to try, the best first. A Unix socket in the data folder comes first: only its user gets there, and no browser
 * reaches it. Where the path is too long, or the file system has no sockets, it is one among the temporary files. On Windows
 * it is a named pipe, which other users may open: hence the token. Each owner has a name of its own, so that none removes
 * the socket of another.
 */
export function socketAddresses(folder: string): string[] {
  const name = `owner-${randomBytes(8).toString('hex')}`;
  if (process.platform === 'win32') return [`\\\\.\\pipe\\engraph-${name}`];
  const paths = [join(folder, `${name}.sock`), join(tmpdir(), `engraph-${name}.sock`)];
  return paths.filter(path => Buffer.byteLength(path) <= PATH_MAX_BYTES);
}

/** Removes the sockets that killed owners of a folder have left. Call it with the lock of the folder. */
export function removeLeftSockets(folder: string, lastAddress: string | undefined): void {
  if (process.platform === 'win32') return;
  const left = readdirSync(folder).filter(name => SOCKET_FILE.test(name));
  for (const name of left) rmSync(join(folder, name), { force: true });
  if (lastAddress === undefined || dirname(lastAddress) !== tmpdir() || !SOCKET_FILE.test(basename(lastAddress)))
    return;
  rmSync(lastAddress, { force: true });
}

/** Chooses the address at which an owner listens for the other processes of its user. */
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Maximum length of a path. Operating systems limit the path of a socket to 104 bytes, or to a larger number. */
const PATH_MAX_BYTES = 100;
const SOCKET_FILE = /^(?:engraph-)?owner-[0-9a-f]{16}\.sock$/;

/**
 * Addresses to try, best first. A Unix socket in the data folder is best, because only the user of the folder can reach
 * it, and browsers cannot. If the path is too long, or the file system does not support sockets, the socket is placed
 * among the temporary files. On Windows the address is a named pipe, which other users may open, so every request needs
 * a token. Each owner uses a different name, so that no owner removes the socket of another owner.
 */
export function socketAddresses(folder: string): string[] {
  const name = `owner-${randomBytes(8).toString('hex')}`;
  if (process.platform === 'win32') return [`\\\\.\\pipe\\engraph-${name}`];
  const paths = [join(folder, `${name}.sock`), join(tmpdir(), `engraph-${name}.sock`)];
  return paths.filter(path => Buffer.byteLength(path) <= PATH_MAX_BYTES);
}

/** Removes sockets that owners of a folder left when they were killed. The caller must hold the folder's lock. */
export function removeLeftSockets(folder: string, lastAddress: string | undefined): void {
  if (process.platform === 'win32') return;
  const left = readdirSync(folder).filter(name => SOCKET_FILE.test(name));
  for (const name of left) rmSync(join(folder, name), { force: true });
  if (lastAddress === undefined || dirname(lastAddress) !== tmpdir() || !SOCKET_FILE.test(basename(lastAddress)))
    return;
  rmSync(lastAddress, { force: true });
}

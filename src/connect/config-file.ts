/** Finds the folders of the user, and reads and atomically replaces the configuration files of other programs. */
import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import {
  access,
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, posix, resolve, win32 } from 'node:path';
import { messageOf } from '../domain/errors.js';
import { ConnectError } from './format.js';

const BYTE_ORDER_MARK = '\uFEFF';
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_LINKS = 40;

export interface ConfigFile {
  /** Path of the file itself, even if the given path is a symbolic link. */
  path: string;
  /** Undefined if there is no file. */
  content: FileContent | undefined;
}

export interface FileContent {
  bytes: Buffer;
  /** The text without its byte order mark. */
  text: string;
  hasMark: boolean;
  mode: number;
  owner: { uid: number; gid: number };
}

/** @throws ConnectError if the file cannot be read, or is not a regular file */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const target = await followLinks(path);
  try {
    const { mode, uid, gid, size } = await stat(target);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw new ConnectError('It is not a file');
    if (size > MAX_BYTES) throw new ConnectError(`It is larger than ${MAX_BYTES} bytes`);
    return { path: target, content: decode(await readFile(target), { mode: mode & 0o7777, owner: { uid, gid } }) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { path: target, content: undefined };
    throw error instanceof ConnectError ? error : new ConnectError(`It cannot be read: ${messageOf(error)}`);
  }
}

function decode(bytes: Buffer, attributes: Pick<FileContent, 'mode' | 'owner'>): FileContent {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const hasMark = text.startsWith(BYTE_ORDER_MARK);
    return { bytes, text: hasMark ? text.slice(1) : text, hasMark, ...attributes };
  } catch {
    throw new ConnectError('It is not written in UTF-8');
  }
}

/** Returns the path to which symbolic links lead. The file need not exist yet. */
async function followLinks(path: string): Promise<string> {
  let target = resolve(path);
  for (let count = 0; count < MAX_LINKS; count += 1) {
    const link = await readlink(target).catch(() => undefined);
    if (link === undefined) return target;
    target = resolve(dirname(target), link);
  }
  throw new ConnectError('It is a link that leads back to itself');
}

/** @throws ConnectError if the file or its folder is not writable */
export async function assertWritable({ path, content }: ConfigFile): Promise<void> {
  // Check the mode too, because root can write a file that its owner made read-only on purpose.
  if (content !== undefined && (content.mode & 0o222) === 0) throw new ConnectError('It is read-only');
  try {
    if (content !== undefined) await access(path, constants.W_OK);
    await access(await existingFolder(path), constants.W_OK);
  } catch (error) {
    throw new ConnectError(`It cannot be written: ${messageOf(error)}`);
  }
}

async function existingFolder(path: string): Promise<string> {
  const folder = dirname(path);
  const isThere = await lstat(folder).then(
    () => true,
    () => false,
  );
  return isThere || folder === path ? folder : existingFolder(folder);
}

/**
 * Replaces the text of the file atomically, and keeps its mode, owner and byte order mark.
 *
 * @returns the folders that were created
 * @throws ConnectError if the file cannot be written, or another program has changed it since it was read
 */
export async function replaceConfigFile({ path, content }: ConfigFile, text: string): Promise<string[]> {
  const folders = await makeFolders(dirname(path));
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const bytes = Buffer.from((content?.hasMark ? BYTE_ORDER_MARK : '') + text);
    await writeSynced(temporary, bytes, content);
    await assertUnchanged({ path, content });
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return folders;
  } catch (error) {
    await rm(temporary, { force: true });
    await removeEmptyFolders(folders);
    throw error instanceof ConnectError ? error : new ConnectError(`It cannot be written: ${messageOf(error)}`);
  }
}

/** Deletes a file, and those of the given folders that are empty afterwards. */
export async function removeConfigFile(file: ConfigFile, folders: readonly string[]): Promise<void> {
  await assertUnchanged(file);
  await rm(file.path);
  await removeEmptyFolders(folders);
}

/** Throws if the file has changed since it was read, because the client may have written it in the meantime. */
async function assertUnchanged({ path, content }: ConfigFile): Promise<void> {
  const now = await readFile(path).catch(() => undefined);
  const isSame = content === undefined ? now === undefined : now?.equals(content.bytes) === true;
  if (!isSame) throw new ChangedMeanwhile('Another program wrote it at the same moment');
}

export class ChangedMeanwhile extends ConnectError {}

export async function removeEmptyFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => {});
}

/** @returns the created folders, outermost first */
async function makeFolders(folder: string): Promise<string[]> {
  const first = await mkdir(folder, { recursive: true });
  const made: string[] = [];
  for (let each = folder; first !== undefined && each.length >= first.length; each = dirname(each)) made.unshift(each);
  return made;
}

/** @throws if the path exists already */
export async function writeSynced(
  path: string,
  bytes: Buffer,
  like: Pick<FileContent, 'mode' | 'owner'> | undefined,
): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (like === undefined) return;
  const { uid, gid } = await stat(path);
  if (like.owner.uid !== uid || like.owner.gid !== gid) await chown(path, like.owner.uid, like.owner.gid);
  await chmod(path, like.mode);
}

/**
 * Flushes the entries of a folder to disk. Has no effect on Windows, where folders cannot be opened and a rename is
 * durable without a flush.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

export function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException | null)?.code;
}

export interface UserSystem {
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Folder in which desktop programs keep their settings. */
  configHome: string;
  /** Folder of packages from the Windows store. */
  packages: string;
  /** Working directory of the command. */
  cwd: string;
  join: (...parts: string[]) => string;
  exists: (path: string) => boolean;
}

export type Outside = Pick<UserSystem, 'environment'> & Partial<UserSystem>;

export function userSystem(outside: Outside): UserSystem {
  const { environment, platform = process.platform, home = homedir() } = outside;
  const { join } = platform === 'win32' ? win32 : posix;
  const local = environment.LOCALAPPDATA || join(home, 'AppData', 'Local');
  const configHomes: Partial<Record<NodeJS.Platform, string>> = {
    win32: environment.APPDATA || join(home, 'AppData', 'Roaming'),
    darwin: join(home, 'Library', 'Application Support'),
  };
  return {
    platform,
    home,
    configHome: configHomes[platform] ?? (environment.XDG_CONFIG_HOME || join(home, '.config')),
    packages: join(local, 'Packages'),
    cwd: process.cwd(),
    join,
    exists: existsSync,
    ...outside,
  };
}

/** Whether the PATH has a program of this name. */
export function hasProgram({ environment, platform, join, exists }: UserSystem, program: string): boolean {
  const isWindows = platform === 'win32';
  const folders = (environment.PATH ?? environment.Path ?? '').split(isWindows ? ';' : ':').filter(Boolean);
  const names = isWindows ? [`${program}.cmd`, `${program}.exe`] : [program];
  return folders.some(folder => names.some(name => exists(join(folder, name))));
}

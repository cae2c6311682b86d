/** Gives a data folder exactly one owner, by a lock that the operating system drops when the process ends. */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'libsql';
import { MemoryError } from '../../domain/errors.js';
import { isOwned, type OwnerRecord, readOwner, removeOwner, writeOwner } from './owner-file.js';
import { asFolderFailure } from './unusable-folder.js';

const LOCK_FILE = 'owner.lock';
const ID_FILE = 'folder-id';
const IS_LOCKED = /^SQLITE_(?:BUSY|LOCKED)/;

type OwnerDetails = Omit<OwnerRecord, 'pid'>;

export interface FolderLock {
  readonly folder: string;
  /** Identifies the folder. The id stays the same from one owner to the next. */
  readonly folderId: string;
  /** Whether the last owner ended without releasing the folder. */
  readonly wasAbandoned: boolean;
  /** The record that the last owner left, if there is one. */
  readonly left: OwnerRecord | undefined;
  /**
   * Whether the folder is still the one that was locked. The folder may have been moved, or removed and created again.
   */
  isHeld(): boolean;
  /** Replaces the published details about the owner, unless the same details are published already. */
  announce(details: OwnerDetails): void;
  release(): void;
}

/**
 * Creates the folder, readable only by its user, and takes its lock.
 *
 * @throws MemoryError `unavailable` when another process owns the folder, or the folder cannot be written
 */
export function lockFolder(folder: string): FolderLock {
  const lock = tryLockFolder(folder);
  if (lock) return lock;
  const pid = readOwner(folder)?.pid;
  const owner = pid === undefined ? 'another Engraph process' : `another Engraph process (pid ${pid})`;
  throw new MemoryError('unavailable', `The data folder ${folder} is in use by ${owner}`, {
    hint: 'Stop that process, or choose another data folder with --data-dir.',
  });
}

/**
 * Takes the lock as `lockFolder` does, but returns undefined when another process owns the folder.
 *
 * @param details about the owner, published at once
 * @throws MemoryError `unavailable` when the folder cannot be written
 */
export function tryLockFolder(folder: string, details: OwnerDetails = {}): FolderLock | undefined {
  const lock = openLockFile(folder);
  try {
    // The lock ends with the process at the latest: SQLite takes an advisory lock of the operating system.
    lock.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const folderId = readFolderId(folder);
    const wasAbandoned = isOwned(folder);
    const left = readOwner(folder);
    const inode = inodeOf(join(folder, LOCK_FILE));
    const isHeld = () => inodeOf(join(folder, LOCK_FILE)) === inode;
    const announce: FolderLock['announce'] = more => {
      const record = { pid: process.pid, ...more };
      if (isHeld() && !isDeepStrictEqual(readOwner(folder), record)) writeOwner(folder, record);
    };
    announce(details);
    const release = () => {
      if (isHeld()) removeOwner(folder);
      lock.close();
    };
    return { folder, folderId, wasAbandoned, left, isHeld, announce, release };
  } catch (cause) {
    lock.close();
    if (IS_LOCKED.test(String((cause as { code?: unknown }).code))) return undefined;
    throw asFolderFailure(folder, cause);
  }
}

/** @returns undefined when the file does not exist or cannot be reached */
function inodeOf(path: string): number | undefined {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
}

function openLockFile(folder: string): Database.Database {
  try {
    makeFolder(folder);
    return new Database(join(folder, LOCK_FILE));
  } catch (cause) {
    throw asFolderFailure(folder, cause);
  }
}

/**
 * Reads the id of the folder. The file with the id is created when the folder is locked for the first time. The id
 * contains the inode of this file, so a copy of the folder has another id.
 */
function readFolderId(folder: string): string {
  const path = join(folder, ID_FILE);
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, randomUUID(), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return `${readFileSync(path, 'utf8').trim()}-${statSync(path).ino}`;
}

/** Creates one folder at a time, because `mkdirSync` with `recursive` would keep Node busy forever below /proc. */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path); path = dirname(path)) missing.push(path);
  for (const path of missing.reverse()) {
    // Another process may have created the folder first.
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
  }
  // This check also fails if the path is a file, because a file has no entry `.`.
  accessSync(`${folder}/.`, constants.W_OK | constants.X_OK);
}

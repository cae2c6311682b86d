/** Gives a data folder exactly one owner, by a lock that the operating system drops when the process ends. */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import Database from 'libsql';
import { MemoryError } from '../../domain/errors.js';
import { isOwned, type OwnerRecord, readOwner, removeOwner, writeOwner } from './owner-file.js';
import { asFolderFailure, StorageFailure } from './storage-failure.js';

const LOCK_FILE = 'owner.lock';
const ID_FILE = 'folder-id';
const IS_LOCKED = /^SQLITE_(?:BUSY|LOCKED)/;
const IS_RUBBISH = /^SQLITE_(?:NOTADB|CORRUPT)/;
const IS_ID = /^[0-9a-f-]{36}$/;

type OwnerDetails = Omit<OwnerRecord, 'pid'>;

export interface FolderLock {
  readonly folder: string;
  /** Identifies the folder. The id stays the same from one owner to the next. */
  readonly folderId: string;
  /** Whether the last owner ended without releasing the folder, or no later owner has finished the check of its files. */
  readonly wasAbandoned: boolean;
  /** The record that the last owner left, if there is one. */
  readonly left: OwnerRecord | undefined;
  /**
   * Why nothing can be written to the folder; undefined if it can be written. The lock is then shared: other processes
   * that only read may have it too, and no process can write.
   */
  readonly unwritable: StorageFailure | undefined;
  /**
   * Whether the folder is still the one that was locked. The folder may have been moved, or removed and created again.
   */
  isHeld(): boolean;
  /** Replaces the published details about the owner, unless the same details are published already. */
  announce(details: OwnerDetails): void;
  /** @param needsCheck whether the folder counts as abandoned, so that the next owner checks its files */
  release(needsCheck?: boolean): void;
}

/**
 * Creates the folder, readable only by its user, and takes its lock.
 *
 * @throws MemoryError `unavailable` when another process owns the folder, or the folder cannot be used
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
 * Takes the lock as `lockFolder` does, but returns undefined when another process owns the folder. If the folder exists
 * and cannot be written, takes a shared lock for reading.
 *
 * @param details about the owner, published at once
 * @throws StorageFailure when the folder cannot be used
 */
export function tryLockFolder(folder: string, details: OwnerDetails = {}): FolderLock | undefined {
  try {
    makeFolder(folder);
    const lock = lockForWriting(folder, details);
    if (!lock) failBesideReader(folder);
    return lock;
  } catch (cause) {
    const failure = asFolderFailure(folder, cause);
    const canRead = failure instanceof StorageFailure && failure.isUnwritable && existsSync(join(folder, '.'));
    if (!canRead) throw failure;
    return lockForReading(folder, failure);
  }
}

function lockForWriting(folder: string, details: OwnerDetails): FolderLock | undefined {
  const path = join(folder, LOCK_FILE);
  const lock = takeLock(path);
  if (!lock) return undefined;
  try {
    const folderId = readFolderId(folder);
    const wasAbandoned = isOwned(folder);
    const left = readOwner(folder);
    const inode = inodeOf(path);
    const isHeld = () => inodeOf(path) === inode;
    const announce: FolderLock['announce'] = more => {
      const record = { pid: process.pid, ...more };
      if (isHeld() && !isDeepStrictEqual(readOwner(folder), record)) writeOwner(folder, record);
    };
    announce(details);
    const release = (needsCheck = false) => {
      try {
        if (needsCheck) announce({});
        else if (isHeld()) removeOwner(folder);
      } finally {
        lock.close();
      }
    };
    return { folder, folderId, wasAbandoned, left, unwritable: undefined, isHeld, announce, release };
  } catch (cause) {
    lock.close();
    throw cause;
  }
}

/**
 * Looks at a folder that is locked. Does nothing if its owner writes, or only reads and will stop because the folder can
 * be written.
 *
 * @throws StorageFailure when the owner only reads and this process could not write either
 */
function failBesideReader(folder: string): void {
  const lock = takeLock(join(folder, LOCK_FILE), true);
  if (!lock) return;
  lock.close();
  const failure = findWriteFailure(folder);
  if (failure) throw failure;
}

/**
 * Takes a lock that other readers can have too. A folder without a lock file, such as a backup, is read without a lock,
 * because no file can be created in it.
 */
function lockForReading(folder: string, unwritable: StorageFailure): FolderLock | undefined {
  const path = join(folder, LOCK_FILE);
  let lock: Database.Database | undefined;
  try {
    if (existsSync(path)) {
      lock = takeLock(path, true);
      if (!lock) return undefined;
    }
  } catch (cause) {
    if (!isRubbish(cause)) throw asFolderFailure(folder, cause);
  }
  const inode = inodeOf(path);
  return {
    folder,
    folderId: '',
    wasAbandoned: isOwned(folder),
    left: readOwner(folder),
    unwritable,
    isHeld: () => inodeOf(path) === inode,
    announce: () => {},
    release: () => lock?.close(),
  };
}

/**
 * The lock ends with the process at the latest: SQLite takes an advisory lock of the operating system.
 *
 * @returns undefined when another process has the lock
 */
function takeLock(path: string, isShared = false): Database.Database | undefined {
  let lock: Database.Database | undefined;
  try {
    lock = new Database(isShared ? `${pathToFileURL(path).href}?mode=ro` : path);
    lock.exec('PRAGMA locking_mode = EXCLUSIVE');
    if (isShared) lock.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    else lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    if (IS_LOCKED.test(codeOf(cause))) return undefined;
    if (isShared || !isRubbish(cause)) throw Object.assign(cause as Error, { path });
    // SQLite reads the content only while nobody else has the lock. Engraph writes nothing into this file.
    truncateSync(path);
    return takeLock(path);
  }
}

function isRubbish(error: unknown): boolean {
  return IS_RUBBISH.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}

/** Size of the file by which `findWriteFailure` finds out whether the disk has space. */
const TRIAL_BYTES = 262_144;

/** Finds out why a folder cannot be written. Undefined if a file can be added, and no file refuses to be written. */
export function findWriteFailure(folder: string): StorageFailure | undefined {
  const trial = join(folder, `trial-${process.pid}`);
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isFile()) requireWritable(join(folder, entry.name));
    }
    writeFileSync(trial, Buffer.alloc(TRIAL_BYTES), { mode: 0o600 });
    return undefined;
  } catch (cause) {
    const failure = asFolderFailure(folder, cause);
    return failure instanceof StorageFailure ? failure : undefined;
  } finally {
    try {
      rmSync(trial, { force: true });
    } catch {
      // Nothing can be removed from a folder that cannot be written.
    }
  }
}

/** A file that is gone refuses nothing: other processes that try whether they can write remove their files again. */
function requireWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause;
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

/**
 * Reads the id of the folder. The file with the id is created when the folder is locked for the first time. The id
 * contains the inode of this file, so a copy of the folder has another id.
 */
function readFolderId(folder: string): string {
  const path = join(folder, ID_FILE);
  const known = existsSync(path) ? readText(path).trim() : '';
  if (IS_ID.test(known)) return `${known}-${statSync(path).ino}`;
  const made = randomUUID();
  writeFileSync(`${path}.new`, made, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return `${made}-${statSync(path).ino}`;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // The system does not name the file if it is a folder.
    throw Object.assign(error as Error, { path });
  }
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

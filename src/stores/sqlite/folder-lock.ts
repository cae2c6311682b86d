/** One owner for a data folder: a lock that the operating system drops with the process that holds it. */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { MemoryError } from '../../domain/errors.js';
import { asFolderFailure } from './unusable-folder.js';

/** What the owner says about itself; for messages only, never trusted to be true. */
const OWNER_FILE = 'owner.json';
const LOCK_FILE = 'owner.lock';
const ID_FILE = 'folder-id';
const IS_LOCKED = /^SQLITE_(?:BUSY|LOCKED)/;

export interface FolderLock {
  /** Names the folder: the same for each of its owners, one after the other. */
  readonly folderId: string;
  /** Whether the last owner ended without giving the folder free. */
  readonly wasLeft: boolean;
  release(): void;
}

/**
 * Makes the folder, readable by its user alone, and takes its lock.
 *
 * @throws MemoryError `unavailable` when another process owns the folder or it cannot be written
 */
export function lockFolder(folder: string): FolderLock {
  let lock: Database.Database;
  let folderId: string;
  let wasLeft: boolean;
  try {
    makeFolder(folder);
    lock = new Database(join(folder, LOCK_FILE));
  } catch (cause) {
    throw asFolderFailure(folder, cause);
  }
  try {
    // Exclusive from here to the end of the process: SQLite takes an advisory lock of the operating system.
    lock.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    folderId = readFolderId(folder);
    wasLeft = existsSync(join(folder, OWNER_FILE));
    writeFileSync(join(folder, OWNER_FILE), `${JSON.stringify({ pid: process.pid })}\n`, { mode: 0o600 });
  } catch (cause) {
    lock.close();
    throw IS_LOCKED.test(String((cause as { code?: unknown }).code))
      ? inUse(folder, cause)
      : asFolderFailure(folder, cause);
  }
  return {
    folderId,
    wasLeft,
    release: () => {
      rmSync(join(folder, OWNER_FILE), { force: true });
      lock.close();
    },
  };
}

/** It is made with the folder's first lock. A copy of the folder has a file of its own, and so another id. */
function readFolderId(folder: string): string {
  const path = join(folder, ID_FILE);
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, randomUUID(), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return `${readFileSync(path, 'utf8').trim()}-${statSync(path).ino}`;
}

/** Each missing folder by itself: made recursively, one below /proc would keep Node busy for ever. */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path); path = dirname(path)) missing.push(path);
  for (const path of missing.reverse()) {
    // Another process may have been quicker.
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
  }
  // Fails for a file too, since a file has no entry `.`.
  accessSync(`${folder}/.`, constants.W_OK | constants.X_OK);
}

function inUse(folder: string, cause: unknown): MemoryError {
  const pid = readOwnerPid(folder);
  const owner = pid === undefined ? 'another Engraph process' : `another Engraph process (pid ${pid})`;
  return new MemoryError('unavailable', `The data folder ${folder} is in use by ${owner}`, {
    cause,
    hint: 'Stop that process, or choose another folder with --data-dir.',
  });
}

function readOwnerPid(folder: string): number | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8'));
    const pid = (owner as { pid?: unknown }).pid;
    return typeof pid === 'number' ? pid : undefined;
  } catch {
    return undefined;
  }
}

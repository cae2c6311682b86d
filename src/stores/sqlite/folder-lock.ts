/** One owner for a data folder: a lock that the operating system drops with the process that holds it. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { MemoryError } from '../../domain/errors.js';

/** What the owner says about itself; for messages only, never trusted to be true. */
const OWNER_FILE = 'owner.json';
const LOCK_FILE = 'owner.lock';
const ID_FILE = 'folder-id';

export interface FolderLock {
  /** The same for every owner of the folder, and of no other folder. */
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
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw unusable(folder, cause);
  }
  const lock = openLock(folder);
  try {
    // Exclusive from here to the end of the process: SQLite takes an advisory lock of the operating system.
    lock.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw inUse(folder, cause);
  }
  const wasLeft = existsSync(join(folder, OWNER_FILE));
  writeFileSync(join(folder, OWNER_FILE), `${JSON.stringify({ pid: process.pid })}\n`, { mode: 0o600 });
  return {
    folderId: readFolderId(folder),
    wasLeft,
    release: () => {
      rmSync(join(folder, OWNER_FILE), { force: true });
      lock.close();
    },
  };
}

/** It is made with the folder's first lock. */
function readFolderId(folder: string): string {
  const path = join(folder, ID_FILE);
  if (!existsSync(path)) writeFileSync(path, randomUUID(), { mode: 0o600 });
  return readFileSync(path, 'utf8').trim();
}

function openLock(folder: string): Database.Database {
  try {
    return new Database(join(folder, LOCK_FILE));
  } catch (cause) {
    throw unusable(folder, cause);
  }
}

function inUse(folder: string, cause: unknown): MemoryError {
  const pid = readOwnerPid(folder);
  const owner = pid === undefined ? 'another Engraph process' : `another Engraph process (pid ${pid})`;
  return new MemoryError('unavailable', `The data folder ${folder} is in use by ${owner}`, {
    cause,
    hint: 'Stop that process, or choose another folder with --data-dir.',
  });
}

function unusable(folder: string, cause: unknown): MemoryError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new MemoryError('unavailable', `The data folder ${folder} cannot be used: ${reason}`, {
    cause,
    hint: 'Choose another folder with --data-dir or ENGRAPH_DATA_DIR.',
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

/**
 * Explains a failure of a file in a sentence that names the file, what is well, and what to do. No advice may lose data:
 * it never tells to remove a file that could contain memories.
 */
import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MemoryError } from '../../domain/errors.js';

/** A failure of the disk, or of a file that Engraph keeps. */
export class StorageFailure extends MemoryError {
  /** Why the file failed, such as `the disk is full (memories.db)`. */
  readonly reason: string;
  /** Whether only writing fails, as far as the failure shows. */
  readonly isUnwritable: boolean;
  /** Whether a database is damaged. */
  readonly isDamage: boolean;

  constructor(message: string, { reason, remedy, kind }: Explanation, cause: unknown) {
    super('unavailable', message, { cause, hint: `${remedy}.` });
    this.reason = reason;
    this.isUnwritable = UNWRITABLE.has(kind);
    this.isDamage = kind === 'damaged';
  }
}

interface Explanation {
  kind: string;
  reason: string;
  remedy: string;
}

interface Found extends Explanation {
  file: string | undefined;
}

const EXPLANATIONS: Readonly<Record<string, Omit<Explanation, 'kind'>>> = {
  forbidden: { reason: 'this user may not write to it', remedy: 'Give this user the right to read and to write it' },
  unreadable: { reason: 'this user may not read it', remedy: 'Give this user the right to read and to write it' },
  readOnly: { reason: 'its file system is read-only', remedy: 'Make the file system writable' },
  full: { reason: 'the disk is full', remedy: 'Free some disk space' },
  quota: { reason: 'the disk quota of this user is used up', remedy: 'Free some disk space' },
  fault: {
    reason: 'the disk reports an input or output error',
    remedy: 'Copy the data folder to another disk before anything else, because this disk may be failing',
  },
  isFile: { reason: 'a file stands where a folder is needed', remedy: 'Make it a folder that this user may write to' },
  isFolder: { reason: 'a folder stands where a file is needed', remedy: 'Move that folder to another place' },
  cannotCreate: { reason: 'it cannot be created', remedy: 'Make it a folder that this user may write to' },
  cannotOpen: {
    reason: 'its files cannot be opened or created',
    remedy: 'Make it a folder that this user may write to',
  },
  tooLong: { reason: 'its path is too long', remedy: 'Use a shorter path' },
  tooManyFiles: {
    reason: 'too many files are open',
    remedy: 'Close other programs, or raise the limit of open files (ulimit -n)',
  },
  noLocks: {
    reason: 'its file system has no locks',
    remedy: 'Copy the data folder to a disk of this machine, and use the copy',
  },
  noMemory: { reason: 'there is not enough memory', remedy: 'Close other programs' },
  locked: { reason: 'another program has locked it', remedy: 'Close the program that has the file open' },
  damaged: {
    reason: 'a database is damaged, or is not an SQLite file',
    remedy: 'Copy the whole data folder before anything else, and then put a backup of the whole folder in its place',
  },
};
const UNWRITABLE: ReadonlySet<string> = new Set([
  'forbidden',
  'unreadable',
  'readOnly',
  'full',
  'quota',
  'fault',
  'cannotOpen',
]);
/** Kinds of failures after which stored memories may be gone. */
const MAY_LOSE: ReadonlySet<string> = new Set(['damaged', 'fault', 'isFolder']);
const KINDS: Readonly<Record<string, string>> = {
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'readOnly',
  ENOSPC: 'full',
  EDQUOT: 'quota',
  EIO: 'fault',
  EEXIST: 'isFile',
  ENOTDIR: 'isFile',
  EISDIR: 'isFolder',
  ENOENT: 'cannotCreate',
  ENAMETOOLONG: 'tooLong',
  EMFILE: 'tooManyFiles',
  ENFILE: 'tooManyFiles',
  ENOLCK: 'noLocks',
};
/** The primary result codes of SQLite. The library names some extended codes `UNKNOWN_SQLITE_ERROR_…`. */
const SQLITE_KINDS: Readonly<Record<number, string>> = {
  3: 'forbidden',
  5: 'locked',
  6: 'locked',
  7: 'noMemory',
  8: 'forbidden',
  10: 'fault',
  11: 'damaged',
  13: 'full',
  14: 'cannotOpen',
  26: 'damaged',
};
const VECTORS_FILE = 'vectors.db';
const SQLITE_ERROR = 1;
const SQLITE_CORRUPT = 11;
const IOERR_LOCK = 3_850;
/** SQLite's code for a file that cannot be opened appears only in the text of the error, after the path. */
const CANNOT_OPEN = { before: 'Unable to open connection to local database ', after: ': 14' };
const FULL_BYTES = 65_536;

/** Runs `open`. When it fails because of the folder, the error names the problem and the remedy. */
export async function withFolder<Opened>(folder: string, open: () => Opened | Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    throw asFolderFailure(folder, error);
  }
}

/** Returns a failure of the system as StorageFailure; returns any other failure unchanged. */
export function asFolderFailure(folder: string, error: unknown): unknown {
  const cause = error instanceof StorageFailure ? error.cause : error;
  const found = explain(cause, folder);
  if (!found) return error;
  const place = found.file === undefined || found.file.replace(/\/\.$/, '') === folder ? '' : ` (${found.file})`;
  const reason = `${found.reason}${place}`;
  const remedy = `${remedyFor(found)}, or choose another folder with --data-dir or ENGRAPH_DATA_DIR`;
  const message = `The data folder ${folder} cannot be used: ${reason}${whatIsWell(found)}`;
  return new StorageFailure(message, { ...found, reason, remedy }, cause);
}

/** Returns a failure of an SQLite file as StorageFailure; returns any other failure unchanged. */
export function asFileFailure(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || (rawCodeOf(error) === undefined && unopenedFile(error) === undefined)) return error;
  if (rawCodeOf(error) === SQLITE_ERROR && error.message !== 'unsupported file format') return error;
  // The path lets the start name the file, which has only the error.
  const cause = 'path' in error ? error : Object.assign(error, { path });
  const found = explain(cause, dirname(path));
  if (!found) return error;
  const reason = `${found.reason} (${error.message})`;
  const message = `${basename(found.file ?? path)} failed: ${reason}${whatIsWell(found)}`;
  return new StorageFailure(message, { ...found, reason, remedy: remedyFor(found) }, cause);
}

function explain(error: unknown, folder: string): Found | undefined {
  if (!(error instanceof Error) || error instanceof MemoryError) return undefined;
  const unopened = unopenedFile(error);
  const { path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  const file = dest ?? path ?? unopened;
  const raw = unopened === undefined ? rawCodeOf(error) : 14;
  if (raw !== undefined) return explainSqlite(raw, { file, folder });
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (!/^E[A-Z0-9]+$/.test(code)) return undefined;
  return { ...explanationOf(kindOf(code, file), error.message), file };
}

/** SQLite says little about failures of the system, so the files are asked what is wrong with them. */
function explainSqlite(raw: number, { file, folder }: { file: string | undefined; folder: string }): Found | undefined {
  // A damaged version number in the header counts as an error of the statement.
  const primary = raw === SQLITE_ERROR ? SQLITE_CORRUPT : raw & 0xff;
  const kind = raw === IOERR_LOCK ? 'noLocks' : SQLITE_KINDS[primary];
  if (kind === undefined) return undefined;
  if (kind === 'damaged' || kind === 'locked' || file === undefined) return { ...explanationOf(kind), file };
  const culprit = findCulprit(file);
  if (culprit) return { ...explanationOf(kindOf(culprit.code, culprit.file), culprit.code), file: culprit.file };
  const isFull = (kind === 'fault' || kind === 'cannotOpen') && freeBytes(folder) < FULL_BYTES;
  return { ...explanationOf(isFull ? 'full' : kind), file };
}

function kindOf(code: string, file: string | undefined): string | undefined {
  const kind = KINDS[code];
  return kind === 'forbidden' && file !== undefined && isUnreadable(file) ? 'unreadable' : kind;
}

function isUnreadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return false;
  } catch (error) {
    return KINDS[(error as NodeJS.ErrnoException).code ?? ''] === 'forbidden';
  }
}

function explanationOf(kind = '', otherwise = ''): Explanation {
  return { kind, ...(EXPLANATIONS[kind] ?? { reason: otherwise, remedy: 'Look into the cause' }) };
}

/** What to do about a failure of a file. Vectors can be made again, so their file is not needed. */
function remedyFor({ file, kind, remedy }: Found): string {
  const isVectors = file !== undefined && basename(file).startsWith(VECTORS_FILE);
  return isVectors && kind === 'damaged' ? 'Stop Engraph and move the file to another place' : remedy;
}

/** Says what a failure does not concern. */
function whatIsWell({ file, kind }: Found): string {
  if (file === undefined) return '';
  const name = basename(file).replace(/\.new$/, '');
  if (name.endsWith('-shm')) return `. ${name} contains no memories: SQLite makes it again from the files beside it`;
  if (name.startsWith(VECTORS_FILE))
    return `. ${name} contains no memories: its vectors are made again if it is missing`;
  if (/^owner[.-]|^folder-id$|^last-known/.test(name)) {
    return `. ${name} contains no memories, and the files with the memories are not affected`;
  }
  return MAY_LOSE.has(kind) || !name.startsWith('memories.db') ? '' : '. Memories that are stored are not affected';
}

/** Finds the first of the files of a database that the system refuses, or that is a folder. */
function findCulprit(path: string): { file: string; code: string } | undefined {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    try {
      if (statSync(file).isDirectory()) return { file, code: 'EISDIR' };
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== undefined && code !== 'ENOENT') return { file, code };
    }
  }
  try {
    accessSync(join(dirname(path), '.'), constants.W_OK | constants.X_OK);
  } catch (error) {
    return { file: dirname(path), code: (error as NodeJS.ErrnoException).code ?? '' };
  }
  return undefined;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function rawCodeOf(error: Error): number | undefined {
  return 'rawCode' in error && typeof error.rawCode === 'number' ? error.rawCode : undefined;
}

function unopenedFile({ message }: Error): string | undefined {
  const start = message.indexOf(CANNOT_OPEN.before);
  const end = message.lastIndexOf(CANNOT_OPEN.after);
  return start < 0 || end < start ? undefined : message.slice(start + CANNOT_OPEN.before.length, end);
}

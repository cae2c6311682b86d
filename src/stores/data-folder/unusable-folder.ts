/** Explains in one sentence why a data folder cannot be used, for the operator of the service. */
import { MemoryError } from '../../domain/errors.js';

const MAY_NOT_WRITE = 'this user may not write to it';
const FULL = 'the disk is full';
const DAMAGED = 'its database is damaged, or is not an SQLite file';
const REASONS: Readonly<Record<string, string>> = {
  EACCES: MAY_NOT_WRITE,
  EPERM: MAY_NOT_WRITE,
  SQLITE_PERM: MAY_NOT_WRITE,
  SQLITE_READONLY: MAY_NOT_WRITE,
  EROFS: 'its file system is read-only',
  EEXIST: 'a file stands where a folder is needed',
  ENOTDIR: 'a file stands where a folder is needed',
  EISDIR: 'a folder stands where a file is needed',
  ENOENT: 'it cannot be created',
  ENOSPC: FULL,
  SQLITE_FULL: FULL,
  SQLITE_CORRUPT: DAMAGED,
  SQLITE_NOTADB: DAMAGED,
};
const SYSTEM_CODE = /^(?:E[A-Z0-9]+|SQLITE_[A-Z_]+)$/;
/** SQLite's code for a file that cannot be opened appears only in the text of the error, after the path. */
const CANNOT_OPEN = { before: 'Unable to open connection to local database ', after: ': 14' };

/** Runs `open`. When it fails because of the folder, the error names the problem and the remedy. */
export async function withFolder<Opened>(folder: string, open: () => Opened | Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    throw asFolderFailure(folder, error);
  }
}

/** Returns a failure of the system as MemoryError `unavailable`; returns any other failure unchanged. */
export function asFolderFailure(folder: string, error: unknown): unknown {
  const isStorageFailure = error instanceof MemoryError && error.code === 'unavailable' && error.hint === undefined;
  const cause = isStorageFailure ? (error.cause ?? error) : error;
  if (!(cause instanceof Error) || (cause instanceof MemoryError && !isStorageFailure)) return error;
  const reason = reasonOf(cause);
  if (reason === undefined) return error;
  const remedy =
    reason === DAMAGED
      ? 'Remove memories.db-wal and memories.db-shm, and put a backup in the place of memories.db'
      : 'Make it a folder that this user may write to';
  return new MemoryError(
    'unavailable',
    `The data folder ${folder} cannot be used: ${reason}${placeOf(cause, folder)}`,
    {
      cause: error,
      hint: `${remedy}, or choose another folder with --data-dir or ENGRAPH_DATA_DIR.`,
    },
  );
}

function reasonOf(cause: Error): string | undefined {
  if (unopenedFile(cause) !== undefined) return 'its files cannot be opened or created';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return SYSTEM_CODE.test(code) ? (REASONS[code] ?? cause.message) : undefined;
}

function unopenedFile({ message }: Error): string | undefined {
  const start = message.indexOf(CANNOT_OPEN.before);
  const end = message.lastIndexOf(CANNOT_OPEN.after);
  return start < 0 || end < start ? undefined : message.slice(start + CANNOT_OPEN.before.length, end);
}

/** Names the file that failed, unless the folder itself failed. */
function placeOf(cause: Error, folder: string): string {
  const path = 'path' in cause && typeof cause.path === 'string' ? cause.path : unopenedFile(cause);
  return path === undefined || path.replace(/\/\.$/, '') === folder ? '' : ` (${path})`;
}

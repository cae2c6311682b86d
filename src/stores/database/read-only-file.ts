/** Opens a file so that it cannot be changed, even where nothing can be written. */
import { accessSync, constants, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { StorageFailure } from '../data-folder/storage-failure.js';
import { type Connection, connect, readOnlyAddress, unchangingAddress } from './connection.js';

export interface ReadOnlyFile {
  connection: Connection;
  /** The address by which other threads open the same file. */
  address: string;
}

/** Whether the file exists and is not empty. */
export function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Size of the log beside a file. The log has the latest changes. */
export function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Opens a file with its log. The caller must hold a lock that keeps other processes from writing to the file.
 *
 * @throws StorageFailure when the file cannot be read
 */
export function openReadOnly(path: string): ReadOnlyFile {
  if (logBytes(path) === 0) return open(unchangingAddress(path));
  try {
    return open(readOnlyAddress(path));
  } catch (error) {
    // SQLite reads a log by its index. If the index cannot be read or made beside the file, a copy is read.
    if (!(error instanceof StorageFailure && error.isUnwritable)) throw error;
    return openCopy(path);
  }
}

function open(address: string): ReadOnlyFile {
  const connection = connect(address);
  try {
    // SQLite opens the files only for the first statement.
    connection.get('SELECT 1 FROM sqlite_schema');
    return { connection, address };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function openCopy(path: string): ReadOnlyFile {
  // The failure of a copy would name the copy.
  for (const file of [path, `${path}-wal`]) accessSync(file, constants.R_OK);
  const folder = mkdtempSync(join(tmpdir(), 'engraph-copy-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(path));
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    const { connection, address } = open(readOnlyAddress(copy));
    const close = () => {
      connection.close();
      remove();
    };
    return { connection: { ...connection, close }, address };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Reads a copy of an SQLite file of another program, so that the file itself is never changed. */
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { MemoryError, messageOf } from '../../domain/errors.js';
import type { Fields } from './source.js';

/** The first bytes of an SQLite file. */
export const SQLITE_MAGIC = 'SQLite format 3\0';

export interface SqliteFile {
  /** Names of the tables, without views. */
  tables: ReadonlySet<string>;
  columnsOf(table: string): ReadonlySet<string>;
  /** Yields all rows of a table, which must be one of `tables`. */
  rows(table: string): AsyncGenerator<Fields>;
  close(): Promise<void>;
}

/** @throws MemoryError `invalid` for a file that is not an SQLite file */
export async function openSqlite(path: string): Promise<SqliteFile> {
  const folder = await mkdtemp(join(tmpdir(), 'engraph-import-'));
  try {
    const copy = join(folder, 'copy.db');
    await copyFile(path, copy);
    // The write-ahead log contains the latest changes of a program that is running.
    if (existsSync(`${path}-wal`)) await copyFile(`${path}-wal`, `${copy}-wal`);
    return readCopy(copy, path, () => rm(folder, { recursive: true, force: true }));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function readCopy(copy: string, path: string, remove: () => Promise<void>): SqliteFile {
  const database = new Database(copy);
  try {
    const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
    const tables = new Set(names.map(({ name }) => name));
    return {
      tables,
      columnsOf: table => columnsOf(database, known(tables, table)),
      rows: table => rowsOf(database, known(tables, table), path),
      close: async () => {
        database.close();
        await remove();
      },
    };
  } catch (cause) {
    database.close();
    throw unreadable(path, cause);
  }
}

function known(tables: ReadonlySet<string>, table: string): string {
  if (tables.has(table)) return table;
  throw new MemoryError('invalid', `The file has no table ${table}`);
}

function columnsOf(database: Database.Database, table: string): Set<string> {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table) as { name: string }[];
  return new Set(columns.map(({ name }) => name));
}

async function* rowsOf(database: Database.Database, table: string, path: string): AsyncGenerator<Fields> {
  try {
    const rows = database.prepare(`SELECT rowid AS "__row", * FROM "${table}" ORDER BY rowid`);
    yield* rows.iterate() as IterableIterator<Fields>;
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): MemoryError {
  return new MemoryError('invalid', `${path} cannot be read as an SQLite file: ${messageOf(cause)}`, { cause });
}

/**
 * One SQLite connection: writes are durable by default, statements are prepared once, and storage failures are
 * distinguished from other errors.
 */

import { accessSync, constants, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Database from 'libsql';
import { MemoryError } from '../../domain/errors.js';
import { asFileFailure, StorageFailure } from '../data-folder/storage-failure.js';

export type SqlValue = string | number | null | Buffer;

/** After `close`, every method that uses the file throws MemoryError `unavailable`. */
export interface Connection {
  execute(statements: string): void;
  run(statement: string, ...values: SqlValue[]): { changes: number; lastInsertRowid: number };
  get<Row>(statement: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(statement: string, ...values: SqlValue[]): Row[];
  /**
   * Runs `body` as one transaction: the transaction is durable once this function returns, and has no effect if `body`
   * throws.
   */
  transaction<Result>(body: () => Result): Result;
  /**
   * Runs a transaction that survives the end of the process, but perhaps not a loss of power. A loss of power may undo
   * the latest of these transactions, each as a whole. Use this function for derived data that is computed again if it
   * is lost.
   */
  relaxedTransaction<Result>(body: () => Result): Result;
  /** Runs `action` once the current transaction has been committed, and never if it is rolled back. */
  afterCommit(action: () => void): void;
  close(): void;
}

/** A statement waits for a lock of another connection for this time, unless a write queue waits instead. */
export const BUSY_TIMEOUT_MS = 5_000;
const STATEMENT_CACHE_SIZE = 200;

/**
 * @param path of the file, or its address for reading only (`readOnlyAddress`)
 * @throws StorageFailure when the file cannot be opened
 */
export function connect(path: string): Connection {
  const connection = wrap(path);
  if (isReadOnlyAddress(path)) {
    connection.execute(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA cache_size = -${cacheKiB(connection)}`);
    return connection;
  }
  // FULL: an acknowledged write survives a loss of power, and not only the end of the process.
  connection.execute(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -${cacheKiB(connection)};
    PRAGMA journal_size_limit = 4194304;
  `);
  return connection;
}

/**
 * Share of the file, as large as it is when it is opened, that each writing connection keeps in memory. A larger file has
 * more pages that are read again and again.
 */
const CACHE_SHARE = 1 / 64;
const PAGE_KIB = 4;
/** Twice this size would make no recall among 100,000 memories faster, and a batch of 500 only 4 % faster. */
const CACHE_MIN_KIB = 8_192;
const CACHE_MAX_KIB = 131_072;

function cacheKiB(connection: Pick<Connection, 'get'>): number {
  const pages = connection.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
  const fileKiB = pages * PAGE_KIB;
  return Math.round(Math.min(CACHE_MAX_KIB, Math.max(CACHE_MIN_KIB, fileKiB * CACHE_SHARE)));
}

function wrap(path: string): Connection {
  const database = withStorageFailures(path, () => new Database(path));
  const statements = new Map<string, ReturnType<typeof database.prepare>>();
  let afterCommit: (() => void)[] = [];
  let isOpen = true;

  const guarded = <Result>(action: () => Result): Result => {
    if (!isOpen) throw new MemoryError('unavailable', 'The memory is closed');
    return withStorageFailures(path, action);
  };
  // Reading `inTransaction` of a closed file would end the process.
  const isInTransaction = () => isOpen && database.inTransaction;

  // Pass the values to a prepared statement as one array: a single Buffer would make the library end the process.
  const prepare = (statement: string) => {
    const known = statements.get(statement);
    if (known) return known;
    const prepared = database.prepare(statement);
    // Statements whose text depends on the input would otherwise accumulate.
    if (statements.size >= STATEMENT_CACHE_SIZE) statements.clear();
    statements.set(statement, prepared);
    return prepared;
  };

  const perform = <Result>(statement: string, action: (prepared: ReturnType<typeof prepare>) => Result): Result =>
    guarded(() => {
      try {
        return action(prepare(statement));
      } catch (error) {
        // The library would throw the same error at every later `get` of this prepared statement.
        statements.delete(statement);
        throw error;
      }
    });

  const connection: Connection = {
    execute: text => guarded(() => void database.exec(text)),
    run: (statement, ...values) => {
      // If the file is locked, the library does not reset a statement that has failed. An open transaction would remain.
      if (!isInTransaction()) return connection.transaction(() => connection.run(statement, ...values));
      return perform(statement, prepared => {
        const { changes, lastInsertRowid } = prepared.run(values);
        return { changes, lastInsertRowid: Number(lastInsertRowid) };
      });
    },
    get: <Row>(statement: string, ...values: SqlValue[]) =>
      perform(statement, prepared => prepared.get(values) as Row | undefined),
    all: <Row>(statement: string, ...values: SqlValue[]) =>
      perform(statement, prepared => prepared.all(values) as Row[]),
    transaction: body => {
      // A nested call becomes part of the outer transaction.
      if (isInTransaction()) return body();
      connection.execute('BEGIN IMMEDIATE');
      let committed: (() => void)[] = [];
      try {
        const result = body();
        connection.execute('COMMIT');
        committed = afterCommit;
        return result;
      } catch (error) {
        // SQLite rolls back by itself after some failures.
        if (isInTransaction()) connection.execute('ROLLBACK');
        throw error;
      } finally {
        afterCommit = [];
        for (const action of committed) action();
      }
    },
    relaxedTransaction: body => {
      if (isInTransaction()) return body();
      connection.execute('PRAGMA synchronous = NORMAL');
      try {
        return connection.transaction(body);
      } finally {
        connection.execute('PRAGMA synchronous = FULL');
      }
    },
    afterCommit: action => {
      if (isInTransaction()) afterCommit.push(action);
      else action();
    },
    close: () => {
      statements.clear();
      try {
        if (!isReadOnlyAddress(path)) writeLogBack(connection);
      } finally {
        statements.clear();
        isOpen = false;
        database.close();
      }
    },
  };
  return connection;
}

/**
 * Writes the log into the file, so that the file alone is a complete memory. If another program reads the file, the log
 * stays beside it, because a stop must be quick. It also stays if the disk is full.
 */
function writeLogBack(connection: Connection): void {
  connection.execute('PRAGMA busy_timeout = 0');
  connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
}

/**
 * Opens a second, read-only connection to a file that another connection keeps open. This connection caches two
 * megabytes, and sees the commits of other connections.
 *
 * @throws MemoryError `unavailable` when the file cannot be opened
 */
export function connectReader(path: string): Connection {
  const connection = wrap(path);
  connection.execute(`PRAGMA query_only = ON; PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA cache_size = -2048;`);
  return connection;
}

/** The version of the tables in a file, or undefined if it has none yet. */
export function fileVersion(connection: Pick<Connection, 'get'>): number | undefined {
  const version = connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  return version === 0 && !connection.get('SELECT 1 FROM sqlite_schema') ? undefined : version;
}

/** Returns `?, ?, ?` for an IN list. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/** Reads the values of one JSON array as the column `given`, so that one statement serves any number of values. */
export const GIVEN = '(SELECT value AS given FROM json_each(?))';

/** The rows of `memories` with the given row numbers. */
export const GIVEN_ROWS = `${GIVEN} CROSS JOIN memories ON memories.row = given`;

/** The rows of `memories` with the given ids. */
export const GIVEN_IDS = `${GIVEN} CROSS JOIN memories ON memories.id = given`;

function withStorageFailures<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw asFileFailure(pathOf(path), error);
  }
}

const ADDRESS_PREFIX = 'file:';

/** The address of a file and its log, for reading only. */
function readOnlyAddress(path: string): string {
  return `${pathToFileURL(path).href}?mode=ro`;
}

/** The address of a file without its log. Nothing is created beside the file, and nobody may write to it. */
export function unchangingAddress(path: string): string {
  return `${pathToFileURL(path).href}?immutable=1`;
}

function isReadOnlyAddress(path: string): boolean {
  return path.startsWith(ADDRESS_PREFIX);
}

/** @returns the path of the file of an address, or the path itself */
function pathOf(path: string): string {
  return isReadOnlyAddress(path) ? fileURLToPath(path.split('?')[0] ?? path) : path;
}

/** Numbers of rows in one statement, largest first. There are few numbers, so that each statement is prepared once. */
const ROWS_OF_STATEMENT = [500, 50, 5, 1];

export interface Insertion {
  table: string;
  columns: readonly string[];
  /** `ON CONFLICT …`: the action for a row whose key exists. */
  onConflict?: string;
}

/**
 * Inserts rows in the given order with few statements. Binding a value takes less time than reading it from a JSON
 * parameter.
 *
 * @param values the values of all rows, one row after the other
 */
export function insertRows(
  connection: Connection,
  { table, columns, onConflict = '' }: Insertion,
  values: readonly SqlValue[],
): void {
  const row = `(${placeholders(columns)})`;
  let at = 0;
  for (const rows of ROWS_OF_STATEMENT) {
    const length = rows * columns.length;
    if (at + length > values.length) continue;
    const statement = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')} ${onConflict}`;
    for (; at + length <= values.length; at += length) connection.run(statement, ...values.slice(at, at + length));
  }
}

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

/** One SQLite connection: durable by default, statements prepared once, storage failures told apart from our own. */
import Database from 'libsql';
import { MemoryError } from '../../domain/errors.js';

export type SqlValue = string | number | null | Buffer;

export interface Connection {
  execute(statements: string): void;
  run(statement: string, ...values: SqlValue[]): { changes: number; lastInsertRowid: number };
  get<Row>(statement: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(statement: string, ...values: SqlValue[]): Row[];
  /** Runs `body` as one unit that is durable when it returns, or leaves no trace when it throws. */
  transaction<Result>(body: () => Result): Result;
  /**
   * As `transaction`, but durable only against the end of the process: a loss of power may take back the last of them, in
   * order and each as a whole. For what is derived, and whose loss makes its work due again.
   */
  relaxedTransaction<Result>(body: () => Result): Result;
  /** Runs `action` once the transaction it is called in has been committed, never if it is rolled back. */
  afterCommit(action: () => void): void;
  close(): void;
}

/** Result codes that mean the storage failed, not the statement. */
const STORAGE_FAILURE = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|BUSY|LOCKED|PERM|NOMEM)/;
const STATEMENT_CACHE_SIZE = 200;
/** Pages of log from which a commit writes them back: a last resort where nobody does so before. */
const LOG_PAGES = 100_000;

/** @throws MemoryError `unavailable` when the file cannot be opened */
export function connect(path: string): Connection {
  const connection = wrap(openDatabase(path));
  // FULL: an acknowledged write survives the loss of power, not only of the process.
  connection.execute(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = 5000;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -${cacheKiB(connection)};
    PRAGMA journal_size_limit = 4194304;
    PRAGMA wal_autocheckpoint = ${LOG_PAGES};
  `);
  return connection;
}

/** Each connection that writes keeps so many pages in memory. A larger file has more pages that are read again and again. */
const CACHE_SHARE = 1 / 16;
const PAGE_KIB = 4;
const CACHE_MIN_KIB = 32_768;
const CACHE_MAX_KIB = 131_072;

function cacheKiB(connection: Pick<Connection, 'get'>): number {
  const pages = connection.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
  const fileKiB = pages * PAGE_KIB;
  return Math.round(Math.min(CACHE_MAX_KIB, Math.max(CACHE_MIN_KIB, fileKiB * CACHE_SHARE)));
}

function wrap(database: Database.Database): Connection {
  const statements = new Map<string, ReturnType<typeof database.prepare>>();
  let afterCommit: (() => void)[] = [];

  // Values are handed over as one array: the library ends the process over a single Buffer that stands alone.
  const prepare = (statement: string) => {
    const known = statements.get(statement);
    if (known) return known;
    const prepared = database.prepare(statement);
    // Statements whose text depends on the input would otherwise pile up.
    if (statements.size >= STATEMENT_CACHE_SIZE) statements.clear();
    statements.set(statement, prepared);
    return prepared;
  };

  const connection: Connection = {
    execute: text => guarded(() => void database.exec(text)),
    run: (statement, ...values) =>
      guarded(() => {
        const { changes, lastInsertRowid } = prepare(statement).run(values);
        return { changes, lastInsertRowid: Number(lastInsertRowid) };
      }),
    get: <Row>(statement: string, ...values: SqlValue[]) =>
      guarded(() => prepare(statement).get(values) as Row | undefined),
    all: <Row>(statement: string, ...values: SqlValue[]) => guarded(() => prepare(statement).all(values) as Row[]),
    transaction: body => {
      // Inside another one it is part of that.
      if (database.inTransaction) return body();
      connection.execute('BEGIN IMMEDIATE');
      let committed: (() => void)[] = [];
      try {
        const result = body();
        connection.execute('COMMIT');
        committed = afterCommit;
        return result;
      } catch (error) {
        // SQLite has already rolled back by itself after some failures.
        if (database.inTransaction) connection.execute('ROLLBACK');
        throw error;
      } finally {
        afterCommit = [];
        for (const action of committed) action();
      }
    },
    relaxedTransaction: body => {
      if (database.inTransaction) return body();
      connection.execute('PRAGMA synchronous = NORMAL');
      try {
        return connection.transaction(body);
      } finally {
        connection.execute('PRAGMA synchronous = FULL');
      }
    },
    afterCommit: action => {
      if (database.inTransaction) afterCommit.push(action);
      else action();
    },
    close: () => {
      statements.clear();
      // One file holds everything while nobody is writing: whoever copies it gets a whole memory.
      connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
      statements.clear();
      database.close();
    },
  };
  return connection;
}

/**
 * A second connection to a file that another one keeps open, for reading only. It keeps two megabytes of what it has read,
 * and sees what the others have committed.
 *
 * @throws MemoryError `unavailable` when the file cannot be opened
 */
export function connectReader(path: string): Connection {
  const connection = wrap(openDatabase(path));
  connection.execute('PRAGMA query_only = ON; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -2048;');
  return connection;
}

/** `?, ?, ?` for an IN list. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/** The values of one JSON array as the column `given`: one statement however many they are. */
export const GIVEN = '(SELECT value AS given FROM json_each(?))';

/** Those rows of `memories` whose numbers are given. */
export const GIVEN_ROWS = `${GIVEN} CROSS JOIN memories ON memories.row = given`;

/** Those rows of `memories` whose ids are given. */
export const GIVEN_IDS = `${GIVEN} CROSS JOIN memories ON memories.id = given`;

function openDatabase(path: string): Database.Database {
  try {
    return new Database(path);
  } catch (error) {
    throw storageFailure(error);
  }
}

function guarded<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    throw typeof code === 'string' && STORAGE_FAILURE.test(code) ? storageFailure(error) : error;
  }
}

function storageFailure(cause: unknown): MemoryError {
  return new MemoryError('unavailable', `The graph store failed: ${(cause as Error).message}`, { cause });
}

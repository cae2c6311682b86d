/** Opens the file of the embedded graph, and looks for lost data before anything is changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryError } from '../../domain/errors.js';
import {
  type Connection,
  connect,
  hasContent,
  logBytes,
  openReadOnly,
  type ReadOnlyFile,
  unchangingAddress,
} from '../database/connection.js';
import { findLoss, hadMemories, idOf, keepLastKnown, type LossWatch } from './last-known.js';
import type { MemoryDatabase } from './memory-database.js';
import { releaseAllLeases } from './nodes.js';
import { hasCurrentTables, prepareTables } from './schema.js';
import { noteAnalyzer } from './words.js';
import { releaseAllClaims } from './work.js';

const FILE_NAME = 'memories.db';

export interface OpenFileOptions {
  /** Receives reports of lost data; if absent, no loss is looked for. */
  watch?: LossWatch | undefined;
  /** Whether nothing can be written to the folder. */
  isReadOnly?: boolean;
}

export interface OpenedFile {
  database: MemoryDatabase;
  /** The path of the file, or the address by which it can only be read. */
  address: string;
}

export function sqlitePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/**
 * @param prepare changes the file; not called if a loss is reported, or if the file is only read
 * @throws MemoryError `unavailable` when the file cannot be used
 */
export function openFile(
  dataDir: string,
  prepare: (connection: Connection) => void,
  { watch, isReadOnly = false }: OpenFileOptions,
): OpenedFile {
  const path = sqlitePath(dataDir);
  if (!watch?.acceptsLoss) assertLogFits(path, hadMemories(dataDir));
  const opened = isReadOnly ? openUnchanged(path, dataDir, watch) : openIfLost(path, dataDir, watch);
  if (opened) return { database: opened.connection, address: opened.address };
  const connection = connect(path);
  try {
    prepareTables(connection);
    if (reportLoss(connection, dataDir, watch)) return { database: connection, address: path };
    prepare(connection);
    noteAnalyzer(connection);
    releaseAllClaims(connection);
    releaseAllLeases(connection);
    const database = watch ? { ...connection, lastKnown: keepLastKnown(connection, dataDir, watch) } : connection;
    return { database, address: path };
  } catch (error) {
    closeAfter(error, connection);
  }
}

/** Closing fails too on a full disk, for example, and must not hide the first error. */
function closeAfter(error: unknown, connection: Connection): never {
  try {
    connection.close();
  } catch {
    // The first error is reported.
  }
  throw error;
}

function openUnchanged(path: string, dataDir: string, watch: LossWatch | undefined): ReadOnlyFile {
  const file = openReadOnly(path);
  try {
    assertCurrent(file.connection);
    reportLoss(file.connection, dataDir, watch);
    return file;
  } catch (error) {
    closeAfter(error, file.connection);
  }
}

/**
 * Looks at the version, and for a loss, on a connection that changes nothing. If there is a loss, this connection is
 * used, so that the files stay as they were found: closing another connection would write the log back and remove it.
 */
function openIfLost(path: string, dataDir: string, watch: LossWatch | undefined): ReadOnlyFile | undefined {
  if (!hasContent(path)) return undefined;
  const file = openReadOnly(path);
  try {
    if (hasCurrentTables(file.connection) && reportLoss(file.connection, dataDir, watch)) return file;
  } catch (error) {
    closeAfter(error, file.connection);
  }
  file.connection.close();
  return undefined;
}

function reportLoss(connection: Connection, dataDir: string, watch: LossWatch | undefined): boolean {
  const loss = watch?.acceptsLoss ? undefined : watch && findLoss(connection, dataDir);
  if (loss !== undefined) watch?.onLoss(loss);
  return loss !== undefined;
}

/**
 * Refuses a log that does not belong to the file. SQLite would write it over the memories, or remove the log.
 */
function assertLogFits(path: string, hadMemories: boolean): void {
  if (logBytes(path) === 0) return;
  const log = `${FILE_NAME}-wal`;
  if (!hasContent(path)) {
    throw unfitLog(`${FILE_NAME} is ${existsSync(path) ? 'empty' : 'missing'}, but its log ${log} has changes`);
  }
  const alone = () => connect(unchangingAddress(path));
  const id = unlessDamaged(alone, idOf);
  const idWithLog = unlessDamaged(() => openReadOnly(path).connection, idOf);
  if (id === undefined && idWithLog === undefined && hadMemories && unlessDamaged(alone, isSound)) {
    throw unfitLog(`its log ${log} cannot be read, and without it ${FILE_NAME} has no memories`);
  }
  if (id === undefined || idWithLog === id) return;
  if (!unlessDamaged(alone, isSound)) return;
  throw unfitLog(`its log ${log} is damaged, or belongs to another file than ${FILE_NAME}, which is well without it`);
}

/** @returns undefined if the file is damaged */
function unlessDamaged<Value>(open: () => Connection, read: (connection: Connection) => Value): Value | undefined {
  let connection: Connection | undefined;
  try {
    connection = open();
    return read(connection);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  } finally {
    connection?.close();
  }
}

function isSound(connection: Connection): boolean {
  const problems = connection.all<{ quick_check: string }>('PRAGMA quick_check(1)');
  return problems.every(({ quick_check }) => quick_check === 'ok');
}

function isDamage(error: unknown): boolean {
  const { cause } = error instanceof MemoryError ? error : {};
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(String((cause as { code?: unknown } | undefined)?.code));
}

function unfitLog(problem: string): MemoryError {
  return new MemoryError('unavailable', `The memory cannot be opened: ${problem}. Nothing was changed`, {
    hint: `Copy the whole data folder before anything else. Then put the ${FILE_NAME} and the ${FILE_NAME}-wal that belong together in its place, or move ${FILE_NAME}-wal to another folder: the changes in it are then missing.`,
  });
}

/** The tables of an older release must be converted before they can be read. */
function assertCurrent(connection: Connection): void {
  if (hasCurrentTables(connection)) return;
  throw new MemoryError('unavailable', 'The memory was written by another version, and cannot be converted here', {
    hint: 'Open it once where it can be written, or use the version that wrote it.',
  });
}

/** The thread for slow operations on the file: saving batches, and writing back the log of changes. */
import { parentPort, workerData } from 'node:worker_threads';
import { MemoryError } from '../../domain/errors.js';
import { END } from '../../thread.js';
import { connect } from '../database/connection.js';
import { createVectorTable } from '../embedded-vectors/vector-table.js';
import type { NewRecord } from '../ports/memory-store.js';
import type { BatchFailure, BatchReply, BatchRequest, BatchThreadData, CheckpointReply } from './batch-messages.js';
import type { MemoryDatabase } from './memory-database.js';
import { type PreparedRecord, prepareRecord, savePrepared } from './save-memories.js';

const { path, dimensions } = workerData as BatchThreadData;
const connection = connect(path);
let vectorRows: number[] = [];
const vectors =
  dimensions === undefined
    ? undefined
    : createVectorTable({ connection, dimensions, onChange: rows => void vectorRows.push(...rows) });
const database: MemoryDatabase = vectors ? { ...connection, vectors } : connection;
/** The prepared records of each batch, or the error of a record that could not be prepared. */
const batches = new Map<number, PreparedRecord[] | Error>();

/** Prepares records as soon as they arrive, because no other write can run during the transaction. */
function add(batch: number, records: readonly NewRecord[]): void {
  const prepared = batches.get(batch) ?? [];
  if (prepared instanceof Error) return;
  batches.set(batch, prepared);
  try {
    for (const record of records) prepared.push(prepareRecord(record, vectors));
  } catch (error) {
    batches.set(batch, error as Error);
  }
}

/** Never throws, because an error would end the thread, and with it the other open batches. */
function save(batch: number, count: number): BatchReply {
  const prepared = batches.get(batch) ?? [];
  batches.delete(batch);
  try {
    if (prepared instanceof Error) throw prepared;
    if (prepared.length !== count) throw new Error(`${prepared.length} of ${count} records have arrived`);
    return { outcomes: savePrepared(database, prepared), vectorRows };
  } catch (error) {
    return { failure: failureOf(error) };
  } finally {
    vectorRows = [];
  }
}

function failureOf(error: unknown): BatchFailure {
  if (!(error instanceof MemoryError)) {
    return { code: 'unavailable', message: `The batch could not be saved: ${(error as Error).message}`, context: {} };
  }
  const { code, message, field, index, hint } = error;
  const context = {
    ...(field !== undefined && { field }),
    ...(index !== undefined && { index }),
    ...(hint !== undefined && { hint }),
  };
  return { code, message, context };
}

function checkpoint(): CheckpointReply {
  try {
    // PASSIVE does not wait for readers: pages that are still being read stay in the log until the next checkpoint.
    connection.get('PRAGMA wal_checkpoint(PASSIVE)');
    // Releases the page cache, because the next write of another connection would make it useless.
    connection.execute('PRAGMA shrink_memory');
  } catch {
    // A checkpoint fails on a full disk, for example. No data is lost, and the next checkpoint tries again.
  }
  return { isCheckpoint: true };
}

parentPort?.on('message', (request: BatchRequest) => {
  if (request === END) {
    // Messages that have arrived already are still delivered after `close`, but an answer to them is not.
    parentPort?.removeAllListeners('message');
    return parentPort?.close();
  }
  if (request.kind === 'add') add(request.batch, request.records);
  else if (request.kind === 'drop') batches.delete(request.batch);
  else if (request.kind === 'save') {
    parentPort?.postMessage(save(request.batch, request.count));
    // The log is written back after every batch, because a batch makes the log long. No caller waits for this
    // checkpoint.
    checkpoint();
  } else parentPort?.postMessage(checkpoint());
});

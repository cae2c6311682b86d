/** The thread for slow operations on the file: saving batches, and writing back the log of changes. */
import { parentPort, workerData } from 'node:worker_threads';
import { MemoryError } from '../../domain/errors.js';
import { connect } from '../database/connection.js';
import { END } from '../database/thread-end.js';
import { createVectorTable } from '../embedded-vectors/vector-table.js';
import type { NewRecord } from '../ports/memory-store.js';
import type { BatchReply, BatchRequest, BatchThreadData, CheckpointReply } from './batch-messages.js';
import { saveMemories } from './memories.js';
import type { MemoryDatabase } from './memory-database.js';

const { path, dimensions } = workerData as BatchThreadData;
const connection = connect(path);
let vectorRows: number[] = [];
const vectors =
  dimensions === undefined
    ? undefined
    : createVectorTable({ connection, dimensions, onChange: rows => void vectorRows.push(...rows) });
const database: MemoryDatabase = vectors ? { ...connection, vectors } : connection;
let records: NewRecord[] = [];

function save(): BatchReply {
  try {
    return { outcomes: saveMemories(database, records), vectorRows };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const { code, message, field, index, hint } = error;
    const context = {
      ...(field !== undefined && { field }),
      ...(index !== undefined && { index }),
      ...(hint !== undefined && { hint }),
    };
    return { failure: { code, message, context } };
  } finally {
    records = [];
    vectorRows = [];
  }
}

function checkpoint(): CheckpointReply {
  try {
    // PASSIVE does not wait for readers: pages that are still being read stay in the log until the next checkpoint.
    connection.get('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // A checkpoint fails on a full disk, for example. No data is lost, and the next checkpoint tries again.
  }
  return { isCheckpoint: true };
}

parentPort?.on('message', (request: BatchRequest) => {
  if (request === END) return parentPort?.close();
  if (request.kind === 'add') records = [...(request.isFirst ? [] : records), ...request.records];
  else if (request.kind === 'save') {
    parentPort?.postMessage(save());
    // The log is written back after every batch, because a batch makes the log long. No caller waits for this
    // checkpoint.
    checkpoint();
  } else parentPort?.postMessage(checkpoint());
});

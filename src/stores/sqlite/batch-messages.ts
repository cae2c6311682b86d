/** The messages between the batch thread and its owner. */
import type { ErrorCode, ErrorContext } from '../../domain/errors.js';
import type { END } from '../../thread.js';
import type { NewRecord, SaveOutcome } from '../ports/memory-store.js';

export interface BatchThreadData {
  /** The SQLite file. */
  path: string;
  /** VECTOR_SIZE if vectors are in the same file; otherwise undefined. */
  dimensions: number | undefined;
}

/** A batch is sent in parts, because sending a large batch at once would block the sending thread. */
export type BatchRequest =
  /** Adds records to the batch with this number. */
  | { kind: 'add'; batch: number; records: readonly NewRecord[] }
  /** Saves the batch. `count` is the number of records that were added. */
  | { kind: 'save'; batch: number; count: number }
  /** Discards the records of the batch. */
  | { kind: 'drop'; batch: number }
  /** Copies the changes in the write-ahead log into the SQLite file. */
  | { kind: 'checkpoint' }
  | typeof END;

export type BatchReply = { outcomes: SaveOutcome[]; vectorRows: number[] } | { failure: BatchFailure };

/** The parts of a MemoryError, because an error loses its class between threads. */
export interface BatchFailure {
  code: ErrorCode;
  message: string;
  context: ErrorContext;
}

/** The answer to `checkpoint`. */
export interface CheckpointReply {
  isCheckpoint: true;
}

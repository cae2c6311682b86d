/** What the thread that saves batches and its owner tell each other. */
import type { ErrorCode, ErrorContext } from '../../domain/errors.js';
import type { END } from '../database/thread-end.js';
import type { NewRecord, SaveOutcome } from '../ports/memory-store.js';

export interface BatchThreadData {
  /** The SQLite file. */
  path: string;
  /** VECTOR_SIZE where vectors stand in the same file; else absent. */
  dimensions: number | undefined;
}

/** A batch comes in parts, since handing over a large one takes long itself. */
export type BatchRequest =
  /** `isFirst`: what was added before belongs to a batch that was given up. */
  | { kind: 'add'; records: NewRecord[]; isFirst: boolean }
  | { kind: 'save' }
  /** Writes the log of changes back into the file. */
  | { kind: 'checkpoint' }
  | typeof END;

export type BatchReply =
  | { outcomes: SaveOutcome[]; vectorRows: number[] }
  | { failure: { code: ErrorCode; message: string; context: ErrorContext } };

/** The answer to `checkpoint`. */
export interface CheckpointReply {
  isCheckpoint: true;
}

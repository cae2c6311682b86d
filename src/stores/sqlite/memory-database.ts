/** The open file of the embedded graph. */
import type { Connection } from '../database/connection.js';
import type { VectorTable } from '../embedded-vectors/vector-table.js';
import type { LastKnown } from './last-known.js';

export interface MemoryDatabase extends Connection {
  /**
   * The vectors, if they are in the same file. A memory has a vector exactly when it has `embedded_by`, because the
   * vector and the field change in one transaction.
   */
  readonly vectors?: VectorTable;
  /** The facts about the file that are kept outside it. */
  readonly lastKnown?: LastKnown;
}

/**
 * Runs a write of the main connection in its turn.
 *
 * @param changed returns ids of the memories that `body` changes. It is called before `body`
 */
export type Write = <Value>(body: () => Value, changed: () => Iterable<string>) => Promise<Value>;

/** The changed memories of a write that changes no record. */
export const none = (): readonly string[] => [];

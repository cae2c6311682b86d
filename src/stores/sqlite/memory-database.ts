/** The open file of the embedded graph. */
import type { Connection } from '../database/connection.js';
import type { VectorTable } from '../embedded-vectors/vector-table.js';
import type { AuthoredEnds } from './authored-ends.js';
import type { LastKnown } from './last-known.js';

export interface MemoryDatabase extends Connection {
  /**
   * Vectors that stand in the same file, where they are embedded too. A memory has one exactly while it has `embedded_by`:
   * both change in one transaction.
   */
  readonly vectors?: VectorTable;
  /** Absent while the file is brought to the present schema. */
  readonly authoredEnds?: AuthoredEnds;
  /** What is known of the file outside of it. */
  readonly lastKnown?: LastKnown;
}

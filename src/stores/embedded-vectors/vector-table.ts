/**
 * Stores vectors as rows of an SQLite file. The exact vectors are separate from the columns that a search reads into
 * memory.
 */

import type { VectorPayload } from '../../domain/filter.js';
import { squaredLength, unitVector } from '../../domain/vectors.js';
import { type Connection, GIVEN, type SqlValue } from '../database/connection.js';
import type { VectorRecord } from '../vector-store.js';
import { bytesOf, exactVector, quantize, type StoredVector, storedValues } from './stored-vector.js';
import { filterNumbersOf } from './vector-filter.js';

/** Exact vectors are in a separate table, so that all other columns can be read quickly at the start. */
export const VECTOR_TABLES = `
  -- scale and codes: the vector in eight bits a dimension. tags: see FilterNumbers.tokens.
  -- dimensions: uint16, the dimensions of codes and exact values in ascending order; NULL if these are all dimensions.
  CREATE TABLE vectors (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    timestamp_ms REAL NOT NULL,
    valid_from_ms REAL NOT NULL,
    valid_to_ms REAL NOT NULL,
    tags BLOB NOT NULL,
    scale REAL NOT NULL,
    codes BLOB NOT NULL,
    dimensions BLOB
  );

  -- vector: float32 in the byte order of the machine, of unit length, for the dimensions in vectors.dimensions, or for
  -- all dimensions without the zeros at its end.
  CREATE TABLE exact_vectors (
    row INTEGER PRIMARY KEY,
    vector BLOB NOT NULL
  );
`;

/** The values of a vector's two rows. */
export interface PreparedVector {
  /** Columns of `vectors`, in the order of `PUT`. */
  columns: readonly SqlValue[];
  exact: Buffer;
}

export interface VectorTable {
  /**
   * Computes the values that `putPrepared` writes.
   *
   * @throws Error that names a vector that cannot be compared by cosine
   */
  prepare(record: VectorRecord): PreparedVector;
  /** Inserts or replaces vectors. */
  putPrepared(vectors: readonly PreparedVector[]): void;
  /**
   * Inserts or replaces vectors.
   *
   * @throws Error that names a vector that cannot be compared by cosine; then nothing is written
   */
  put(records: readonly VectorRecord[]): void;
  /** Replaces the model and the filter fields of vectors; ignores unknown ids. */
  changePayloads(changes: readonly { id: string; payload: VectorPayload }[]): void;
  /** Removes vectors; ignores unknown ids. */
  remove(ids: readonly string[]): void;
  present(ids: readonly string[]): Set<string>;
  count(): number;
  /**
   * Returns the length of the most recently added vector, including the zeros that pad it when it is read; undefined
   * while no vector is stored.
   */
  storedDimensions(): number | undefined;
  /** Returns the next ids after the given id, in ascending order. */
  idsAfter(id: string, limit: number): string[];
}

export interface VectorTableParts {
  connection: Connection;
  /** Length that every vector given to `put` must have. Zeros at the end of a vector are not stored. */
  dimensions: number;
  /** Called with the rows that a committed transaction has written or removed. */
  onChange(rows: readonly number[]): void;
}

const PUT = `INSERT INTO vectors (id, model, timestamp_ms, valid_from_ms, valid_to_ms, tags, scale, codes, dimensions)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET model = excluded.model, timestamp_ms = excluded.timestamp_ms,
    valid_from_ms = excluded.valid_from_ms, valid_to_ms = excluded.valid_to_ms, tags = excluded.tags,
    scale = excluded.scale, codes = excluded.codes, dimensions = excluded.dimensions
  RETURNING row`;
const PUT_EXACT = 'INSERT OR REPLACE INTO exact_vectors (row, vector) VALUES (?, ?)';
const CHANGE = `UPDATE vectors SET model = ?, timestamp_ms = ?, valid_from_ms = ?, valid_to_ms = ?, tags = ?
  WHERE id = ? RETURNING row`;

const ROWS_OF = `SELECT row FROM ${GIVEN} CROSS JOIN vectors ON id = given`;
const PRESENT = `SELECT id FROM ${GIVEN} CROSS JOIN vectors ON id = given`;
const LAST = `SELECT dimensions, vector FROM exact_vectors CROSS JOIN vectors USING (row)
  ORDER BY exact_vectors.row DESC LIMIT 1`;

/** Every write of the returned table joins the current transaction of the connection, if there is one. */
export function createVectorTable({ connection, dimensions, onChange }: VectorTableParts): VectorTable {
  let changedRows: number[] = [];

  /**
   * Notes a changed row. A row of a rolled-back transaction is reported with the next transaction. This is harmless,
   * because a reported row is only read again.
   */
  const noteChange = (row: number) => {
    changedRows.push(row);
    connection.afterCommit(() => {
      if (changedRows.length > 0) onChange(changedRows);
      changedRows = [];
    });
  };

  const prepare = (record: VectorRecord): PreparedVector => {
    assertComparable(record, dimensions);
    return prepared(record);
  };

  const putPrepared = (vectors: readonly PreparedVector[]) =>
    connection.transaction(() => {
      for (const { columns, exact } of vectors) {
        const row = connection.get<{ row: number }>(PUT, ...columns)?.row ?? 0;
        connection.run(PUT_EXACT, row, exact);
        noteChange(row);
      }
    });

  const remove = (ids: readonly string[]) =>
    connection.transaction(() => {
      for (const { row } of connection.all<{ row: number }>(ROWS_OF, JSON.stringify(ids))) {
        connection.run('DELETE FROM vectors WHERE row = ?', row);
        connection.run('DELETE FROM exact_vectors WHERE row = ?', row);
        noteChange(row);
      }
    });

  return {
    prepare,
    putPrepared,
    put: records => putPrepared(records.map(prepare)),
    changePayloads: changes =>
      connection.transaction(() => {
        for (const { id, payload } of changes) {
          const changed = connection.get<{ row: number }>(CHANGE, payload.model, ...columnsOf(payload), id);
          if (changed) noteChange(changed.row);
        }
      }),
    remove,
    present: ids => new Set(connection.all<{ id: string }>(PRESENT, JSON.stringify(ids)).map(({ id }) => id)),
    count: () => connection.get<{ count: number }>('SELECT count(*) AS count FROM vectors')?.count ?? 0,
    storedDimensions: () => {
      const last = connection.get<StoredVector>(LAST);
      return last && exactVector(last, dimensions).length;
    },
    idsAfter: (id, limit) =>
      connection
        .all<{ id: string }>('SELECT id FROM vectors WHERE id > ? ORDER BY id LIMIT ?', id, limit)
        .map(row => row.id),
  };
}

/** Refuses a vector of another length or without a cosine. A NaN or zero vector would match every query or no query. */
function assertComparable({ id, vector }: VectorRecord, dimensions: number): void {
  const squares = squaredLength(vector);
  if (vector.length !== dimensions || !Number.isFinite(squares) || squares === 0) {
    throw new Error(`the vector of ${id} must have ${dimensions} finite values that are not all zero`);
  }
}

function prepared({ id, vector, payload }: VectorRecord): PreparedVector {
  const { dimensions, values } = storedValues(unitVector(vector));
  const { codes, scale } = quantize(values);
  const ofDimensions = dimensions ? bytesOf(dimensions) : null;
  return {
    columns: [id, payload.model, ...columnsOf(payload), scale, bytesOf(codes), ofDimensions],
    exact: bytesOf(values),
  };
}

function columnsOf(payload: VectorPayload): [number, number, number, Buffer] {
  const { numbers, tokens } = filterNumbersOf(payload);
  return [numbers.createdMs, numbers.validFromMs, numbers.validUntilMs, bytesOf(tokens)];
}

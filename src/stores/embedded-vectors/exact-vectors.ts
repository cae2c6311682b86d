/** Reads the exact vectors, which are not quantized, on a separate connection. */
import { connectReader, GIVEN } from '../database/connection.js';
import { exactVector, type StoredVector } from './vector-table.js';

export interface ExactVectors {
  /** Returns existing vectors by id; shorter vectors are padded with zeros. */
  vectorsOf(ids: readonly string[]): Map<string, Float32Array>;
  close(): void;
}

/** Serves any number of ids with one prepared statement, because every recall reads some vectors. */
const READ = `SELECT id, dimensions, vector FROM ${GIVEN}
  CROSS JOIN vectors ON vectors.id = given CROSS JOIN exact_vectors USING (row)`;

/**
 * Opens a separate connection, because work that compares all memories reads all vectors several times. On the graph's
 * connection, these reads would fill the page cache and evict the pages that recalls need.
 *
 * @param path of a file that another connection keeps open
 * @throws MemoryError `unavailable` when the file cannot be opened
 */
export function createExactVectors(path: string, dimensions: number): ExactVectors {
  const connection = connectReader(path);
  return {
    vectorsOf: ids => {
      const rows = connection.all<StoredVector & { id: string }>(READ, JSON.stringify(ids));
      return new Map(rows.map(row => [row.id, exactVector(row, dimensions)]));
    },
    close: () => connection.close(),
  };
}

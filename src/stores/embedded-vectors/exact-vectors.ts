/** Reads the exact vectors on a connection of its own. */
import { connectReader, GIVEN } from '../database/connection.js';
import { type Blob, floatsOf } from './vector-table.js';

export interface ExactVectors {
  /** Existing vectors by id; shorter vectors are padded with zeros. */
  vectorsOf(ids: readonly string[]): Map<string, Float32Array>;
  close(): void;
}

/** One statement for any number of ids, because every recall reads some vectors. */
const READ = `SELECT id, vector FROM ${GIVEN}
  CROSS JOIN vectors ON vectors.id = given CROSS JOIN exact_vectors USING (row)`;

/**
 * Work that compares all memories reads all vectors several times. On the graph's connection these reads would evict
 * the pages that recalls need, and fill the cache.
 *
 * @param path of a file that another connection keeps open
 * @throws MemoryError `unavailable` when the file cannot be opened
 */
export function createExactVectors(path: string, dimensions: number): ExactVectors {
  const connection = connectReader(path);
  return {
    vectorsOf: ids => {
      const rows = connection.all<{ id: string; vector: Blob }>(READ, JSON.stringify(ids));
      return new Map(rows.map(({ id, vector }) => [id, floatsOf(vector, dimensions)]));
    },
    close: () => connection.close(),
  };
}

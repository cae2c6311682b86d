/** Reads and compares the exact vectors, which are not quantized, on a separate connection. */
import { connectReader, GIVEN } from '../database/connection.js';
import type { ExactSimilarities, VectorSearch } from '../vector-store.js';
import { createComparison } from './stored-cosine.js';
import { exactVector, type StoredVector } from './vector-table.js';

export interface ExactVectors {
  /** Returns existing vectors by id; shorter vectors are padded with zeros. */
  vectorsOf(ids: readonly string[]): Map<string, Float32Array>;
  /** Like `VectorStore.compare`. */
  compare(ids: readonly string[], others: Pick<VectorSearch, 'vector' | 'beside'>): Map<string, ExactSimilarities>;
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
  const read = (ids: readonly string[]) => connection.all<StoredVector & { id: string }>(READ, JSON.stringify(ids));
  return {
    vectorsOf: ids => new Map(read(ids).map(row => [row.id, exactVector(row, dimensions)])),
    compare: (ids, { vector, beside }) => {
      const similarities = createComparison(vector, beside);
      return new Map(read(ids).map(row => [row.id, similarities(row)]));
    },
    close: () => connection.close(),
  };
}

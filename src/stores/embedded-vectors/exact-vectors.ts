/** Reads and compares the exact vectors, which are not quantized. */
import { cosineSimilarity, squaredLength } from '../../domain/vectors.js';
import { type Connection, connectReader, GIVEN } from '../database/connection.js';
import type { ExactSimilarities, VectorSearch } from '../vector-store.js';
import { exactVector, type StoredVector, viewOf } from './stored-vector.js';

export interface ExactVectors {
  /** Returns existing vectors by id; shorter vectors are padded with zeros. */
  vectorsOf(ids: readonly string[]): Map<string, Float32Array>;
  /** Like `VectorStore.compare`. */
  compare(ids: readonly string[], others: Others): Map<string, ExactSimilarities>;
  close(): void;
}

type Others = Pick<VectorSearch, 'vector' | 'beside'>;
type Read = StoredVector & { id: string };

/** Serves any number of ids with one prepared statement, because every recall reads some vectors. */
const BY_ID = `SELECT id, dimensions, vector FROM ${GIVEN}
  CROSS JOIN vectors ON vectors.id = given CROSS JOIN exact_vectors USING (row)`;
const BY_ROW = `SELECT id, dimensions, vector FROM ${GIVEN}
  CROSS JOIN vectors ON vectors.row = given CROSS JOIN exact_vectors ON exact_vectors.row = given`;

/**
 * Opens a separate connection, because work that compares all memories reads all vectors several times. On the graph's
 * connection, these reads would fill the page cache and evict the pages that recalls need.
 *
 * @param path of a file that another connection keeps open
 * @throws MemoryError `unavailable` when the file cannot be opened
 */
export function createExactVectors(path: string, dimensions: number): ExactVectors {
  const connection = connectReader(path);
  const read = (ids: readonly string[]) => connection.all<Read>(BY_ID, JSON.stringify(ids));
  return {
    vectorsOf: ids => new Map(read(ids).map(row => [row.id, exactVector(row, dimensions)])),
    compare: (ids, others) => compared(read(ids), others),
    close: () => connection.close(),
  };
}

/** Compares the vectors in these rows with one or two others. */
export function compareRows(
  connection: Pick<Connection, 'all'>,
  rows: readonly number[],
  others: Others,
): Map<string, ExactSimilarities> {
  return compared(connection.all<Read>(BY_ROW, JSON.stringify(rows)), others);
}

function compared(stored: readonly Read[], { vector, beside }: Others): Map<string, ExactSimilarities> {
  const withVector = comparisonWith(vector);
  const withBeside = beside && comparisonWith(beside);
  return new Map(
    stored.map(each => {
      const sought = withVector(each);
      return [each.id, { sought, beside: withBeside?.(each) ?? sought }];
    }),
  );
}

function comparisonWith(other: Float32Array): (stored: StoredVector) => number {
  const squaresOfOther = squaredLength(other);
  return ({ dimensions: blob, vector }) => {
    const values = viewOf(vector, Float32Array);
    if (!blob) return cosineSimilarity(values, other);
    // Skip the zeros of a sparse vector, because they change no sum. The result equals that of `cosineSimilarity`.
    const dimensions = viewOf(blob, Uint16Array);
    let dot = 0;
    let squares = 0;
    for (let index = 0; index < values.length; index++) {
      const value = values[index] as number;
      dot += value * (other[dimensions[index] as number] ?? 0);
      squares += value * value;
    }
    return squares * squaresOfOther === 0 ? 0 : dot / Math.sqrt(squares * squaresOfOther);
  };
}

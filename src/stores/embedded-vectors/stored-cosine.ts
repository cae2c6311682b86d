/** Computes the cosines of stored vectors and a question without expanding sparse vectors. */
import { cosineSimilarity, squaredLength } from '../../domain/vectors.js';
import type { ExactSimilarities } from '../vector-store.js';
import { type StoredVector, viewOf } from './vector-table.js';

/** @returns a function that compares a stored vector with both vectors, or with `vector` alone */
export function createComparison(vector: Float32Array, beside = vector): (stored: StoredVector) => ExactSimilarities {
  const withVector = comparisonWith(vector);
  const withBeside = beside === vector ? undefined : comparisonWith(beside);
  return stored => {
    const sought = withVector(stored);
    return { sought, beside: withBeside?.(stored) ?? sought };
  };
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

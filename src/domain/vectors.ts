/** Arithmetic on vectors, in double precision: squares of small single-precision values would vanish. */

/** Sum of the products; a shorter vector counts as ending in zeros. */
export function dotProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) sum += (one[index] as number) * (other[index] as number);
  return sum;
}

export function squaredLength(vector: Float32Array): number {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += (vector[index] as number) ** 2;
  return squares;
}

/** a · b / (|a| |b|), -1..1; 0 for a vector of zeros. A shorter vector counts as ending in zeros. */
export function cosineSimilarity(one: Float32Array, other: Float32Array): number {
  const squares = squaredLength(one) * squaredLength(other);
  return squares === 0 ? 0 : dotProduct(one, other) / Math.sqrt(squares);
}

/** What rounding to single precision leaves of a length of 1. */
const ROUNDING = 1e-6;

/** As `unitVector`, without rounding a vector of unit length once more. */
export function nearlyUnitVector(vector: Float32Array): Float32Array {
  return Math.abs(squaredLength(vector) - 1) < ROUNDING ? vector : unitVector(vector);
}

/** Of unit length; a vector of zeros stays as it is. */
export function unitVector(vector: Float32Array): Float32Array {
  const length = Math.sqrt(squaredLength(vector));
  if (length === 0) return vector;
  // A loop: `map` takes many times as long.
  const unit = new Float32Array(vector.length);
  for (let index = 0; index < vector.length; index++) unit[index] = (vector[index] as number) / length;
  return unit;
}

/** Vector arithmetic in double precision, because squares of small single-precision values would underflow. */

/** Dot product. A shorter vector counts as padded with zeros. */
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

/** a · b / (|a| |b|), -1..1. It is 0 for a zero vector. A shorter vector counts as padded with zeros. */
export function cosineSimilarity(one: Float32Array, other: Float32Array): number {
  if (one.length > other.length) return cosineSimilarity(other, one);
  let dot = 0;
  let squaresOfOne = 0;
  let squaresOfOther = 0;
  // One loop computes the three sums at once, which takes half the time of three loops.
  for (let index = 0; index < one.length; index++) {
    const a = one[index] as number;
    const b = other[index] as number;
    dot += a * b;
    squaresOfOne += a * a;
    squaresOfOther += b * b;
  }
  for (let index = one.length; index < other.length; index++) squaresOfOther += (other[index] as number) ** 2;
  const squares = squaresOfOne * squaresOfOther;
  return squares === 0 ? 0 : dot / Math.sqrt(squares);
}

/** Maximum deviation of a unit vector's squared length from 1 after rounding to single precision. */
const ROUNDING = 1e-6;

/** Like `unitVector`, but returns a vector of unit length unchanged instead of rounding it again. */
export function nearlyUnitVector(vector: Float32Array): Float32Array {
  return Math.abs(squaredLength(vector) - 1) < ROUNDING ? vector : unitVector(vector);
}

/** Scales a vector to unit length. A zero vector is returned unchanged. */
export function unitVector(vector: Float32Array): Float32Array {
  const length = Math.sqrt(squaredLength(vector));
  if (length === 0) return vector;
  // The code uses a loop, because `map` is several times slower.
  const unit = new Float32Array(vector.length);
  for (let index = 0; index < vector.length; index++) unit[index] = (vector[index] as number) / length;
  return unit;
}

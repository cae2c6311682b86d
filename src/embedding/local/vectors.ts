/** Arithmetic on the vectors of a model. */
import type { Pooling } from './model-facts.js';

/**
 * Combines the rows of all tokens into one row. No row is padding, because the model runs with a single text at a time.
 *
 * @param values rows of `width` numbers, one for each token
 */
export function poolTokens({ values, width }: { values: Float32Array; width: number }, pooling: Pooling): Float32Array {
  if (pooling === 'cls') return values.slice(0, width);
  const mean = new Float64Array(width);
  const count = values.length / width;
  for (let row = 0; row < values.length; row += width) {
    for (let column = 0; column < width; column++)
      mean[column] = (mean[column] ?? 0) + (values[row + column] ?? 0) / count;
  }
  return Float32Array.from(mean);
}

/** @throws Error when the vector is zero, or contains a number that is not finite */
export function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!(length > 0 && Number.isFinite(length))) throw new Error('the model returned numbers that do not form a vector');
  return vector.map(value => value / length);
}

/** Pads with zeros, which do not change a cosine. */
export function padTo(vector: Float32Array, dimensions: number): Float32Array {
  const padded = new Float32Array(dimensions);
  padded.set(vector);
  return padded;
}

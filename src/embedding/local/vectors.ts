/** Arithmetic on the vectors of a model. */
import type { Pooling } from './model-facts.js';

/**
 * One row out of many. There is no padding in it: a text is alone in its run.
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

/** @throws Error for a vector that has no direction */
export function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!(length > 0 && Number.isFinite(length))) throw new Error('the model answers with numbers that are no vector');
  return vector.map(value => value / length);
}

/** Filled up with zeros, which changes no cosine. */
export function padTo(vector: Float32Array, dimensions: number): Float32Array {
  const padded = new Float32Array(dimensions);
  padded.set(vector);
  return padded;
}

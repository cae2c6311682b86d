/** Writes queries into the memory of the kernel, and decides which of their values a block needs. */
import { quantizeQuery } from './quantize.js';
import type { ScanKernel } from './scan-kernel.js';
import { nonZerosOf } from './sparse-values.js';

/** A query in the memory of the kernel: pairs of a dimension and its value, the greatest absolute values first. */
export interface SparseQuery {
  address: number;
  /** Number of pairs. */
  count: number;
  /** The values of all dimensions. */
  values: Int16Array;
  /** A dot product of the values with a vector, times this number, is the cosine similarity. */
  scale: number;
  /** At index n: the Euclidean norm of the query without its first n pairs. The norm of the whole query is 1. */
  restLengths: Float64Array;
}

/** Size of a pair in the memory of the kernel. */
export const PAIR_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT;
/**
 * Maximum Euclidean norm of a quantized vector with at most 5,000 values other than zero. Its exact norm is 1, and
 * rounding moves each value by at most half a step.
 */
const VECTOR_LENGTH_MAX = 1.15;

/**
 * @param address where the query is written
 * @param vector of unit length
 */
export function writeQuery({ buffer }: ScanKernel, address: number, vector: Float32Array): SparseQuery {
  const { values, scale } = quantizeQuery(vector);
  const found = nonZerosOf(values, Int16Array);
  const count = found.values.length;
  const order = Array.from({ length: count }, (_, index) => index);
  order.sort((a, b) => Math.abs(found.values[b] as number) - Math.abs(found.values[a] as number));
  const pairs = new Int32Array(buffer, address, 2 * count);
  for (const [index, place] of order.entries()) {
    pairs[2 * index] = found.dimensions[place] as number;
    pairs[2 * index + 1] = found.values[place] as number;
  }
  const restLengths = new Float64Array(count + 1);
  let squares = 0;
  for (let index = count - 1; index >= 0; index--) {
    squares += ((pairs[2 * index + 1] as number) * scale) ** 2;
    restLengths[index] = Math.sqrt(squares);
  }
  return { address, count, values, scale, restLengths };
}

/** The maximum that all pairs after the first `pairs` pairs can add to a similarity. */
export function mostOfRest({ restLengths }: SparseQuery, pairs: number): number {
  return (restLengths[pairs] as number) * VECTOR_LENGTH_MAX;
}

/**
 * Number of pairs that are compared with every vector of a block. The other pairs can add at most half of the least
 * similarity that is needed. So if no vector of the block reaches the other half, the block needs no further pairs
 * (Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).
 */
export function essentialPairs(query: SparseQuery, least: number): number {
  let pairs = query.count;
  while (pairs > 0 && mostOfRest(query, pairs - 1) <= least / 2) pairs -= 1;
  return pairs;
}

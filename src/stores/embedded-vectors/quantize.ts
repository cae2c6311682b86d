/**
 * Quantizes vectors to eight bits for each dimension, so that they can be scanned quickly. The nearest hits are then
 * ordered by their exact vectors.
 */
import { queryMax } from './scan-kernel.js';
import { scatter } from './sparse-values.js';

const CODE_MAX = 127;

export interface QuantizedVector {
  /** The dimensions of the codes, in ascending order. If absent, the codes are those of the first dimensions. */
  dimensions?: Uint16Array | undefined;
  codes: Int8Array;
  /** A code times this number is the quantized value of the dimension. */
  scale: number;
}

/** @param vector must have at least one value other than zero */
export function quantize(vector: Float32Array): QuantizedVector {
  const scale = largestOf(vector) / CODE_MAX;
  return { codes: roundInto(new Int8Array(vector.length), vector, scale), scale };
}

/** Returns the codes of all dimensions from the first up to `length`. */
export function denseCodes({ dimensions, codes }: QuantizedVector, length: number): Int8Array {
  const all = new Int8Array(length);
  if (dimensions) scatter({ dimensions, values: codes }, all);
  else all.set(codes);
  return all;
}

/** Quantizes a query in finer steps than the vectors. This costs little, because a search has only one query. */
export function quantizeQuery(vector: Float32Array): { values: Int16Array; scale: number } {
  const scale = largestOf(vector) / queryMax(vector.length);
  return { values: roundInto(new Int16Array(vector.length), vector, scale), scale };
}

/** Rounds the values in a loop, because `from` with a function takes ten times as long. */
function roundInto<T extends Int8Array | Int16Array>(target: T, vector: Float32Array, scale: number): T {
  for (let index = 0; index < vector.length; index++) target[index] = Math.round((vector[index] as number) / scale);
  return target;
}

function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** Returns the vector without the zeros at its end, which pad shorter vectors. */
export function withoutPadding(vector: Float32Array): Float32Array {
  let length = vector.length;
  while (length > 1 && vector[length - 1] === 0) length -= 1;
  return vector.subarray(0, length);
}

/** Vectors in eight bits a dimension, for scanning; the exact ones decide between the nearest. */
import { queryMax } from './scan-kernel.js';

const CODE_MAX = 127;

export interface QuantizedVector {
  codes: Int8Array;
  /** Worth of one unit of a code. */
  scale: number;
}

/** @param vector at least one value is not zero */
export function quantize(vector: Float32Array): QuantizedVector {
  const scale = largestOf(vector) / CODE_MAX;
  return { codes: roundInto(new Int8Array(vector.length), vector, scale), scale };
}

/** A query in finer steps than the vectors: it is made once for all of them. */
export function quantizeQuery(vector: Float32Array): { values: Int16Array; scale: number } {
  const scale = largestOf(vector) / queryMax(vector.length);
  return { values: roundInto(new Int16Array(vector.length), vector, scale), scale };
}

/** A loop: `from` with a function takes ten times as long. */
function roundInto<T extends Int8Array | Int16Array>(target: T, vector: Float32Array, scale: number): T {
  for (let index = 0; index < vector.length; index++) target[index] = Math.round((vector[index] as number) / scale);
  return target;
}

function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** Without the zeros at its end, by which a shorter vector was filled up. */
export function withoutPadding(vector: Float32Array): Float32Array {
  let length = vector.length;
  while (length > 1 && vector[length - 1] === 0) length -= 1;
  return vector.subarray(0, length);
}

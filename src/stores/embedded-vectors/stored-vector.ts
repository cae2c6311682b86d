/**
 * How vectors are stored: in eight bits for each dimension, so that they can be searched quickly, and as exact values,
 * which order the nearest hits. The zeros of a vector are left out if there are many.
 */
import { CODE_MAX, queryMax } from './scan-kernel.js';

export interface QuantizedVector {
  /** The dimensions of the codes, in ascending order. If absent, the codes are those of the first dimensions. */
  dimensions?: Uint16Array | undefined;
  codes: Int8Array;
  /** A code times this number is the quantized value of the dimension. */
  scale: number;
}

/** @param values must have at least one value other than zero */
export function quantize(values: Float32Array): QuantizedVector {
  const scale = largestOf(values) / CODE_MAX;
  return { codes: roundInto(new Int8Array(values.length), values, scale), scale };
}

/** Quantizes a query in finer steps than the vectors. This costs little, because a search has only one query. */
export function quantizeQuery(vector: Float32Array): { values: Int16Array; scale: number } {
  const scale = largestOf(vector) / queryMax(vector.length);
  return { values: roundInto(new Int16Array(vector.length), vector, scale), scale };
}

/** Rounds the values in a loop, because `from` with a function takes ten times as long. */
function roundInto<T extends Int8Array | Int16Array>(target: T, values: Float32Array, scale: number): T {
  for (let index = 0; index < values.length; index++) target[index] = Math.round((values[index] as number) / scale);
  return target;
}

function largestOf(values: Float32Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/**
 * If at most this share of the values of a vector is other than zero, only these values are stored. The vectors of a
 * model have no zeros, and most values of a hash embedding are zero.
 */
const STORED_SPARSELY_MAX = 0.5;

/** Returns the values that are stored: without the zeros at the end, which pad shorter vectors, or without all zeros. */
export function storedValues(vector: Float32Array): { dimensions?: Uint16Array; values: Float32Array } {
  const used: number[] = [];
  for (let dimension = 0; dimension < vector.length; dimension++) if (vector[dimension] !== 0) used.push(dimension);
  const length = (used.at(-1) ?? 0) + 1;
  if (used.length > STORED_SPARSELY_MAX * length) return { values: vector.subarray(0, length) };
  const dimensions = Uint16Array.from(used);
  const values = new Float32Array(used.length);
  for (let index = 0; index < values.length; index++) values[index] = vector[dimensions[index] as number] as number;
  return { dimensions, values };
}

/** The exact values of a vector, as they are in the file. */
export interface StoredVector {
  /** uint16; null if the values are those of the first dimensions. */
  dimensions: Blob | null;
  /** float32 in the byte order of the machine. */
  vector: Blob;
}

/** Returns an exact vector, padded with zeros up to `length`. */
export function exactVector({ dimensions: blob, vector }: StoredVector, length: number): Float32Array {
  const values = viewOf(vector, Float32Array);
  if (!blob && values.length >= length) return values;
  const all = new Float32Array(length);
  if (!blob) all.set(values);
  else for (const [index, dimension] of viewOf(blob, Uint16Array).entries()) all[dimension] = values[index] as number;
  return all;
}

/** The type that the driver returns for a blob. */
export type Blob = ArrayBuffer | Uint8Array;

type TypedArray = Float32Array | Float64Array | Int8Array | Uint16Array;

export function bytesOf({ buffer, byteOffset, byteLength }: TypedArray): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/**
 * Returns the numbers in a blob. They are a view of the blob instead of a copy, because garbage collection of a million
 * copies would take longer than reading the blobs. A blob is copied only if its offset is not a multiple of the size
 * of a number.
 */
export function viewOf<Numbers extends TypedArray>(blob: Blob, kind: ArrayKind<Numbers>): Numbers {
  const bytes = blob instanceof Uint8Array ? blob : new Uint8Array(blob);
  const isAligned = bytes.byteOffset % kind.BYTES_PER_ELEMENT === 0;
  const { buffer, byteOffset, byteLength } = isAligned ? bytes : new Uint8Array(bytes);
  return new kind(buffer as ArrayBuffer, byteOffset, byteLength / kind.BYTES_PER_ELEMENT);
}

interface ArrayKind<Numbers> {
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Numbers;
  BYTES_PER_ELEMENT: number;
}

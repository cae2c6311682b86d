/**
 * Makes sketches. A sketch stores the signs of the values of a rotated vector, one bit for each value. The sketches of
 * two vectors at a small angle differ in few bits (Charikar, "Similarity estimation techniques from rounding
 * algorithms", 2002). The rotation spreads the value of each dimension over all bits. The rotation is a Walsh-Hadamard
 * transform of values with fixed random signs (Ailon and Chazelle, "The fast Johnson-Lindenstrauss transform", 2009).
 * Angles are measured around the mean of the vectors. Otherwise, a direction that all vectors share would make all
 * sketches similar.
 */
import type { QuantizedVector } from './quantize.js';
import type { ScanKernel } from './scan-kernel.js';

/** Minimum number of bits. A short vector gets more than one bit for each dimension. */
const BITS_MIN = 256;

export interface Sketcher {
  /** Size of a sketch. */
  readonly bits: number;
  readonly bytes: number;
  /** Sets the centre to the mean of these vectors. Sketches made before and after this cannot be compared. */
  centreOn(vectors: Iterable<QuantizedVector>): void;
  /** Writes the sketch of a vector to an address in the kernel's memory. */
  write(vector: QuantizedVector, address: number): void;
}

/** @param dimensions maximum number of dimensions of a vector */
export function createSketcher(kernel: ScanKernel, dimensions: number): Sketcher {
  const bits = Math.max(BITS_MIN, 2 ** Math.ceil(Math.log2(dimensions)));
  const valueBytes = bits * Int16Array.BYTES_PER_ELEMENT;
  const valuesAt = kernel.reserve(valueBytes);
  const signs = Int8Array.from({ length: bits }, (_, index) => signOf(index));
  const centre = new Float64Array(dimensions);
  // A short vector is copied several times. Each copy gets different signs, so that the bits do not repeat.
  const used = dimensions * Math.floor(bits / dimensions);

  return {
    bits,
    bytes: bits / 8,
    centreOn: vectors => {
      centre.fill(0);
      let count = 0;
      for (const { codes, scale } of vectors) {
        for (let index = 0; index < codes.length; index++) {
          (centre[index] as number) += (codes[index] as number) * scale;
        }
        count += 1;
      }
      for (let index = 0; index < dimensions; index++) (centre[index] as number) /= Math.max(1, count);
    },
    write: ({ codes, scale }, address) => {
      const values = new Int16Array(kernel.buffer, valuesAt, bits);
      const unit = scale === 0 ? 0 : 1 / scale;
      for (let start = 0; start < used; start += dimensions) {
        for (let index = 0; index < dimensions; index++) {
          const value = (codes[index] ?? 0) - (centre[index] as number) * unit;
          values[start + index] = value * (signs[start + index] as number);
        }
      }
      values.fill(0, used);
      kernel.sketch(valuesAt, valueBytes, address);
    },
  };
}

/** Returns a pseudo-random 1 or -1 that depends only on `index` (the finaliser of MurmurHash3). */
function signOf(index: number): number {
  let mixed = Math.imul(index + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) & 1 ? 1 : -1;
}

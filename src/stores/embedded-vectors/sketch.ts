/**
 * A bit for each dimension of a rotated vector: vectors at a small angle differ in few bits (Charikar, "Similarity estimation
 * techniques from rounding algorithms", 2002). The rotation spreads what a few dimensions hold over all bits. It is a
 * Walsh-Hadamard transform of values with fixed random signs (Ailon and Chazelle, "The fast Johnson-Lindenstrauss
 * transform", 2009).
 */
import type { ScanKernel } from './scan-kernel.js';

/** The comparison takes so many a step. */
const BITS_MIN = 256;

export interface Sketcher {
  /** In a sketch. */
  readonly bits: number;
  readonly bytes: number;
  /** Writes the sketch of a vector in eight bits a dimension to an address of the kernel. */
  write(codes: Int8Array, address: number): void;
}

/** @param dimensions most that a vector may have */
export function createSketcher(kernel: ScanKernel, dimensions: number): Sketcher {
  const bits = Math.max(BITS_MIN, 2 ** Math.ceil(Math.log2(dimensions)));
  const valueBytes = bits * Int16Array.BYTES_PER_ELEMENT;
  const valuesAt = kernel.reserve(valueBytes);
  const signs = Int8Array.from({ length: bits }, (_, index) => signOf(index));
  return {
    bits,
    bytes: bits / 8,
    write: (codes, address) => {
      const values = new Int16Array(kernel.buffer, valuesAt, bits);
      for (let index = 0; index < codes.length; index++) {
        values[index] = (codes[index] as number) * (signs[index] as number);
      }
      values.fill(0, codes.length);
      kernel.sketch(valuesAt, valueBytes, address);
    },
  };
}

/** 1 or -1, the same for an index in every process, as if by chance (the finaliser of MurmurHash3). */
function signOf(index: number): number {
  let mixed = Math.imul(index + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) & 1 ? 1 : -1;
}

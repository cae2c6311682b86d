/**
 * Keeps the codes of vectors whose values are mostly other than zero, such as those of a model. If there are few
 * vectors, a scan scores each one by its codes. If there are many, it first compares their sketches, and scores only the
 * vectors with the most similar sketches.
 *
 * A sketch has the signs of the values of a rotated vector, around the mean of all vectors. The sketches of two vectors at
 * a small angle differ in few bits (Charikar, "Similarity estimation techniques from rounding algorithms", 2002). The
 * rotation spreads the value of each dimension over all bits. It is a Walsh-Hadamard transform of values with fixed
 * random signs (Ailon and Chazelle, "The fast Johnson-Lindenstrauss transform", 2009).
 */
import { createScannedRecords } from './scan-kernel.js';
import { type QuantizedVector, quantize, quantizeQuery } from './stored-vector.js';
import type { Codes, ScanRequest } from './vector-index.js';

/**
 * The dimensions of a vector are rounded up to a multiple of this number, because the sketches are compared 64 bits at a
 * time.
 */
export const STRIDE_STEP = 64;
/** Above this number of vectors, their sketches decide whether they are scored. */
const SKETCHED_FROM = 16_384;
/**
 * Minimum number of vectors that are scored, even if SCORED_SHARE of the vectors is a smaller number. A higher minimum
 * finds more of the nearest vectors only in random data, where all directions are equally likely.
 * tests/bench/vectors.mjs measures how many of the nearest vectors a search finds.
 */
const SCORED_MIN = 4_000;
const SCORED_SHARE = 1 / 64;
const SCORED_PER_RESULT = 30;
/** Minimum number of bits of a sketch. A short vector gets more than one bit for each dimension. */
const BITS_MIN = 256;
/** The scale follows the codes. A record has a multiple of 8 bytes. */
const SCALE_BYTES = 8;

/** @param stride number of dimensions: a multiple of STRIDE_STEP, and at least that of the longest vector */
export function createDenseCodes(stride: number): Codes {
  const records = createScannedRecords(stride + SCALE_BYTES);
  const bits = Math.max(BITS_MIN, 2 ** Math.ceil(Math.log2(stride)));
  const sketches = createScannedRecords(bits / 8);
  const mean = new Float64Array(stride);
  /** Number of vectors from which the mean was last computed. While it is zero, there are no sketches. */
  let meanSize = 0;

  const read = (slot: number): QuantizedVector => {
    const { buffer, byteOffset } = records.at(slot);
    const [scale = 0] = new Float32Array(buffer, byteOffset + stride, 1);
    return { codes: new Int8Array(buffer, byteOffset, stride), scale };
  };
  const writeSketch = (slot: number) => sketches.at(slot).set(sketchOf(read(slot), mean, bits));
  /**
   * Computes the mean and all sketches again whenever the number of vectors has doubled. On average, the sketch of each
   * vector is computed at most twice.
   */
  const sketchAnew = (size: number) => {
    mean.fill(0);
    for (let slot = 0; slot < size; slot++) {
      const { codes, scale } = read(slot);
      for (let index = 0; index < stride; index++) (mean[index] as number) += ((codes[index] as number) * scale) / size;
    }
    for (let slot = 0; slot < size; slot++) writeSketch(slot);
    meanSize = size;
  };

  /** Returns the slots with the sketches that are most similar to the query. */
  const preselect = ({ query, slots, limit, isRough }: ScanRequest): Int32Array => {
    const differences = sketches.compare(sketchOf(quantize(query), mean, bits), slots);
    const counts = new Uint32Array(bits + 1);
    for (const difference of differences) (counts[difference] as number) += 1;
    const usual = isRough ? 0 : Math.max(SCORED_MIN, slots.length * SCORED_SHARE);
    const most = leastWith(counts, Math.max(usual, limit * SCORED_PER_RESULT));
    return slots.filter((_, index) => (differences[index] as number) <= most);
  };

  return {
    write: (slot, { codes, scale }) => {
      const record = records.at(slot).fill(0);
      record.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length));
      new Float32Array(record.buffer, record.byteOffset + stride, 1)[0] = scale;
      if (slot + 1 >= Math.max(SKETCHED_FROM, 2 * meanSize)) sketchAnew(slot + 1);
      else if (meanSize > 0) writeSketch(slot);
    },
    take: slot => {
      const { codes, scale } = read(slot);
      return { codes: codes.slice(), scale };
    },
    scan: (request, nearest) => {
      const { values, scale } = quantizeQuery(request.query.subarray(0, stride));
      const query = new Int16Array(stride);
      query.set(values);
      const slots = request.slots.length > SKETCHED_FROM ? preselect(request) : request.slots;
      const dots = records.dots(query, slots);
      let least = nearest.leastScore;
      for (let index = 0; index < dots.length; index++) {
        const score = (dots[index] as number) * scale;
        if (score > least) least = nearest.add(slots[index] as number, score);
      }
    },
  };
}

function sketchOf({ codes, scale }: QuantizedVector, mean: Float64Array, bits: number): Uint8Array {
  const values = new Float32Array(bits);
  // A short vector is copied several times. Each copy gets different signs, so that the bits do not repeat.
  for (let start = 0; start + mean.length <= bits; start += mean.length) {
    for (let index = 0; index < mean.length; index++) {
      const value = (codes[index] ?? 0) * scale - (mean[index] as number);
      values[start + index] = value * signOf(start + index);
    }
  }
  transform(values);
  const sketch = new Uint8Array(bits / 8);
  for (let bit = 0; bit < bits; bit++) if ((values[bit] as number) < 0) (sketch[bit >> 3] as number) |= 1 << (bit & 7);
  return sketch;
}

/** Replaces values, a power of two of them, by their Walsh-Hadamard transform. */
function transform(values: Float32Array): void {
  for (let span = 1; span < values.length; span *= 2) {
    for (let start = 0; start < values.length; start += 2 * span) {
      for (let at = start; at < start + span; at++) {
        const one = values[at] as number;
        const other = values[at + span] as number;
        values[at] = one + other;
        values[at + span] = one - other;
      }
    }
  }
}

/** Returns a pseudo-random 1 or -1 that depends only on `index` (the finalizer of MurmurHash3). */
function signOf(index: number): number {
  let mixed = Math.imul(index + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) & 1 ? 1 : -1;
}

/**
 * @param counts number of slots by the number of bits in which their sketches differ from the query
 * @returns the smallest number of bits such that at least `wanted` slots differ in at most this many bits
 */
function leastWith(counts: Uint32Array, wanted: number): number {
  let found = 0;
  const difference = counts.findIndex(count => {
    found += count;
    return found >= wanted;
  });
  return difference < 0 ? counts.length : difference;
}

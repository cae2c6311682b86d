/**
 * Scans the dense layout: if there are few vectors, scores each one by its codes; if there are many, preselects vectors
 * by their sketches.
 */
import { addNearest, type CodeLayout, type LayoutParts, type ScanRequest } from './code-layout.js';
import { quantize, quantizeQuery } from './quantize.js';
import { PART, type ScanKernel, SLOTS_AT_ONCE } from './scan-kernel.js';
import type { Sketcher } from './sketch.js';
import { BLOCK_SIZE, selectSlots, slotsIn } from './vector-block.js';

/** Above this number of vectors, a sketch decides whether a vector is scored. */
const SKETCHED_FROM = 16_384;
/**
 * Minimum number of vectors that are scored, even if SCORED_SHARE of the vectors is a smaller number. A higher minimum
 * finds more of the nearest vectors only in random data, where all directions are equally likely.
 * tests/bench/vectors.mjs measures how many of the nearest vectors a search finds.
 */
const SCORED_MIN = 4_000;
const SCORED_SHARE = 1 / 64;
const SCORED_PER_RESULT = 30;
/** Minimum number of vectors that a rough search scores. A rough search may miss a few of the nearest vectors. */
const ROUGHLY_SCORED_MIN = 400;
const NEVER = 2 ** 16 - 1;

/** Addresses of a block in the kernel's memory. */
export interface DenseBlock {
  codes: number;
  scales: number;
  sketches: number;
  /**
   * Address of one number for each slot. The number counts the bits in which the sketch of the slot differs from the
   * sketch of the last query.
   */
  differences: number;
}

export interface BlockScanParts extends LayoutParts {
  kernel: ScanKernel;
  sketcher: Sketcher;
  /** The codes of the slots of `blocks`. */
  dense: readonly DenseBlock[];
}

export function createBlockScan({ kernel, sketcher, stride, dense, blocks }: BlockScanParts): CodeLayout['scan'] {
  const { reserve, dots, compare } = kernel;
  const queryAt = reserve(stride * Int16Array.BYTES_PER_ELEMENT);
  const offsetsAt = reserve((stride / PART) * Int32Array.BYTES_PER_ELEMENT);
  const slotsAt = reserve((BLOCK_SIZE + SLOTS_AT_ONCE - 1) * Int32Array.BYTES_PER_ELEMENT);
  const scoresAt = reserve((BLOCK_SIZE + SLOTS_AT_ONCE - 1) * Float32Array.BYTES_PER_ELEMENT);
  const sketchAt = reserve(sketcher.bytes);
  const countsAt = reserve((sketcher.bits + 1) * Int32Array.BYTES_PER_ELEMENT);

  /** @returns the maximum number of bits in which a slot may differ from the query and still be scored */
  const compareSketches = ({ size, query, filter, isRough }: ScanRequest, limit: number): number => {
    sketcher.write(quantize(query), sketchAt);
    const slots = new Int32Array(kernel.buffer, slotsAt, BLOCK_SIZE);
    const counts = new Int32Array(kernel.buffer, countsAt, sketcher.bits + 1).fill(0);
    let passing = 0;
    for (const [index, block] of blocks.entries()) {
      const { sketches, differences } = dense[index] as DenseBlock;
      const count = selectSlots(block, slotsIn(index, size), filter, slots);
      if (count < BLOCK_SIZE) new Uint16Array(kernel.buffer, differences, BLOCK_SIZE).fill(NEVER);
      compare(sketchAt, sketches, sketcher.bytes, slotsAt, count, differences, countsAt);
      passing += count;
    }
    const wanted = isRough ? ROUGHLY_SCORED_MIN : Math.max(SCORED_MIN, passing * SCORED_SHARE);
    return leastWith(counts, Math.max(wanted, limit * SCORED_PER_RESULT));
  };

  /**
   * Writes the parts of the query that are not zero. The query of a hash embedding is zero in most parts.
   *
   * @returns the number of these parts
   */
  const writeQuery = (values: Int16Array): number => {
    const target = new Int16Array(kernel.buffer, queryAt, stride);
    const offsets = new Int32Array(kernel.buffer, offsetsAt, stride / PART);
    let parts = 0;
    for (let offset = 0; offset < values.length; offset += PART) {
      const part = values.subarray(offset, offset + PART);
      if (part.every(value => value === 0)) continue;
      target.fill(0, parts * PART, (parts + 1) * PART).set(part, parts * PART);
      offsets[parts++] = offset;
    }
    return parts;
  };

  return (request, nearest) => {
    const { size, query, filter } = request;
    const { values, scale } = quantizeQuery(query);
    const parts = writeQuery(values);
    const slots = new Int32Array(kernel.buffer, slotsAt, BLOCK_SIZE);
    const scores = new Float32Array(kernel.buffer, scoresAt, BLOCK_SIZE);
    const isSketched = size > SKETCHED_FROM;
    const mostDifferences = isSketched ? compareSketches(request, nearest.limit) : NEVER;
    for (const [index, block] of blocks.entries()) {
      const { differences, codes, scales } = dense[index] as DenseBlock;
      const count = isSketched
        ? kernel.select(differences, BLOCK_SIZE, mostDifferences, slotsAt)
        : selectSlots(block, slotsIn(index, size), filter, slots);
      dots(queryAt, offsetsAt, parts, codes, stride, scales, slotsAt, count, scoresAt);
      addNearest({ slots, scores, count, scale }, block, nearest);
    }
  };
}

/**
 * @param counts number of slots by the number of bits in which their sketches differ from the query
 * @returns the smallest number of bits such that at least `wanted` slots differ in at most this many bits
 */
function leastWith(counts: Int32Array, wanted: number): number {
  let found = 0;
  const difference = counts.findIndex(count => {
    found += count;
    return found >= wanted;
  });
  return difference < 0 ? counts.length : difference;
}

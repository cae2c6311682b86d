/** Scans the sparse layout: sums up the products of a query with all vectors, then selects the nearest of them. */
import { addNearest, type CodeLayout, type LayoutParts } from './code-layout.js';
import type { NumericFilter } from './payload.js';
import type { ScanKernel } from './scan-kernel.js';
import type { SparseBlock } from './sparse-block.js';
import { LISTED_SIZE } from './sparse-lists.js';
import { essentialPairs, mostOfRest, PAIR_BYTES, type SparseQuery, writeQuery } from './sparse-query.js';
import { BLOCK_SIZE, keepPassing, meetsSets, selectLikely, slotsIn, type VectorBlock } from './vector-block.js';

/**
 * If at most this number of slots of a block are likely to pass a filter, their tokens are read before the block is
 * scanned. Often none of them passes, and the block then needs no scan.
 */
const FEW_LIKELY = 16;
/** A bound is lowered by this share of its size, because the kernel rounds the bound to a float32. */
const ROUNDING = 1e-6;

export interface SparseScanParts extends LayoutParts {
  kernel: ScanKernel;
  /** The codes of the slots of `blocks`. */
  sparse: readonly SparseBlock[];
}

export function createSparseScan({ kernel, stride, blocks, sparse }: SparseScanParts): CodeLayout['scan'] {
  const queryAt = kernel.reserve(stride * PAIR_BYTES);
  const sumsAt = kernel.reserve(LISTED_SIZE * Int32Array.BYTES_PER_ELEMENT);
  const slotsAt = kernel.reserve(LISTED_SIZE * Int32Array.BYTES_PER_ELEMENT);
  const scoresAt = kernel.reserve(LISTED_SIZE * Float32Array.BYTES_PER_ELEMENT);

  /**
   * Selects the positions whose score exceeds a bound, among `count` positions from `first` on. Writes these positions,
   * counted from `first`, and their scores.
   *
   * @returns the number of selected positions
   */
  const selectAbove = (
    { scales }: SparseBlock,
    { first, count, bound }: { first: number; count: number; bound: number },
  ) => {
    const offset = first * Float32Array.BYTES_PER_ELEMENT;
    const least = bound - ROUNDING * Math.abs(bound);
    return kernel.above(sumsAt + offset, scales + offset, count, least, slotsAt, scoresAt);
  };

  /** Writes the scores of slots, which are counted from the position `first`. */
  const scoreSlots = (block: SparseBlock, { first, slots }: { first: number; slots: Int32Array }) => {
    const sums = new Int32Array(kernel.buffer, sumsAt, LISTED_SIZE);
    const scores = new Float32Array(kernel.buffer, scoresAt, slots.length);
    const scales = new Float32Array(kernel.buffer, block.scales, LISTED_SIZE);
    for (let index = 0; index < slots.length; index++) {
      const position = first + (slots[index] as number);
      scores[index] = Math.fround(sums[position] as number) * (scales[position] as number);
    }
  };

  /**
   * Writes the dot products of the query with the vectors of a block to the sums.
   *
   * @param least similarities of this value or less are not needed
   * @returns false if every similarity is too small; then the sums are not complete
   */
  const sumUp = (block: SparseBlock, query: SparseQuery, least: number): boolean => {
    const { scale, count } = query;
    const essential = essentialPairs(query, least);
    new Int32Array(kernel.buffer, sumsAt, LISTED_SIZE).fill(0);
    block.add(query, { from: 0, to: essential }, sumsAt);
    if (essential === count) return true;
    const bound = (least - mostOfRest(query, essential)) / scale;
    if (selectAbove(block, { first: 0, count: LISTED_SIZE, bound }) === 0) return false;
    block.add(query, { from: essential, to: count }, sumsAt);
    return true;
  };

  return ({ size, query, filter }, nearest) => {
    for (const block of sparse) block.prepare();
    const written = writeQuery(kernel, queryAt, query);
    const { scale } = written;
    const likely = new Int32Array(BLOCK_SIZE);
    const found = new Int32Array(kernel.buffer, slotsAt, BLOCK_SIZE);
    const scores = new Float32Array(kernel.buffer, scoresAt, BLOCK_SIZE);
    let summed: { block: SparseBlock; isNeeded: boolean } | undefined;
    for (const [index, fields] of blocks.entries()) {
      const present = slotsIn(index, size);
      const count = selectSome(fields, present, filter, likely);
      if (count === 0) continue;
      const block = sparse[Math.floor((index * BLOCK_SIZE) / LISTED_SIZE)] as SparseBlock;
      if (summed?.block !== block) summed = { block, isNeeded: sumUp(block, written, nearest.leastScore) };
      if (!summed.isNeeded) continue;
      const first = (index * BLOCK_SIZE) % LISTED_SIZE;
      // Tokens are read only for the few slots whose scores are high enough, because reading them takes longest.
      const passes = (slot: number) => meetsSets(fields, filter, slot);
      if (count === present) {
        const above = selectAbove(block, { first, count, bound: nearest.leastScore / scale });
        addNearest({ slots: found, scores, count: above, scale }, fields, nearest, passes);
      } else {
        scoreSlots(block, { first, slots: likely.subarray(0, count) });
        addNearest({ slots: likely, scores, count, scale }, fields, nearest, passes);
      }
    }
  };
}

/**
 * Selects the slots that pass a filter if few slots are likely to pass. Otherwise selects all likely slots, because
 * reading the tokens of many slots takes longer than scoring these slots.
 */
function selectSome(block: VectorBlock, size: number, filter: NumericFilter, slots: Int32Array): number {
  const count = selectLikely(block, size, filter, slots);
  return count > FEW_LIKELY ? count : keepPassing(block, filter, slots.subarray(0, count));
}

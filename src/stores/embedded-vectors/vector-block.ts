/** Where the numbers of a block of vectors stand in the kernel's memory, and what filters look at beside them. */
import { type NumericFilter, passesTags, type Range } from './payload.js';
import { createTagPool, type TagPool } from './tag-pool.js';

/** Vectors in a block: one call of the kernel. */
export const BLOCK_SIZE = 1_024;

export interface VectorBlock {
  /** Addresses in the kernel's memory. */
  codes: number;
  scales: number;
  /** By slot: the vector's row in its table. */
  rows: Float64Array;
  timestampsMs: Float64Array;
  validFromMs: Float64Array;
  validToMs: Float64Array;
  tags: TagPool;
}

/** @param address a multiple of 16 */
export function createBlock(address: number, stride: number): VectorBlock {
  return {
    codes: address,
    scales: address + BLOCK_SIZE * stride,
    rows: new Float64Array(BLOCK_SIZE),
    timestampsMs: new Float64Array(BLOCK_SIZE),
    validFromMs: new Float64Array(BLOCK_SIZE),
    validToMs: new Float64Array(BLOCK_SIZE),
    tags: createTagPool(BLOCK_SIZE),
  };
}

/** Bytes of a block in the kernel's memory. */
export function blockBytes(stride: number): number {
  return BLOCK_SIZE * (stride + Float32Array.BYTES_PER_ELEMENT);
}

const range: Range = { values: new Float64Array(0), start: 0, end: 0 };

/**
 * Writes the slots that pass the filter, of the first `size` of a block, to the beginning of `slots`.
 *
 * @returns how many they are
 */
export function selectSlots(block: VectorBlock, size: number, filter: NumericFilter, slots: Int32Array): number {
  const { timestampsMs, validFromMs, validToMs, tags } = block;
  const { fromMs, toMs, validAtMs } = filter;
  const looksAtTags = filter.tags !== undefined || filter.excluded.length > 0;
  let count = 0;
  for (let slot = 0; slot < size; slot++) {
    const timestampMs = timestampsMs[slot] ?? 0;
    if (timestampMs < fromMs || timestampMs > toMs) continue;
    if (validAtMs !== undefined && ((validFromMs[slot] ?? 0) > validAtMs || (validToMs[slot] ?? 0) <= validAtMs))
      continue;
    if (looksAtTags) {
      tags.read(slot, range);
      if (!passesTags(range, filter)) continue;
    }
    slots[count++] = slot;
  }
  return count;
}

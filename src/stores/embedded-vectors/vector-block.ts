/** Where the numbers of a block of vectors stand in the kernel's memory, and what filters look at beside them. */
import { type FilterFields, type NumericFilter, passesTags, type Range } from './payload.js';
import type { ScanKernel } from './scan-kernel.js';
import { createTagPool, type TagPool } from './tag-pool.js';
import { UUID_BYTES } from './uuid-bytes.js';

/** Vectors in a block: one call of the kernel. */
export const BLOCK_SIZE = 1_024;

export interface VectorBlock {
  /** Addresses in the kernel's memory. */
  codes: number;
  scales: number;
  sketches: number;
  /** Bits in which the sketches differed from that of the last query. */
  differences: number;
  /** By slot: the vector's row in its table. */
  rows: Float64Array;
  /** As `uuid-bytes.ts` writes them. */
  ids: Uint8Array;
  timestampsMs: Float64Array;
  validFromMs: Float64Array;
  validToMs: Float64Array;
  tags: TagPool;
  /** Bounds of all that was ever written here. If all of them pass a filter, no slot is checked by itself. */
  bounds: { firstMs: number; lastMs: number; lastValidFromMs: number; firstValidToMs: number };
}

/** Sizes of a slot. */
export interface SlotSizes {
  /** Dimensions. */
  stride: number;
  sketchBytes: number;
}

/** @throws RangeError when the kernel has no room for it */
export function createBlock({ reserve }: ScanKernel, { stride, sketchBytes }: SlotSizes): VectorBlock {
  const reserveEach = (bytes: number) => reserve(BLOCK_SIZE * bytes);
  return {
    codes: reserveEach(stride),
    scales: reserveEach(Float32Array.BYTES_PER_ELEMENT),
    sketches: reserveEach(sketchBytes),
    differences: reserveEach(Uint16Array.BYTES_PER_ELEMENT),
    rows: new Float64Array(BLOCK_SIZE),
    ids: new Uint8Array(BLOCK_SIZE * UUID_BYTES),
    timestampsMs: new Float64Array(BLOCK_SIZE),
    validFromMs: new Float64Array(BLOCK_SIZE),
    validToMs: new Float64Array(BLOCK_SIZE),
    tags: createTagPool(BLOCK_SIZE),
    bounds: { firstMs: Infinity, lastMs: -Infinity, lastValidFromMs: -Infinity, firstValidToMs: Infinity },
  };
}

export function writeFields(block: VectorBlock, slot: number, row: number, fields: FilterFields): void {
  const { timestampMs, validFromMs, validToMs, tags } = fields;
  const { bounds } = block;
  block.rows[slot] = row;
  block.timestampsMs[slot] = timestampMs;
  block.validFromMs[slot] = validFromMs;
  block.validToMs[slot] = validToMs;
  block.tags.set(slot, tags);
  bounds.firstMs = Math.min(bounds.firstMs, timestampMs);
  bounds.lastMs = Math.max(bounds.lastMs, timestampMs);
  bounds.lastValidFromMs = Math.max(bounds.lastValidFromMs, validFromMs);
  bounds.firstValidToMs = Math.min(bounds.firstValidToMs, validToMs);
}

const ALL_SLOTS = Int32Array.from({ length: BLOCK_SIZE }, (_, slot) => slot);
const range: Range = { values: new Float64Array(0), start: 0, end: 0 };

/**
 * Writes the slots that pass the filter, of the first `size` of a block, to the beginning of `slots`.
 *
 * @returns how many they are
 */
export function selectSlots(block: VectorBlock, size: number, filter: NumericFilter, slots: Int32Array): number {
  const { timestampsMs, validFromMs, validToMs, bounds, tags } = block;
  const { fromMs, toMs, validAtMs = 0 } = filter;
  if (bounds.lastMs < fromMs || bounds.firstMs > toMs) return 0;
  const isWithin = bounds.firstMs >= fromMs && bounds.lastMs <= toMs;
  const isValid =
    filter.validAtMs === undefined || (bounds.lastValidFromMs <= validAtMs && bounds.firstValidToMs > validAtMs);
  const looksAtTags = filter.tags !== undefined || filter.excluded.length > 0;
  if (isWithin && isValid && !looksAtTags) {
    slots.set(ALL_SLOTS);
    return size;
  }
  // Tells most of those that lack the tags without a look at them.
  const { marks: wanted = 0, mode } = filter.tags ?? {};
  let count = 0;
  for (let slot = 0; slot < size; slot++) {
    if (wanted !== 0) {
      const common = (tags.marks[slot] as number) & wanted;
      if (mode === 'all' ? common !== wanted : common === 0) continue;
    }
    if (!isWithin) {
      const timestampMs = timestampsMs[slot] as number;
      if (timestampMs < fromMs || timestampMs > toMs) continue;
    }
    if (!isValid && ((validFromMs[slot] as number) > validAtMs || (validToMs[slot] as number) <= validAtMs)) continue;
    if (looksAtTags) {
      tags.read(slot, range);
      if (!passesTags(range, filter)) continue;
    }
    slots[count++] = slot;
  }
  return count;
}

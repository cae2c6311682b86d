/** Vectors by slot, in blocks that the kernel scans from end to end. */
import type { Nearest } from './nearest.js';
import type { FilterFields, NumericFilter } from './payload.js';
import { createScanKernel, PAGE_BYTES, PAGES_MAX } from './scan-kernel.js';
import { BLOCK_SIZE, blockBytes, createBlock, selectSlots, type VectorBlock, writeFields } from './vector-block.js';

export interface VectorEntry extends FilterFields {
  /** Of its table. */
  row: number;
  /** One for each dimension. */
  codes: Int8Array;
  scale: number;
}

/** A query in integers: one for each dimension of a slot. */
export interface ScanQuery {
  values: Int16Array;
  scale: number;
}

export interface BlockMemory {
  write(slot: number, entry: VectorEntry): void;
  read(slot: number): VectorEntry;
  /** Scores the slots below `size` that pass the filter. */
  scan(size: number, query: ScanQuery, filter: NumericFilter, nearest: Nearest): void;
}

/** @param stride dimensions of a slot: a multiple of 64 */
export function createBlockMemory(stride: number): BlockMemory {
  const { memory, dots } = createScanKernel();
  const blocks: VectorBlock[] = [];
  // The query, slots and scores of one call, then the blocks.
  const queryAt = 0;
  const slotsAt = stride * Int16Array.BYTES_PER_ELEMENT;
  const scoresAt = slotsAt + BLOCK_SIZE * Int32Array.BYTES_PER_ELEMENT;
  let end = scoresAt + BLOCK_SIZE * Float32Array.BYTES_PER_ELEMENT;

  const reserve = (bytes: number) => {
    const present = memory.buffer.byteLength;
    const missing = end + bytes - present;
    // By a quarter where there is room for it: growing takes long however little it is.
    const spare = Math.min(present / 4, PAGES_MAX * PAGE_BYTES - present);
    if (missing > 0) memory.grow(Math.ceil(Math.max(missing, spare) / PAGE_BYTES));
    end += bytes;
  };
  reserve(0);

  const blockOf = (slot: number): VectorBlock => {
    const index = Math.floor(slot / BLOCK_SIZE);
    const known = blocks[index];
    if (known) return known;
    const block = createBlock(end, stride);
    reserve(blockBytes(stride));
    blocks.push(block);
    return block;
  };

  // Growing the memory detaches earlier views, so that each call makes its own.
  const codesOf = ({ codes }: VectorBlock, position: number) =>
    new Int8Array(memory.buffer, codes + position * stride, stride);
  const scalesOf = ({ scales }: VectorBlock) => new Float32Array(memory.buffer, scales, BLOCK_SIZE);

  return {
    write: (slot, { row, codes, scale, ...fields }) => {
      const block = blockOf(slot);
      const position = slot % BLOCK_SIZE;
      const target = codesOf(block, position);
      target.fill(0);
      target.set(codes);
      scalesOf(block)[position] = scale;
      writeFields(block, position, row, fields);
    },
    read: slot => {
      const block = blockOf(slot);
      const position = slot % BLOCK_SIZE;
      return {
        row: block.rows[position] ?? 0,
        codes: codesOf(block, position).slice(),
        scale: scalesOf(block)[position] ?? 0,
        timestampMs: block.timestampsMs[position] ?? 0,
        validFromMs: block.validFromMs[position] ?? 0,
        validToMs: block.validToMs[position] ?? 0,
        tags: block.tags.get(position),
      };
    },
    scan: (size, { values, scale }, filter, nearest) => {
      new Int16Array(memory.buffer, queryAt, stride).set(values);
      const slots = new Int32Array(memory.buffer, slotsAt, BLOCK_SIZE);
      const scores = new Float32Array(memory.buffer, scoresAt, BLOCK_SIZE);
      for (const [index, block] of blocks.entries()) {
        const count = selectSlots(block, Math.min(BLOCK_SIZE, size - index * BLOCK_SIZE), filter, slots);
        dots(queryAt, block.codes, stride, block.scales, slotsAt, count, scoresAt);
        let least = nearest.leastScore;
        for (let position = 0; position < count; position++) {
          const score = (scores[position] as number) * scale;
          if (score <= least) continue;
          nearest.add(block.rows[slots[position] as number] as number, score);
          least = nearest.leastScore;
        }
      }
    },
  };
}

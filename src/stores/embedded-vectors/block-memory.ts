/** Vectors by slot, in blocks of the kernel's memory. */
import { type BlockScan, createBlockScan } from './block-scan.js';
import type { FilterFields } from './payload.js';
import { createScanKernel } from './scan-kernel.js';
import { createSketcher } from './sketch.js';
import { readUuid, UUID_BYTES, writeUuid } from './uuid-bytes.js';
import { BLOCK_SIZE, createBlock, type VectorBlock, writeFields } from './vector-block.js';

export interface VectorEntry extends FilterFields {
  /** Of its table. */
  row: number;
  id: string;
  /** One for each dimension. */
  codes: Int8Array;
  scale: number;
}

export interface BlockMemory {
  write(slot: number, entry: VectorEntry): void;
  read(slot: number): VectorEntry;
  idAt(slot: number): string;
  scan: BlockScan;
}

/** @param stride dimensions of a slot: a multiple of 64 */
export function createBlockMemory(stride: number): BlockMemory {
  const kernel = createScanKernel();
  const sketcher = createSketcher(kernel, stride);
  const blocks: VectorBlock[] = [];

  const blockOf = (slot: number): VectorBlock => {
    const index = Math.floor(slot / BLOCK_SIZE);
    const known = blocks[index];
    if (known) return known;
    const block = createBlock(kernel, { stride, sketchBytes: sketcher.bytes });
    blocks.push(block);
    return block;
  };

  const codesOf = ({ codes }: VectorBlock, position: number) =>
    new Int8Array(kernel.buffer, codes + position * stride, stride);
  const scalesOf = ({ scales }: VectorBlock) => new Float32Array(kernel.buffer, scales, BLOCK_SIZE);

  const idAt = (slot: number) => readUuid(blockOf(slot).ids, (slot % BLOCK_SIZE) * UUID_BYTES);

  return {
    write: (slot, { row, id, codes, scale, ...fields }) => {
      const block = blockOf(slot);
      const position = slot % BLOCK_SIZE;
      const target = codesOf(block, position);
      target.fill(0);
      target.set(codes);
      scalesOf(block)[position] = scale;
      sketcher.write(codes, block.sketches + position * sketcher.bytes);
      writeUuid(id, block.ids, position * UUID_BYTES);
      writeFields(block, position, row, fields);
    },
    read: slot => {
      const block = blockOf(slot);
      const position = slot % BLOCK_SIZE;
      return {
        row: block.rows[position] ?? 0,
        id: idAt(slot),
        codes: codesOf(block, position).slice(),
        scale: scalesOf(block)[position] ?? 0,
        timestampMs: block.timestampsMs[position] ?? 0,
        validFromMs: block.validFromMs[position] ?? 0,
        validToMs: block.validToMs[position] ?? 0,
        tags: block.tags.get(position),
      };
    },
    idAt,
    scan: createBlockScan({ kernel, sketcher, stride, blocks }),
  };
}

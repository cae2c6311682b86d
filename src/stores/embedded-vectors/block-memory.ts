/** Stores vectors in numbered slots, in blocks of the memory of the WebAssembly kernel. */
import { type BlockScan, createBlockScan } from './block-scan.js';
import type { FilterNumbers } from './payload.js';
import type { QuantizedVector } from './quantize.js';
import { createScanKernel } from './scan-kernel.js';
import { createSketcher } from './sketch.js';
import { readUuid, UUID_BYTES, writeUuid } from './uuid-bytes.js';
import { BLOCK_SIZE, createBlock, readFields, type VectorBlock, writeFields } from './vector-block.js';

export interface VectorEntry extends FilterNumbers {
  /** Row in the table of vectors. */
  row: number;
  id: string;
  /** The quantized value of each dimension. */
  codes: Int8Array;
  scale: number;
}

export interface BlockMemory {
  write(slot: number, entry: VectorEntry): void;
  read(slot: number): VectorEntry;
  idAt(slot: number): string;
  scan: BlockScan;
}

/** From this number of vectors on, every vector has a sketch. A scan of fewer vectors never reads sketches. */
const SKETCHED_SIZE = 8_192;

/** @param stride dimensions of a slot: a multiple of 64 */
export function createBlockMemory(stride: number): BlockMemory {
  const kernel = createScanKernel();
  const sketcher = createSketcher(kernel, stride);
  const blocks: VectorBlock[] = [];
  /** Number of vectors when the sketches were last centred on the mean of the vectors. */
  let centredSize = 0;

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

  const quantizedAt = (slot: number): QuantizedVector => {
    const block = blockOf(slot);
    return { codes: codesOf(block, slot % BLOCK_SIZE), scale: scalesOf(block)[slot % BLOCK_SIZE] ?? 0 };
  };
  function* quantizedBelow(size: number): Iterable<QuantizedVector> {
    for (let slot = 0; slot < size; slot++) yield quantizedAt(slot);
  }
  const writeSketch = (slot: number) => {
    sketcher.write(quantizedAt(slot), blockOf(slot).sketches + (slot % BLOCK_SIZE) * sketcher.bytes);
  };

  /**
   * Rewrites all sketches whenever the number of vectors has doubled, because the mean of the vectors has then moved.
   * On average, this rewrites the sketch of each vector at most twice.
   */
  const centreAnew = (size: number) => {
    sketcher.centreOn(quantizedBelow(size));
    for (let slot = 0; slot < size; slot++) writeSketch(slot);
    centredSize = size;
  };

  return {
    write: (slot, { row, id, codes, scale, ...fields }) => {
      const block = blockOf(slot);
      const position = slot % BLOCK_SIZE;
      const target = codesOf(block, position);
      target.fill(0);
      target.set(codes);
      scalesOf(block)[position] = scale;
      writeUuid(id, block.ids, position * UUID_BYTES);
      writeFields(block, position, row, fields);
      if (slot + 1 >= Math.max(SKETCHED_SIZE, 2 * centredSize)) centreAnew(slot + 1);
      else if (centredSize > 0) writeSketch(slot);
    },
    read: slot => {
      const block = blockOf(slot);
      const position = slot % BLOCK_SIZE;
      return {
        row: block.rows[position] ?? 0,
        id: idAt(slot),
        codes: codesOf(block, position).slice(),
        scale: scalesOf(block)[position] ?? 0,
        ...readFields(block, position),
      };
    },
    idAt,
    scan: createBlockScan({ kernel, sketcher, stride, blocks }),
  };
}

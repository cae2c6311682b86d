/**
 * Stores vectors in numbered slots. The codes of all vectors are in one layout: the sparse layout if most codes are
 * zero, and otherwise the dense layout.
 */
import type { CodeLayout, LayoutParts } from './code-layout.js';
import { createDenseLayout } from './dense-layout.js';
import type { FilterNumbers } from './payload.js';
import type { QuantizedVector } from './quantize.js';
import { createSparseLayout } from './sparse-layout.js';
import { countNonZeros } from './sparse-values.js';
import { readUuid, UUID_BYTES, writeUuid } from './uuid-bytes.js';
import { BLOCK_SIZE, createBlock, readFields, type VectorBlock, writeFields } from './vector-block.js';

export interface VectorEntry extends FilterNumbers, QuantizedVector {
  /** Row in the table of vectors. */
  row: number;
  id: string;
}

export interface BlockMemory {
  write(slot: number, entry: VectorEntry): void;
  read(slot: number): VectorEntry;
  idAt(slot: number): string;
  scan: CodeLayout['scan'];
}

/**
 * Maximum share of codes other than zero in the sparse layout. With more of them, the sparse layout takes nearly as much
 * space as the dense one, and scans long questions more slowly. In hash embeddings this share is about a tenth for short
 * texts and a half for messages of 2,000 characters. In the vectors of a model it is nearly one.
 */
const SPARSE_SHARE_MAX = 0.25;

/** @param stride dimensions of a slot: a multiple of 64 */
export function createBlockMemory(stride: number): BlockMemory {
  const blocks: VectorBlock[] = [];
  const parts: LayoutParts = { stride, blocks };
  let layout = createSparseLayout(parts);
  let createLayout = createSparseLayout;
  /** Number of vectors at which the layout is chosen again. */
  let nextChoice = 0;
  let writtenVectors = 0;
  let writtenNonZeros = 0;

  const blockOf = (slot: number): VectorBlock => {
    const index = Math.floor(slot / BLOCK_SIZE);
    const block = blocks[index] ?? createBlock();
    blocks[index] = block;
    return block;
  };

  const idAt = (slot: number) => readUuid(blockOf(slot).ids, (slot % BLOCK_SIZE) * UUID_BYTES);

  /**
   * Chooses the layout each time the number of vectors has doubled, because the first vectors may differ from the
   * others. On average, each vector is moved at most twice.
   */
  const chooseLayout = (size: number) => {
    nextChoice = Math.max(1, 2 * size);
    const share = writtenNonZeros / (writtenVectors * stride);
    const preferred = share > SPARSE_SHARE_MAX ? createDenseLayout : createSparseLayout;
    if (preferred === createLayout) return;
    const next = preferred(parts);
    for (let slot = 0; slot < size; slot++) next.write(slot, layout.read(slot));
    layout = next;
    createLayout = preferred;
  };

  return {
    write: (slot, { row, id, dimensions, codes, scale, ...fields }) => {
      const block = blockOf(slot);
      const position = slot % BLOCK_SIZE;
      writeUuid(id, block.ids, position * UUID_BYTES);
      writeFields(block, position, row, fields);
      writtenVectors += 1;
      writtenNonZeros += dimensions ? dimensions.length : countNonZeros(codes);
      if (slot >= nextChoice) chooseLayout(slot);
      layout.write(slot, { dimensions, codes, scale });
    },
    read: slot => {
      const block = blockOf(slot);
      const position = slot % BLOCK_SIZE;
      return {
        row: block.rows[position] ?? 0,
        id: idAt(slot),
        ...layout.read(slot),
        ...readFields(block, position),
      };
    },
    idAt,
    scan: (request, nearest) => layout.scan(request, nearest),
  };
}

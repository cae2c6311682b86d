/** Arranges codes one vector after the other, in blocks of the memory of the WebAssembly kernel. */
import { createBlockScan, type DenseBlock } from './block-scan.js';
import type { CodeLayout, LayoutParts } from './code-layout.js';
import { denseCodes, type QuantizedVector } from './quantize.js';
import { createScanKernel, type ScanKernel } from './scan-kernel.js';
import { createSketcher } from './sketch.js';
import { BLOCK_SIZE } from './vector-block.js';

/** From this number of vectors on, every vector has a sketch. A scan of fewer vectors never reads sketches. */
const SKETCHED_SIZE = 8_192;

export function createDenseLayout({ stride, blocks }: LayoutParts): CodeLayout {
  const kernel = createScanKernel();
  const sketcher = createSketcher(kernel, stride);
  const dense: DenseBlock[] = [];
  /** Number of vectors when the sketches were last centred on the mean of the vectors. */
  let centredSize = 0;

  const blockOf = (slot: number): DenseBlock => {
    const index = Math.floor(slot / BLOCK_SIZE);
    const block = dense[index] ?? createDenseBlock(kernel, { stride, sketchBytes: sketcher.bytes });
    dense[index] = block;
    return block;
  };

  const codesOf = ({ codes }: DenseBlock, position: number) =>
    new Int8Array(kernel.buffer, codes + position * stride, stride);
  const scalesOf = ({ scales }: DenseBlock) => new Float32Array(kernel.buffer, scales, BLOCK_SIZE);

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
    write: (slot, vector) => {
      const block = blockOf(slot);
      codesOf(block, slot % BLOCK_SIZE).set(denseCodes(vector, stride));
      scalesOf(block)[slot % BLOCK_SIZE] = vector.scale;
      if (slot + 1 >= Math.max(SKETCHED_SIZE, 2 * centredSize)) centreAnew(slot + 1);
      else if (centredSize > 0) writeSketch(slot);
    },
    read: slot => {
      const { codes, scale } = quantizedAt(slot);
      return { codes: codes.slice(), scale };
    },
    scan: createBlockScan({ kernel, sketcher, stride, dense, blocks }),
  };
}

/** @throws RangeError when the memory of the kernel runs out */
function createDenseBlock({ reserve }: ScanKernel, slot: { stride: number; sketchBytes: number }): DenseBlock {
  const reserveEach = (bytes: number) => reserve(BLOCK_SIZE * bytes);
  return {
    codes: reserveEach(slot.stride),
    scales: reserveEach(Float32Array.BYTES_PER_ELEMENT),
    sketches: reserveEach(slot.sketchBytes),
    differences: reserveEach(Uint16Array.BYTES_PER_ELEMENT),
  };
}

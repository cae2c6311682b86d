/** Arranges codes so that a scan skips everything that is zero, in the query or in the vectors. */
import type { CodeLayout, LayoutParts } from './code-layout.js';
import { createKernelRegions } from './kernel-regions.js';
import { denseCodes } from './quantize.js';
import { createScanKernel } from './scan-kernel.js';
import { createSparseBlock, type SparseBlock } from './sparse-block.js';
import { LISTED_SIZE } from './sparse-lists.js';
import { createSparseScan } from './sparse-scan.js';

export function createSparseLayout({ stride, blocks }: LayoutParts): CodeLayout {
  const kernel = createScanKernel();
  const regions = createKernelRegions(kernel);
  const sparse: SparseBlock[] = [];
  /** The codes of the block that was read last. Reading a block one slot at a time would take too long. */
  let unpacked: { block: SparseBlock; codes: Int8Array } | undefined;

  const blockOf = (slot: number): SparseBlock => {
    const index = Math.floor(slot / LISTED_SIZE);
    const block = sparse[index] ?? createSparseBlock(kernel, regions, stride);
    sparse[index] = block;
    return block;
  };
  const scalesOf = ({ scales }: SparseBlock) => new Float32Array(kernel.buffer, scales, LISTED_SIZE);

  const scan = createSparseScan({ kernel, stride, blocks, sparse });

  return {
    write: (slot, vector) => {
      const block = blockOf(slot);
      const position = slot % LISTED_SIZE;
      block.write(position, vector);
      scalesOf(block)[position] = vector.scale;
      if (unpacked?.block === block) unpacked.codes.set(denseCodes(vector, stride), position * stride);
    },
    read: slot => {
      const block = blockOf(slot);
      const position = slot % LISTED_SIZE;
      if (unpacked?.block !== block) unpacked = { block, codes: block.unpack() };
      const codes = unpacked.codes.slice(position * stride, (position + 1) * stride);
      return { codes, scale: scalesOf(block)[position] ?? 0 };
    },
    scan: (request, nearest) => {
      // Releases the codes, which take several megabytes. Reads come in groups, without a scan in between.
      unpacked = undefined;
      scan(request, nearest);
    },
  };
}

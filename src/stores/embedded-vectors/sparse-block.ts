/**
 * Stores the codes of several thousand vectors as posting lists in the memory of the WebAssembly kernel. A scan reads
 * only the lists of the dimensions that its query uses. Recently written vectors are kept outside the lists, and are
 * merged into them many at a time.
 */
import type { KernelRegions } from './kernel-regions.js';
import type { QuantizedVector } from './quantize.js';
import type { ScanKernel } from './scan-kernel.js';
import { type CodeLists, LISTED_SIZE, unpackLists, withoutWritten, withWritten } from './sparse-lists.js';
import { PAIR_BYTES, type SparseQuery } from './sparse-query.js';
import { nonZerosOf, type SparseValues } from './sparse-values.js';

export interface SparseBlock {
  /** Address of one number for each position. A code of the vector times this number is the quantized value. */
  readonly scales: number;
  /** Replaces the codes at a position. */
  write(position: number, vector: QuantizedVector): void;
  /** Must be called before `add`. May replace the buffer of the kernel. */
  prepare(): void;
  /** Returns the codes of all positions, one vector after the other. */
  unpack(): Int8Array;
  /**
   * Adds to the sum of each vector its dot product with the pairs of the query from `from` up to, but not including,
   * `to`. The sums are at the address `sums`. A vector that was written since the last merge is compared with all pairs,
   * and its sum becomes the result.
   */
  add(query: SparseQuery, pairs: { from: number; to: number }, sums: number): void;
}

/**
 * Maximum number of written vectors with which a scan runs. More of them are merged into the lists first, which takes a
 * few milliseconds. Each vector that is not merged makes every scan a little slower.
 */
const WRITTEN_MAX = 512;
const POSITION_BYTES = Uint16Array.BYTES_PER_ELEMENT;
const ENTRY_BYTES = POSITION_BYTES + Int8Array.BYTES_PER_ELEMENT;
/** The space of a block is a multiple of this number of entries, so that another block can use returned space. */
const ENTRIES_STEP = 65_536;
/** Factor of spare space, because later vectors of a block may have more values than the first ones. */
const SPARE = 1.1;

/** @param stride number of dimensions */
export function createSparseBlock(kernel: ScanKernel, regions: KernelRegions, stride: number): SparseBlock {
  const startsAt = kernel.reserve((stride + 1) * Uint32Array.BYTES_PER_ELEMENT);
  const scales = kernel.reserve(LISTED_SIZE * Float32Array.BYTES_PER_ELEMENT);
  /** By position: 1 if the vector is in the lists. */
  const isListed = new Uint8Array(LISTED_SIZE);
  let listedCount = 0;
  /** Number of entries for which there is space. */
  let capacity = 0;
  let entriesAt = 0;
  let written = new Map<number, SparseValues<Int8Array>>();

  const codesAt = () => entriesAt + capacity * POSITION_BYTES;
  const startsView = () => new Uint32Array(kernel.buffer, startsAt, stride + 1);
  const listsOf = (starts: Uint32Array): CodeLists => ({
    starts,
    positions: new Uint16Array(kernel.buffer, entriesAt, starts[stride]),
    codes: new Int8Array(kernel.buffer, codesAt(), starts[stride]),
  });
  /**
   * Reserves space for a full block as soon as the usual number of entries is known, because the space of a block cannot
   * grow in place.
   */
  const reserveEntries = (count: number) => {
    if (count <= capacity) return;
    const expected = listedCount < WRITTEN_MAX ? 2 * count : (count / listedCount) * LISTED_SIZE * SPARE;
    const next = Math.ceil(expected / ENTRIES_STEP) * ENTRIES_STEP;
    const nextAt = regions.take(next * ENTRY_BYTES);
    regions.giveBack(entriesAt, capacity * ENTRY_BYTES);
    capacity = next;
    entriesAt = nextAt;
  };
  const merge = () => {
    const present = listsOf(startsView());
    const isAgain = [...written.keys()].some(position => isListed[position]);
    const merged = withWritten(isAgain ? withoutWritten(present, written) : present, written);
    for (const position of written.keys()) {
      listedCount += 1 - (isListed[position] as number);
      isListed[position] = 1;
    }
    reserveEntries(merged.codes.length);
    startsView().set(merged.starts);
    const { positions, codes } = listsOf(merged.starts);
    positions.set(merged.positions);
    codes.set(merged.codes);
    written = new Map();
  };

  return {
    scales,
    write: (position, { dimensions, codes }) => {
      written.set(position, dimensions ? { dimensions, values: codes } : nonZerosOf(codes, Int8Array));
      // A merge waits until as many vectors are written as the lists contain, so that many writes without a scan
      // between them cause only a few merges.
      if (written.size >= Math.max(WRITTEN_MAX, listedCount)) merge();
    },
    prepare: () => {
      if (written.size > WRITTEN_MAX) merge();
    },
    unpack: () => {
      if (written.size > 0) merge();
      return unpackLists(listsOf(startsView()));
    },
    add: ({ address, values }, { from, to }, sums) => {
      kernel.add(address + from * PAIR_BYTES, to - from, startsAt, entriesAt, codesAt(), sums);
      if (written.size === 0) return;
      const target = new Int32Array(kernel.buffer, sums, LISTED_SIZE);
      for (const [position, vector] of written) target[position] = dot(vector, values);
    },
  };
}

function dot({ dimensions, values }: SparseValues<Int8Array>, query: Int16Array): number {
  let sum = 0;
  for (let index = 0; index < dimensions.length; index++)
    sum += (values[index] as number) * (query[dimensions[index] as number] ?? 0);
  return sum;
}

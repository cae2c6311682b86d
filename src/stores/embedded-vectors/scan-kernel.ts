/** Runs the compiled loops of `scan.wat` on a separate `WebAssembly.Memory`. */
import { SCAN_CODE } from './scan-code.js';

const QUERY_MAX = 2_047;
const CODE_MAX = 127;
const INT32_MAX = 2 ** 31 - 1;

/**
 * Returns the largest integer that a quantized query may contain. With this limit, the dot product of a query and any
 * vector fits in an int32.
 */
export function queryMax(dimensions: number): number {
  return Math.min(QUERY_MAX, Math.floor(INT32_MAX / (CODE_MAX * dimensions)));
}

const PAGE_BYTES = 65_536;
/** Maximum number of pages that 32-bit addresses can reach. */
const PAGES_MAX = 65_536;
/** Bytes of a 128-bit SIMD vector. */
const ALIGNMENT = 16;

/** Declares only the parts used here, because TypeScript declares WebAssembly only in its library for browsers. */
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Memory: new (size: { initial: number; maximum: number }) => KernelMemory;
  Instance: new (module: object, imports: { scan: { memory: KernelMemory } }) => { exports: ScanLoops };
};

interface KernelMemory {
  /** A call of `grow` replaces this buffer. */
  readonly buffer: ArrayBuffer;
  /** @throws RangeError when memory runs out */
  grow(pages: number): void;
}

/** Number of dimensions in one part of a query. */
export const PART = 16;
/** Number of slots that `dots` handles at once. */
export const SLOTS_AT_ONCE = 4;

/**
 * All parameters except `parts`, `stride`, `count`, `bytes`, `size`, `most` and `least` are addresses in the memory.
 * `scan.wat` describes the data at these addresses.
 */
interface ScanLoops {
  dots(
    ...given: [
      query: number,
      offsets: number,
      parts: number,
      codes: number,
      stride: number,
      scales: number,
      slots: number,
      count: number,
      out: number,
    ]
  ): void;
  sketch(values: number, bytes: number, sketch: number): void;
  compare(
    ...given: [
      query: number,
      sketches: number,
      bytes: number,
      slots: number,
      count: number,
      differences: number,
      counts: number,
    ]
  ): void;
  select(differences: number, size: number, most: number, slots: number): number;
  add(...given: [query: number, count: number, starts: number, positions: number, codes: number, sums: number]): void;
  above(...given: [sums: number, scales: number, size: number, least: number, slots: number, scores: number]): number;
}

export interface ScanKernel extends ScanLoops {
  /** A call of `reserve` may detach this buffer and every view of it. */
  readonly buffer: ArrayBuffer;
  /**
   * @returns the address of `bytes` bytes that are reserved for the caller
   * @throws RangeError when memory runs out
   */
  reserve(bytes: number): number;
}

let compiled: object | undefined;

export function createScanKernel(): ScanKernel {
  compiled ??= new WebAssembly.Module(Buffer.from(SCAN_CODE, 'base64'));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES_MAX });
  const { exports } = new WebAssembly.Instance(compiled, { scan: { memory } });
  let end = 0;
  return {
    ...exports,
    get buffer() {
      return memory.buffer;
    },
    reserve: bytes => {
      const address = end;
      const next = Math.ceil((address + bytes) / ALIGNMENT) * ALIGNMENT;
      const present = memory.buffer.byteLength;
      // The memory grows by at least a quarter if there is room, because even a small growth takes long.
      const spare = Math.min(present / 4, PAGES_MAX * PAGE_BYTES - present);
      if (next > present) memory.grow(Math.ceil(Math.max(next - present, spare) / PAGE_BYTES));
      end = next;
      return address;
    },
  };
}

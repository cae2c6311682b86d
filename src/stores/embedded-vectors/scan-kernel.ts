/** Runs the compiled loops of `scan.wat` on records in a separate `WebAssembly.Memory`. */
import { SCAN_CODE } from './scan-code.js';

/** Maximum of a code, which has eight bits. */
export const CODE_MAX = 127;
const QUERY_MAX = 2_047;
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
/** Number of slots that are scanned at once. */
const SLOTS_AT_ONCE = 4_096;

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

/** All parameters except `dimensions`, `size` and `count` are addresses, as `scan.wat` describes. */
interface ScanLoops {
  dots(
    ...given: [
      query: number,
      dimensions: number,
      records: number,
      size: number,
      slots: number,
      count: number,
      scores: number,
    ]
  ): void;
  compare(
    ...given: [query: number, records: number, size: number, slots: number, count: number, differences: number]
  ): void;
}

/** Records of the same size in consecutive slots. */
export interface ScannedRecords {
  /**
   * Returns the bytes of a slot, which may be the next one. A later call may detach them.
   *
   * @throws RangeError when memory runs out
   */
  at(slot: number): Uint8Array<ArrayBuffer>;
  /** Returns the dot products of a query with the codes of slots, times the scales of the slots. */
  dots(query: Int16Array, slots: Int32Array): Float32Array;
  /** Returns the numbers of bits in which the records of slots differ from a query of the same size. */
  compare(query: Uint8Array, slots: Int32Array): Uint16Array;
}

let compiled: object | undefined;

/** @param size bytes of a record: a multiple of 8 */
export function createScannedRecords(size: number): ScannedRecords {
  compiled ??= new WebAssembly.Module(Buffer.from(SCAN_CODE, 'base64'));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES_MAX });
  const { exports: loops } = new WebAssembly.Instance(compiled, { scan: { memory } });
  // The memory begins with the slots of a scan, its results, and its query, which has up to two bytes for each byte of a
  // record.
  const slotsAt = 0;
  const resultsAt = slotsAt + SLOTS_AT_ONCE * Int32Array.BYTES_PER_ELEMENT;
  const queryAt = resultsAt + SLOTS_AT_ONCE * Float32Array.BYTES_PER_ELEMENT;
  const recordsAt = queryAt + 2 * size;

  const growTo = (bytes: number) => {
    const present = memory.buffer.byteLength;
    if (bytes <= present) return;
    // The memory grows by at least a quarter if there is room, because even a small growth takes long.
    const spare = Math.min(present / 4, PAGES_MAX * PAGE_BYTES - present);
    memory.grow(Math.ceil(Math.max(bytes - present, spare) / PAGE_BYTES));
  };
  growTo(recordsAt);

  /** Calls `scan` for some of the slots after the other. */
  const inParts = <Results extends Float32Array | Uint16Array>(
    slots: Int32Array,
    results: Results,
    scan: (count: number) => Results,
  ): Results => {
    for (let start = 0; start < slots.length; start += SLOTS_AT_ONCE) {
      const part = slots.subarray(start, start + SLOTS_AT_ONCE);
      new Int32Array(memory.buffer, slotsAt, part.length).set(part);
      results.set(scan(part.length), start);
    }
    return results;
  };

  return {
    at: slot => {
      const start = recordsAt + slot * size;
      growTo(start + size);
      return new Uint8Array(memory.buffer, start, size);
    },
    dots: (query, slots) => {
      new Int16Array(memory.buffer, queryAt, query.length).set(query);
      return inParts(slots, new Float32Array(slots.length), count => {
        loops.dots(queryAt, query.length, recordsAt, size, slotsAt, count, resultsAt);
        return new Float32Array(memory.buffer, resultsAt, count);
      });
    },
    compare: (query, slots) => {
      new Uint8Array(memory.buffer, queryAt, size).set(query);
      return inParts(slots, new Uint16Array(slots.length), count => {
        loops.compare(queryAt, recordsAt, size, slotsAt, count, resultsAt);
        return new Uint16Array(memory.buffer, resultsAt, count);
      });
    },
  };
}

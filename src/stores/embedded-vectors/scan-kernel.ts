/** The compiled loop of `scan.wat` over a memory of its own. */
import { SCAN_CODE } from './scan-code.js';

const QUERY_MAX = 2_047;
const CODE_MAX = 127;
const INT32_MAX = 2 ** 31 - 1;

/** Largest value of a query in integers: a sum over all dimensions stays an int32 whatever a vector holds. */
export function queryMax(dimensions: number): number {
  return Math.min(QUERY_MAX, Math.floor(INT32_MAX / (CODE_MAX * dimensions)));
}

export const PAGE_BYTES = 65_536;
/** What 32-bit addresses reach. */
export const PAGES_MAX = 65_536;

/** As much of it as is used: the compiler knows it of browsers only. */
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Memory: new (size: { initial: number; maximum: number }) => KernelMemory;
  Instance: new (module: object, imports: { scan: { memory: KernelMemory } }) => { exports: Pick<ScanKernel, 'dots'> };
};

interface KernelMemory {
  /** Another one after `grow`. */
  readonly buffer: ArrayBuffer;
  /** @throws RangeError when there is not so much */
  grow(pages: number): void;
}

export interface ScanKernel {
  memory: KernelMemory;
  /** All but `stride` and `count` are addresses in the memory; `scan.wat` says what stands there. */
  dots(
    ...given: [query: number, codes: number, stride: number, scales: number, slots: number, count: number, out: number]
  ): void;
}

let compiled: object | undefined;

export function createScanKernel(): ScanKernel {
  compiled ??= new WebAssembly.Module(Buffer.from(SCAN_CODE, 'base64'));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES_MAX });
  const { exports } = new WebAssembly.Instance(compiled, { scan: { memory } });
  return { memory, dots: exports.dots };
}

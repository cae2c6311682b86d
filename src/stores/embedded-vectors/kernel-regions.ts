/** Allocates regions of the kernel's memory. A returned region is allocated again for a request of the same size. */
import type { ScanKernel } from './scan-kernel.js';

export interface KernelRegions {
  /**
   * @returns the address of `bytes` bytes, whose values are undefined
   * @throws RangeError when memory runs out
   */
  take(bytes: number): number;
  giveBack(address: number, bytes: number): void;
}

export function createKernelRegions({ reserve }: Pick<ScanKernel, 'reserve'>): KernelRegions {
  const returned = new Map<number, number[]>();
  return {
    take: bytes => returned.get(bytes)?.pop() ?? reserve(bytes),
    giveBack: (address, bytes) => {
      if (bytes === 0) return;
      const addresses = returned.get(bytes) ?? [];
      addresses.push(address);
      returned.set(bytes, addresses);
    },
  };
}

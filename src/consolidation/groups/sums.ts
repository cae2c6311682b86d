/** Sums by number, which are cleared and filled again for each memory or group without an object for each. */

export interface Sums {
  add(number: number, value: number): void;
  /** 0 for one to which nothing was added. */
  of(number: number): number;
  /** To which something was added, in the order of the first time. */
  keys(): Int32Array;
  clear(): void;
}

/** @param size the numbers are smaller than this */
export function createSums(size: number): Sums {
  const sums = new Float64Array(size);
  const isAdded = new Uint8Array(size);
  const added = new Int32Array(size);
  let count = 0;
  return {
    add: (number, value) => {
      if (isAdded[number] === 0) {
        isAdded[number] = 1;
        added[count] = number;
        count += 1;
      }
      sums[number] = (sums[number] as number) + value;
    },
    of: number => sums[number] as number,
    keys: () => added.subarray(0, count),
    clear: () => {
      for (let place = 0; place < count; place++) {
        const number = added[place] as number;
        sums[number] = 0;
        isAdded[number] = 0;
      }
      count = 0;
    },
  };
}

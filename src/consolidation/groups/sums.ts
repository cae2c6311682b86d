/**
 * Adds up the values of each key. The keys are whole numbers. The sums can be cleared and used again for the next
 * memory or group, so that no new objects are created.
 */

export interface Sums {
  add(number: number, value: number): void;
  /** Returns the sum for a key, or 0 if nothing was added to it. */
  of(number: number): number;
  /** Returns the keys to which a value was added, in order of first use. */
  keys(): Int32Array;
  clear(): void;
}

/** @param size upper bound of the keys (exclusive) */
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

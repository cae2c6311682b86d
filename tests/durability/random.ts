/** Random values that can be reproduced from their seed. */

export interface Random {
  /** A number from 0 up to but not including 1. */
  next(): number;
  /** A whole number between both bounds, inclusive. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item | undefined;
  uuid(): string;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const hex = (length: number) => Array.from({ length }, () => between(0, 15).toString(16)).join('');
  return {
    next,
    between,
    pick: items => items[between(0, items.length - 1)],
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}

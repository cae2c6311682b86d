/**
 * An inverted index of the codes of several thousand vectors. Each dimension has a posting list. An entry of a list is
 * the position of a vector and its code.
 */
import type { SparseValues } from './sparse-values.js';

/**
 * Number of vectors in the same lists. Longer lists are scanned faster, because the processor reads ahead, and shorter
 * ones are merged faster. Must be a multiple of BLOCK_SIZE, and at most 65,536, because a position is a uint16.
 */
export const LISTED_SIZE = 8_192;

export interface CodeLists {
  /** The index of the first entry of each dimension, then the number of entries. */
  starts: Uint32Array;
  positions: Uint16Array;
  codes: Int8Array;
}

/** Vectors by their position in the block. */
export type WrittenVectors = ReadonlyMap<number, SparseValues<Int8Array>>;

/** Returns the codes of all positions, one vector after the other. */
export function unpackLists({ starts, positions, codes }: CodeLists): Int8Array {
  const stride = starts.length - 1;
  const all = new Int8Array(LISTED_SIZE * stride);
  for (let dimension = 0; dimension < stride; dimension++) {
    for (let at = starts[dimension] as number; at < (starts[dimension + 1] as number); at++)
      all[(positions[at] as number) * stride + dimension] = codes[at] as number;
  }
  return all;
}

/** Returns the lists without the entries of vectors that were written again. */
export function withoutWritten({ starts, positions, codes }: CodeLists, written: WrittenVectors): CodeLists {
  const isReplaced = new Uint8Array(LISTED_SIZE);
  for (const position of written.keys()) isReplaced[position] = 1;
  const kept = { starts: new Uint32Array(starts.length), positions: positions.slice(), codes: codes.slice() };
  let length = 0;
  for (let dimension = 0; dimension + 1 < starts.length; dimension++) {
    for (let at = starts[dimension] as number; at < (starts[dimension + 1] as number); at++) {
      const position = positions[at] as number;
      if (isReplaced[position]) continue;
      kept.positions[length] = position;
      kept.codes[length++] = codes[at] as number;
    }
    kept.starts[dimension + 1] = length;
  }
  return kept;
}

/** Returns the lists with the entries of further vectors. */
export function withWritten(lists: CodeLists, written: WrittenVectors): CodeLists {
  const starts = startsAfter(lists.starts, written);
  const length = starts[starts.length - 1] as number;
  const longer = { starts, positions: new Uint16Array(length), codes: new Int8Array(length) };
  /** For each dimension, the index at which its next entry is written. */
  const ends = starts.slice();
  for (let dimension = 0; dimension + 1 < starts.length; dimension++) {
    let target = ends[dimension] as number;
    for (let at = lists.starts[dimension] as number; at < (lists.starts[dimension + 1] as number); at++) {
      longer.positions[target] = lists.positions[at] as number;
      longer.codes[target++] = lists.codes[at] as number;
    }
    ends[dimension] = target;
  }
  for (const [position, { dimensions, values }] of written) {
    for (let index = 0; index < dimensions.length; index++) {
      const dimension = dimensions[index] as number;
      const at = ends[dimension] as number;
      ends[dimension] = at + 1;
      longer.positions[at] = position;
      longer.codes[at] = values[index] as number;
    }
  }
  return longer;
}

/** Returns where each list starts once the written vectors are in the lists. */
function startsAfter(starts: Uint32Array, written: WrittenVectors): Uint32Array {
  const added = new Uint32Array(starts.length);
  for (const { dimensions } of written.values()) for (const dimension of dimensions) (added[dimension] as number) += 1;
  const after = new Uint32Array(starts.length);
  for (let dimension = 0; dimension + 1 < starts.length; dimension++) {
    const present = (starts[dimension + 1] as number) - (starts[dimension] as number);
    after[dimension + 1] = (after[dimension] as number) + present + (added[dimension] as number);
  }
  return after;
}

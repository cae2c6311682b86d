/**
 * Keeps the codes of vectors that are mostly zero, such as hash embeddings, as an inverted index. A scan reads only the
 * posting lists of the dimensions that its query uses.
 */

import { quantizeQuery } from './stored-vector.js';
import type { Codes } from './vector-index.js';

/**
 * The vectors whose code in a dimension is not zero. A posting has the position of the vector in the block above its
 * lowest eight bits, and the code in these. The postings are in ascending order.
 */
interface PostingList {
  length: number;
  postings: Int32Array;
}

const CODE_BITS = 8;
/** Shifts a posting to the left and back again, which leaves the code with its sign. */
const CODE_SHIFT = 32 - CODE_BITS;

/**
 * Number of vectors in the same lists. A scan reads longer lists faster, but removing a vector from them takes longer, and
 * the sums of so many vectors should fit in a fast cache of the processor.
 */
const BLOCK_SIZE = 16_384;
/** A list grows to this multiple of its length. A smaller factor copies more often, and a greater one wastes memory. */
const GROWTH_FACTOR = 1.25;

interface Block {
  scales: Float32Array;
  /** By dimension. */
  lists: (PostingList | undefined)[];
}

export function createSparseCodes(): Codes {
  const blocks: Block[] = [];
  const sums = new Int32Array(BLOCK_SIZE);
  const blockOf = (slot: number): Block => {
    const index = Math.floor(slot / BLOCK_SIZE);
    blocks[index] ??= { scales: new Float32Array(BLOCK_SIZE), lists: [] };
    return blocks[index];
  };

  return {
    write: (slot, { dimensions = new Uint16Array(), codes, scale }) => {
      const { scales, lists } = blockOf(slot);
      const position = slot % BLOCK_SIZE;
      scales[position] = scale;
      for (let index = 0; index < dimensions.length; index++) {
        const dimension = dimensions[index] as number;
        lists[dimension] ??= { length: 0, postings: new Int32Array(4) };
        if (codes[index] !== 0) insert(lists[dimension], position, codes[index] as number);
      }
    },
    take: slot => {
      const { scales, lists } = blockOf(slot);
      const position = slot % BLOCK_SIZE;
      const found: [dimension: number, code: number][] = [];
      for (const [dimension, list] of lists.entries()) {
        const code = list ? takeFrom(list, position) : 0;
        if (code !== 0) found.push([dimension, code]);
      }
      return {
        dimensions: Uint16Array.from(found, ([dimension]) => dimension),
        codes: Int8Array.from(found, ([, code]) => code),
        scale: scales[position] as number,
      };
    },
    scan: ({ query, slots }, nearest) => {
      const { values, scale } = quantizeQuery(query);
      let least = nearest.leastScore;
      let index = 0;
      for (const [number, block] of blocks.entries()) {
        const first = number * BLOCK_SIZE;
        if ((slots[index] ?? Number.POSITIVE_INFINITY) >= first + BLOCK_SIZE) continue;
        sumUp(block, values, sums);
        for (; index < slots.length && (slots[index] as number) < first + BLOCK_SIZE; index++) {
          const position = (slots[index] as number) - first;
          const score = (sums[position] as number) * (block.scales[position] as number) * scale;
          if (score > least) least = nearest.add(first + position, score);
        }
      }
    },
  };
}

/** Writes the dot products of the query with all vectors of a block to `sums`. */
function sumUp({ lists }: Block, query: Int16Array, sums: Int32Array): void {
  sums.fill(0);
  for (let dimension = 0; dimension < query.length; dimension++) {
    const value = query[dimension] as number;
    const list = value === 0 ? undefined : lists[dimension];
    if (list) addProducts(list, value, sums);
  }
}

/**
 * Adds the products of a value with all codes of a list. A search spends most of its time here, so the loop is unrolled.
 * `npm run bench` measures recalls with such vectors.
 */
function addProducts({ length, postings }: PostingList, value: number, sums: Int32Array): void {
  const end = length - (length % 4);
  let at = 0;
  for (; at < end; at += 4) {
    addProduct(postings[at] as number, value, sums);
    addProduct(postings[at + 1] as number, value, sums);
    addProduct(postings[at + 2] as number, value, sums);
    addProduct(postings[at + 3] as number, value, sums);
  }
  for (; at < length; at++) addProduct(postings[at] as number, value, sums);
}

function addProduct(posting: number, value: number, sums: Int32Array): void {
  // The product of two whole numbers as a whole number, which is faster.
  (sums[posting >> CODE_BITS] as number) += Math.imul((posting << CODE_SHIFT) >> CODE_SHIFT, value);
}

/** Returns the index of the first posting whose position is not lower. */
function placeOf({ length, postings }: PostingList, position: number): number {
  const least = position << CODE_BITS;
  let low = 0;
  let high = length;
  // Most new vectors follow all others.
  if (high > 0 && (postings[high - 1] as number) < least) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((postings[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(list: PostingList, position: number, code: number): void {
  const place = placeOf(list, position);
  if (list.length === list.postings.length) {
    const { postings } = list;
    list.postings = new Int32Array(Math.ceil(list.length * GROWTH_FACTOR));
    list.postings.set(postings);
  }
  list.postings.copyWithin(place + 1, place, list.length);
  list.postings[place] = (position << CODE_BITS) | (code & 0xff);
  list.length += 1;
}

/** Removes the posting of a vector, and returns its code; 0 if there is none. */
function takeFrom(list: PostingList, position: number): number {
  const place = placeOf(list, position);
  const posting = list.postings[place] as number;
  if (place === list.length || posting >> CODE_BITS !== position) return 0;
  list.postings.copyWithin(place, place + 1, list.length);
  list.length -= 1;
  return (posting << CODE_SHIFT) >> CODE_SHIFT;
}

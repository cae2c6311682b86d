/** How the codes of vectors are arranged in memory, and how they are scanned. */
import type { Nearest } from './nearest.js';
import type { NumericFilter } from './payload.js';
import type { QuantizedVector } from './quantize.js';
import type { VectorBlock } from './vector-block.js';

export interface ScanRequest {
  /** Slots below this number are scanned. */
  size: number;
  /** A vector of unit length, with at most `stride` dimensions. */
  query: Float32Array;
  filter: NumericFilter;
  /** Whether to score fewer vectors. The search is then faster but may miss a few of the nearest. */
  isRough: boolean;
}

export interface CodeLayout {
  /** Writes the codes of a slot in place of its former codes. Slots are used in ascending order. */
  write(slot: number, vector: QuantizedVector): void;
  read(slot: number): QuantizedVector;
  /**
   * Adds to `nearest` the rows that are nearest to the query, with their cosine similarity. Only slots that pass the
   * filter count.
   */
  scan(request: ScanRequest, nearest: Nearest): void;
}

export interface LayoutParts {
  /** Number of dimensions of a slot: a multiple of 64. */
  stride: number;
  /** Ids and filter fields of the slots. May contain more blocks than a scan needs. */
  blocks: readonly VectorBlock[];
}

/** Scored slots of a block. */
export interface Scored {
  slots: Int32Array;
  /** Dot products of the query's values with the vectors of the slots, in the order of `slots`. */
  scores: Float32Array;
  count: number;
  /** A score times this number is the cosine similarity. */
  scale: number;
}

/**
 * Adds to `nearest` the rows of a block whose scores are high enough.
 *
 * @param passes called for each slot with such a score; tells whether the slot passes the filter
 */
export function addNearest(
  { slots, scores, count, scale }: Scored,
  { rows }: VectorBlock,
  nearest: Nearest,
  passes: (slot: number) => boolean = () => true,
): void {
  let least = nearest.leastScore;
  for (let position = 0; position < count; position++) {
    const score = (scores[position] as number) * scale;
    const slot = slots[position] as number;
    if (score <= least || !passes(slot)) continue;
    nearest.add(rows[slot] as number, score);
    least = nearest.leastScore;
  }
}

/**
 * Keeps all vectors in memory and finds the nearest. Vectors with the same layout are together: those of one model that
 * are stored without their zeros, or those of one model with about the same length.
 */
import { createDenseCodes, STRIDE_STEP } from './dense-codes.js';
import { createSparseCodes } from './sparse-codes.js';
import type { QuantizedVector } from './stored-vector.js';
import { createFilterFields, type FilterNumbers, type NumericFilter } from './vector-filter.js';

export interface IndexSearch {
  /** The query, a vector of unit length. */
  vector: Float32Array;
  models: readonly string[];
  filter: NumericFilter;
  limit: number;
  /** Whether to score fewer vectors. The search is then faster but may miss a few of the nearest. */
  isRough?: boolean;
  /** Vectors whose cosine with the query is lower may be left out. */
  leastSimilarity?: number;
}

export interface VectorEntry extends FilterNumbers, QuantizedVector {
  /** Row in the table of vectors. */
  row: number;
  id: string;
  model: string;
}

export interface VectorIndex {
  readonly size: number;
  /** Adds a vector, or replaces the vector with the same row. */
  put(entry: VectorEntry): void;
  remove(row: number): void;
  /** Returns the nearest vectors, nearest first. A score is the cosine of the quantized vector with the query. */
  search(search: IndexSearch): Scored[];
}

export interface Scored {
  row: number;
  id: string;
  score: number;
}

/** The codes of vectors in consecutive slots. */
export interface Codes {
  /** Writes the codes of a slot that is free, or the next one. */
  write(slot: number, vector: QuantizedVector): void;
  /** Frees a slot, and returns its codes. */
  take(slot: number): QuantizedVector;
  /** Adds to `nearest` the slots that pass the filter and are nearest to the query, with their cosine similarity. */
  scan(request: ScanRequest, nearest: Nearest): void;
}

export interface ScanRequest extends Pick<IndexSearch, 'limit'> {
  /** A vector of unit length. */
  query: Float32Array;
  /** The slots that pass the filter, in ascending order. */
  slots: Int32Array;
  isRough: boolean;
}

/** Receives the scores of slots, and keeps the highest. */
export interface Nearest {
  /** Only a score above this value may be added. */
  readonly leastScore: number;
  /** Returns the new `leastScore`. */
  add(slot: number, score: number): number;
}

/**
 * Difference between the cosine of a quantized vector and that of the exact vector, with a wide margin: for hash
 * embeddings and for vectors of models it stays below 0.005.
 */
const QUANTIZATION_ERROR = 0.02;

export function createVectorIndex(): VectorIndex {
  const groups = new Map<string, VectorGroup>();

  const groupOf = ({ model, dimensions, codes }: VectorEntry): VectorGroup => {
    const stride = dimensions ? 0 : Math.ceil(codes.length / STRIDE_STEP) * STRIDE_STEP;
    const key = `${stride} ${model}`;
    const group = groups.get(key) ?? createGroup(model, dimensions ? createSparseCodes() : createDenseCodes(stride));
    groups.set(key, group);
    return group;
  };

  return {
    get size() {
      return [...groups.values()].reduce((sum, { size }) => sum + size, 0);
    },
    put: entry => {
      const target = groupOf(entry);
      for (const group of groups.values()) if (group !== target) group.remove(entry.row);
      target.put(entry);
    },
    remove: row => {
      for (const group of groups.values()) group.remove(row);
    },
    search: search => {
      const best = createBest(search.limit, (search.leastSimilarity ?? Number.NEGATIVE_INFINITY) - QUANTIZATION_ERROR);
      for (const group of groups.values()) if (search.models.includes(group.model)) group.search(search, best);
      return best.sorted();
    },
  };
}

interface VectorGroup {
  readonly model: string;
  readonly size: number;
  put(entry: VectorEntry): void;
  remove(row: number): void;
  search(search: IndexSearch, best: Best): void;
}

function createGroup(model: string, codes: Codes): VectorGroup {
  const fields = createFilterFields();
  const slotByRow = new Map<number, number>();
  /** By slot. */
  const rows: number[] = [];
  const ids: string[] = [];
  return {
    model,
    get size() {
      return rows.length;
    },
    put: entry => {
      const present = slotByRow.get(entry.row);
      if (present !== undefined) codes.take(present);
      const slot = present ?? rows.length;
      codes.write(slot, entry);
      fields.set(slot, entry);
      slotByRow.set(entry.row, slot);
      rows[slot] = entry.row;
      ids[slot] = entry.id;
    },
    remove: row => {
      const slot = slotByRow.get(row);
      if (slot === undefined) return;
      // The last vector moves into the gap.
      codes.take(slot);
      fields.moveLastTo(slot);
      slotByRow.delete(row);
      const lastRow = rows.pop() as number;
      const lastId = ids.pop() as string;
      if (lastRow === row) return;
      codes.write(slot, codes.take(rows.length));
      slotByRow.set(lastRow, slot);
      rows[slot] = lastRow;
      ids[slot] = lastId;
    },
    search: ({ vector: query, filter, limit, isRough = false }, best) => {
      const nearest: Nearest = {
        leastScore: best.leastScore,
        add: (slot, score) => best.add({ row: rows[slot] as number, id: ids[slot] as string, score }),
      };
      codes.scan({ query, slots: fields.select(filter), limit, isRough }, nearest);
    },
  };
}

interface Best {
  readonly leastScore: number;
  /** Returns the new `leastScore`. */
  add(scored: Scored): number;
  sorted(): Scored[];
}

/** Keeps the highest scores above `least`. Sorts them only when twice as many as needed have come together. */
function createBest(limit: number, least: number): Best {
  let found: Scored[] = [];
  let leastScore = least;
  const sorted = () => {
    found.sort((a, b) => b.score - a.score || a.row - b.row);
    found = found.slice(0, limit);
    return found;
  };
  return {
    get leastScore() {
      return leastScore;
    },
    add: scored => {
      if (found.push(scored) >= 2 * limit) leastScore = sorted().at(-1)?.score ?? least;
      return leastScore;
    },
    sorted,
  };
}

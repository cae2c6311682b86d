/** Keeps all vectors in memory, separately for each embedding model. */
import type { VectorEntry } from './block-memory.js';
import { createModelVectors, type ModelVectors } from './model-vectors.js';
import { createNearest } from './nearest.js';
import type { NumericFilter } from './payload.js';

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

/**
 * Difference between the cosine of a quantized vector and that of the exact vector, with a wide margin: for hash
 * embeddings and for vectors of models it stays below 0.005.
 */
const QUANTIZATION_ERROR = 0.02;

export interface VectorIndex {
  readonly size: number;
  put(model: string, entry: VectorEntry): void;
  remove(row: number): void;
  /** Returns the nearest vectors, nearest first. A score is the cosine of the quantized vector with the query. */
  search(search: IndexSearch): { row: number; id: string; score: number }[];
}

function idOf(row: number, searched: readonly ModelVectors[]): string {
  for (const vectors of searched) {
    const id = vectors.idOf(row);
    if (id !== undefined) return id;
  }
  throw new Error(`the index has no row ${row}`);
}

/** Number of dimensions up to the last code. */
function lengthOf({ dimensions, codes }: VectorEntry): number {
  return dimensions ? (dimensions.at(-1) ?? 0) + 1 : codes.length;
}

/**
 * Number of dimensions that the scan handles in one step. The dimensions of a vector are rounded up to a multiple of
 * this number.
 */
const STRIDE_STEP = 64;

export function createVectorIndex(): VectorIndex {
  const byModel = new Map<string, ModelVectors>();

  /** Returns the vectors of a model, after widening their slots to the given number of dimensions if necessary. */
  const roomFor = (model: string, dimensions: number): ModelVectors => {
    const present = byModel.get(model);
    if (present && present.stride >= dimensions) return present;
    const wider = createModelVectors(Math.ceil(dimensions / STRIDE_STEP) * STRIDE_STEP);
    for (const entry of present?.entries() ?? []) wider.put(entry);
    byModel.set(model, wider);
    return wider;
  };

  return {
    get size() {
      return [...byModel.values()].reduce((sum, { size }) => sum + size, 0);
    },
    put: (model, entry) => {
      for (const [other, vectors] of byModel) if (other !== model) vectors.remove(entry.row);
      roomFor(model, lengthOf(entry)).put(entry);
    },
    remove: row => {
      for (const vectors of byModel.values()) vectors.remove(row);
    },
    search: ({ vector, models, filter, limit, isRough = false, leastSimilarity = Number.NEGATIVE_INFINITY }) => {
      const nearest = createNearest(limit, leastSimilarity - QUANTIZATION_ERROR);
      const searched = [...new Set(models)].flatMap(model => byModel.get(model) ?? []);
      for (const vectors of searched) vectors.scan({ query: vector, filter, isRough }, nearest);
      return nearest.sorted().map(({ row, score }) => ({ row, score, id: idOf(row, searched) }));
    },
  };
}

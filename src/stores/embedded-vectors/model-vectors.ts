/** Keeps the vectors of one embedding model in memory, in consecutive slots, and finds them by row. */
import { createBlockMemory, type VectorEntry } from './block-memory.js';
import type { ScanRequest } from './code-layout.js';
import type { Nearest } from './nearest.js';
import { createRowSlots } from './row-slots.js';

export interface ModelVectors {
  readonly size: number;
  /** Maximum number of dimensions of a vector. */
  readonly stride: number;
  /** Adds a vector, or replaces the vector with the same row. */
  put(entry: VectorEntry): void;
  remove(row: number): void;
  /** Returns the id in a row; undefined if the row belongs to another model. */
  idOf(row: number): string | undefined;
  /** Adds the nearest vectors that pass the filter to `nearest`, scored by their cosine with the unit-length query. */
  scan(request: Omit<ScanRequest, 'size'>, nearest: Nearest): void;
  entries(): Iterable<VectorEntry>;
}

/** @param stride a multiple of 64 */
export function createModelVectors(stride: number): ModelVectors {
  const memory = createBlockMemory(stride);
  const slotByRow = createRowSlots();
  return {
    get size() {
      return slotByRow.size;
    },
    stride,
    put: entry => {
      const slot = slotByRow.get(entry.row) ?? slotByRow.size;
      memory.write(slot, entry);
      slotByRow.set(entry.row, slot);
    },
    remove: row => {
      const slot = slotByRow.get(row);
      if (slot === undefined) return;
      slotByRow.delete(row);
      // The last vector moves into the gap.
      const last = slotByRow.size;
      if (slot === last) return;
      const moved = memory.read(last);
      memory.write(slot, moved);
      slotByRow.set(moved.row, slot);
    },
    idOf: row => {
      const slot = slotByRow.get(row);
      return slot === undefined ? undefined : memory.idAt(slot);
    },
    scan: (request, nearest) => {
      memory.scan({ ...request, size: slotByRow.size, query: request.query.subarray(0, stride) }, nearest);
    },
    *entries() {
      for (let slot = 0; slot < slotByRow.size; slot++) yield memory.read(slot);
    },
  };
}

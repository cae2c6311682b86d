/** The addresses of a block of vectors in the kernel's memory, and the filter fields of its vectors. */
import { mapFields, NUMBER_FIELDS, type NumberField } from '../../domain/filter-fields.js';
import { type FilterNumbers, meetsSet, type NumericFilter, type Range } from './payload.js';
import type { ScanKernel } from './scan-kernel.js';
import { createTokenPool, type TokenPool } from './token-pool.js';
import { UUID_BYTES } from './uuid-bytes.js';

/** Number of vectors in a block; one call of the kernel handles one block. */
export const BLOCK_SIZE = 1_024;

export interface VectorBlock {
  /** Addresses in the kernel's memory. */
  codes: number;
  scales: number;
  sketches: number;
  /**
   * Address of one number for each slot. The number counts the bits in which the sketch of the slot differs from the
   * sketch of the last query.
   */
  differences: number;
  /** For each slot: the row of its vector in the table `vectors`. */
  rows: Float64Array;
  /** Ids in the form that `uuid-bytes.ts` writes. */
  ids: Uint8Array;
  numbers: Readonly<Record<NumberField, NumberColumn>>;
  tokens: TokenPool;
}

/** A column with one number for each slot. */
interface NumberColumn {
  values: Float64Array;
  /** Bounds of all values ever written to this column. If both bounds meet a condition, no slot needs a check. */
  least: number;
  most: number;
}

/** Sizes of a slot. */
export interface SlotSizes {
  /** Number of dimensions. */
  stride: number;
  sketchBytes: number;
}

/** @throws RangeError when the memory of the kernel runs out */
export function createBlock({ reserve }: ScanKernel, { stride, sketchBytes }: SlotSizes): VectorBlock {
  const reserveEach = (bytes: number) => reserve(BLOCK_SIZE * bytes);
  return {
    codes: reserveEach(stride),
    scales: reserveEach(Float32Array.BYTES_PER_ELEMENT),
    sketches: reserveEach(sketchBytes),
    differences: reserveEach(Uint16Array.BYTES_PER_ELEMENT),
    rows: new Float64Array(BLOCK_SIZE),
    ids: new Uint8Array(BLOCK_SIZE * UUID_BYTES),
    numbers: {
      createdMs: createColumn(),
      validFromMs: createColumn(),
      validUntilMs: createColumn(),
    },
    tokens: createTokenPool(BLOCK_SIZE),
  };
}

function createColumn(): NumberColumn {
  return { values: new Float64Array(BLOCK_SIZE), least: Infinity, most: -Infinity };
}

export function writeFields(block: VectorBlock, slot: number, row: number, { numbers, tokens }: FilterNumbers): void {
  block.rows[slot] = row;
  block.tokens.set(slot, tokens);
  for (const field of NUMBER_FIELDS) {
    const column = block.numbers[field];
    const value = numbers[field];
    column.values[slot] = value;
    column.least = Math.min(column.least, value);
    column.most = Math.max(column.most, value);
  }
}

export function readFields({ numbers, tokens }: VectorBlock, slot: number): FilterNumbers {
  return { numbers: mapFields(numbers, ({ values }) => values[slot] ?? 0), tokens: tokens.get(slot) };
}

const ALL_SLOTS = Int32Array.from({ length: BLOCK_SIZE }, (_, slot) => slot);
const range: Range = { values: new Float64Array(0), start: 0, end: 0 };

/**
 * Selects those of the first `size` slots of a block that pass the filter, and writes them to the beginning of `slots`.
 *
 * @returns the number of selected slots
 */
export function selectSlots(block: VectorBlock, size: number, filter: NumericFilter, slots: Int32Array): number {
  const { tokens } = block;
  const { sets } = filter;
  const checks: Pick<NumberColumn, 'values' | 'least' | 'most'>[] = [];
  for (const { field, least, most } of filter.numbers) {
    const column = block.numbers[field];
    if (column.most < least || column.least > most) return 0;
    if (column.least < least || column.most > most) checks.push({ values: column.values, least, most });
  }
  if (sets.length === 0 && checks.length === 0) {
    slots.set(ALL_SLOTS);
    return size;
  }
  const passesChecks = (slot: number) => {
    for (const { values, least, most } of checks) {
      const value = values[slot] as number;
      if (value < least || value > most) return false;
    }
    return true;
  };
  const passesSets = (slot: number) => {
    tokens.read(slot, range);
    for (const condition of sets) if (!meetsSet(range, condition)) return false;
    return true;
  };
  let count = 0;
  for (let slot = 0; slot < size; slot++) {
    if (!mayPass(tokens.marks[slot] as number, sets) || !passesChecks(slot) || !passesSets(slot)) continue;
    slots[count++] = slot;
  }
  return count;
}

/** Returns false for most memories that lack the wanted values, without reading their tokens. */
function mayPass(marks: number, sets: NumericFilter['sets']): boolean {
  for (const { needs, marks: wanted } of sets) {
    const common = marks & wanted;
    if (needs === 'all' && common !== wanted) return false;
    if (needs === 'any' && common === 0) return false;
  }
  return true;
}

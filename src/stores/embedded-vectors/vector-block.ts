/** The ids and filter fields of the vectors in a block. */
import { mapFields, NUMBER_FIELDS, type NumberField } from '../../domain/filter.js';
import { type FilterNumbers, meetsSet, type NumericFilter, type Range } from './payload.js';
import { createTokenPool, type TokenPool } from './token-pool.js';
import { UUID_BYTES } from './uuid-bytes.js';

/** Number of vectors in a block. A scan handles one block after the other. */
export const BLOCK_SIZE = 1_024;

export interface VectorBlock {
  /** For each slot: the row of its vector in the table `vectors`. */
  rows: Float64Array;
  /** Ids in the form that `uuid-bytes.ts` writes. */
  ids: Uint8Array;
  numbers: Readonly<Record<NumberField, NumberColumn>>;
  tokens: TokenPool;
}

/** A column with one number for each slot. */
interface NumberColumn {
  /**
   * Absent while all values are equal. Most memories have no limit of validity, so the columns of these limits need no
   * array.
   */
  values?: Float64Array;
  /**
   * Bounds of all values ever written to this column. If both bounds meet a condition, no slot needs a check. In an empty
   * column, `least` is Infinity and `most` is -Infinity.
   */
  least: number;
  most: number;
}

export function createBlock(): VectorBlock {
  return {
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
  return { least: Infinity, most: -Infinity };
}

export function writeFields(block: VectorBlock, slot: number, row: number, { numbers, tokens }: FilterNumbers): void {
  block.rows[slot] = row;
  block.tokens.set(slot, tokens);
  for (const field of NUMBER_FIELDS) {
    writeNumber(block.numbers[field], slot, numbers[field]);
  }
}

function writeNumber(column: NumberColumn, slot: number, value: number): void {
  const isEmpty = column.least > column.most;
  if (!isEmpty && !(column.least === value && column.most === value)) {
    column.values ??= new Float64Array(BLOCK_SIZE).fill(column.least);
  }
  if (column.values) column.values[slot] = value;
  column.least = Math.min(column.least, value);
  column.most = Math.max(column.most, value);
}

export function readFields({ numbers, tokens }: VectorBlock, slot: number): FilterNumbers {
  return { numbers: mapFields(numbers, ({ values, least }) => values?.[slot] ?? least), tokens: tokens.get(slot) };
}

/** Returns how many of the first `size` slots are in the block with this index. */
export function slotsIn(index: number, size: number): number {
  return Math.max(0, Math.min(BLOCK_SIZE, size - index * BLOCK_SIZE));
}

const ALL_SLOTS = Int32Array.from({ length: BLOCK_SIZE }, (_, slot) => slot);
const range: Range = { values: new Float64Array(0), start: 0, end: 0 };

/**
 * Selects those of the first `size` slots of a block that pass the filter, and writes them to the beginning of `slots`.
 *
 * @returns the number of selected slots
 */
export function selectSlots(block: VectorBlock, size: number, filter: NumericFilter, slots: Int32Array): number {
  return keepPassing(block, filter, slots.subarray(0, selectLikely(block, size, filter, slots)));
}

/** Moves those of the likely slots that pass the filter to the front, and returns their number. */
export function keepPassing(block: VectorBlock, filter: NumericFilter, slots: Int32Array): number {
  if (filter.sets.length === 0) return slots.length;
  let count = 0;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    if (meetsSets(block, filter, slot)) slots[count++] = slot;
  }
  return count;
}

/**
 * Like `selectSlots`, but does not read tokens, and may therefore also select slots that do not pass. The function
 * `meetsSets` tells which of the selected slots pass.
 */
export function selectLikely(block: VectorBlock, size: number, filter: NumericFilter, slots: Int32Array): number {
  const checks: NumberCheck[] = [];
  for (const { field, least, most } of filter.numbers) {
    const column = block.numbers[field];
    if (column.most < least || column.least > most) return 0;
    const { values } = column;
    if (values && (column.least < least || column.most > most)) checks.push({ values, least, most });
  }
  slots.set(ALL_SLOTS);
  // Each condition has a loop of its own, which is several times faster than one loop with all conditions.
  let count = size;
  for (const { needs, marks } of filter.sets) {
    if (needs === 'none') continue;
    const keep = needs === 'all' ? keepMarkedAll : keepMarkedAny;
    for (const [word, wanted] of marks.entries())
      count = keep(block.tokens.marks[word] as Int32Array, wanted, slots.subarray(0, count));
  }
  for (const check of checks) count = keepWithin(check, slots.subarray(0, count));
  return count;
}

/** Whether a slot meets the conditions on sets. */
export function meetsSets({ tokens }: VectorBlock, { sets }: NumericFilter, slot: number): boolean {
  if (sets.length === 0) return true;
  tokens.read(slot, range);
  for (const condition of sets) if (!meetsSet(range, condition)) return false;
  return true;
}

/** A condition on the values of a column. */
interface NumberCheck {
  values: Float64Array;
  least: number;
  most: number;
}

/**
 * Moves the slots that have one of the wanted bits to the front, and returns their number. Adds a bit instead of
 * branching, because the processor would often predict the branch wrongly.
 */
function keepMarkedAny(marks: Int32Array, wanted: number, slots: Int32Array): number {
  let count = 0;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    const common = (marks[slot] as number) & wanted;
    slots[count] = slot;
    count += (common | -common) >>> 31;
  }
  return count;
}

/** Like `keepMarkedAny`, for slots that have all of the wanted bits. */
function keepMarkedAll(marks: Int32Array, wanted: number, slots: Int32Array): number {
  let count = 0;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    const missing = wanted & ~(marks[slot] as number);
    slots[count] = slot;
    count += 1 - ((missing | -missing) >>> 31);
  }
  return count;
}

/** Moves the slots whose value is within the bounds to the front, and returns the number of these slots. */
function keepWithin({ values, least, most }: NumberCheck, slots: Int32Array): number {
  let count = 0;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    const value = values[slot] as number;
    if (value >= least && value <= most) slots[count++] = slot;
  }
  return count;
}

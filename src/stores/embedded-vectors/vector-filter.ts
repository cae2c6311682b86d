/** The filter fields of vectors as numbers, and the selection of the vectors that pass a filter. */
import {
  conditionsOf,
  type FilterValues,
  isSetCondition,
  type MemoryFilter,
  NUMBER_FIELDS,
  type NumberCondition,
  type NumberField,
  SET_FIELDS,
  type SetCondition,
  type SetField,
} from '../../domain/filter.js';
import { tagDigest } from '../../domain/tags.js';

export interface FilterNumbers {
  numbers: Readonly<Record<NumberField, number>>;
  /** One token for each value of the fields in SET_FIELDS. `tokensOf` makes the tokens. */
  tokens: Float64Array;
}

export function filterNumbersOf({ sets, numbers }: FilterValues): FilterNumbers {
  return { numbers, tokens: Float64Array.from(SET_FIELDS.flatMap(field => tokensOf(field, sets[field]))) };
}

/** Number of hexadecimal digits of the digest in a token. */
const DIGITS = 12;

/** All tokens are whole numbers that a double represents exactly, and those of two fields are never equal. */
function tokensOf(field: SetField, values: readonly string[]): number[] {
  const base = (SET_FIELDS.indexOf(field) + 1) * 16 ** DIGITS;
  return values.map(value => base + Number.parseInt(tagDigest(value).slice(0, DIGITS), 16));
}

/** A set condition whose values are tokens. */
interface NumericSetCondition extends Pick<SetCondition, 'needs'> {
  tokens: readonly number[];
}

/** A MemoryFilter in a form that can be sent to a thread. */
export interface NumericFilter {
  sets: readonly NumericSetCondition[];
  numbers: readonly NumberCondition[];
}

export function numericFilter(filter: MemoryFilter): NumericFilter {
  const conditions = conditionsOf(filter);
  return {
    sets: conditions
      .filter(isSetCondition)
      .map(({ field, needs, values }) => ({ needs, tokens: tokensOf(field, values) })),
    numbers: conditions.filter(condition => !isSetCondition(condition)),
  };
}

/** The filter fields of the vectors in consecutive slots. */
export interface FilterFields {
  /** Writes the fields of a slot, which may be the next one. */
  set(slot: number, fields: FilterNumbers): void;
  /** Overwrites the fields of a slot with those of the last slot, and removes the last slot. */
  moveLastTo(slot: number): void;
  /** Returns the slots that pass the filter, in ascending order. */
  select(filter: NumericFilter): Int32Array;
  passes(slot: number, filter: NumericFilter): boolean;
}

export function createFilterFields(): FilterFields {
  const numbers: Record<NumberField, number[]> = { createdMs: [], validFromMs: [], validUntilMs: [] };
  const tokens: (readonly number[])[] = [];
  /** See `markOf`. */
  const marks: number[] = [];
  const columns: unknown[][] = [...Object.values(numbers), tokens, marks];

  return {
    set: (slot, fields) => {
      for (const field of NUMBER_FIELDS) numbers[field][slot] = fields.numbers[field];
      tokens[slot] = Array.from(fields.tokens);
      marks[slot] = markOf(fields.tokens);
    },
    moveLastTo: slot => {
      for (const column of columns) {
        column[slot] = column.at(-1);
        column.pop();
      }
    },
    select: filter => {
      let slots = new Int32Array(marks.length);
      for (let slot = 0; slot < slots.length; slot++) slots[slot] = slot;
      // Each condition has a loop of its own, which is several times faster than one loop with all conditions.
      for (const { field, least, most } of filter.numbers) slots = keepWithin(slots, numbers[field], { least, most });
      for (const condition of filter.sets) {
        if (condition.needs !== 'none') slots = keepMarked(slots, marks, condition);
        slots = slots.filter(slot => meets(tokens[slot] as readonly number[], condition));
      }
      return slots;
    },
    passes: (slot, filter) => {
      const isWithin = ({ field, least, most }: NumberCondition) => {
        const value = numbers[field][slot] as number;
        return value >= least && value <= most;
      };
      const present = tokens[slot] as readonly number[];
      return filter.numbers.every(isWithin) && filter.sets.every(condition => meets(present, condition));
    },
  };
}

function keepWithin(
  slots: Int32Array<ArrayBuffer>,
  column: readonly number[],
  { least, most }: { least: number; most: number },
): Int32Array<ArrayBuffer> {
  let count = 0;
  // A loop by index takes half as long as `for … of`, and this loop visits all vectors.
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    const value = column[slot] as number;
    if (value >= least && value <= most) slots[count++] = slot;
  }
  return slots.subarray(0, count);
}

/**
 * Returns a number with one bit for each token, of 30 bits. A memory without the bit of a token does not have the value
 * of the token, so that the tokens of most memories need not be read.
 */
function markOf(tokens: Iterable<number>): number {
  let mark = 0;
  for (const token of tokens) mark |= 1 << (token % 30);
  return mark;
}

/** Keeps the slots whose marks may meet the condition. */
function keepMarked(
  slots: Int32Array<ArrayBuffer>,
  marks: readonly number[],
  { needs, tokens }: NumericSetCondition,
): Int32Array<ArrayBuffer> {
  const wanted = markOf(tokens);
  let count = 0;
  for (const slot of slots) {
    const common = (marks[slot] as number) & wanted;
    if (needs === 'all' ? common === wanted : common !== 0) slots[count++] = slot;
  }
  return slots.subarray(0, count);
}

function meets(present: readonly number[], { needs, tokens }: NumericSetCondition): boolean {
  if (needs === 'all') return tokens.every(token => present.includes(token));
  return tokens.some(token => present.includes(token)) === (needs === 'any');
}

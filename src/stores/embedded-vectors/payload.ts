/** What filters look at beside a vector, in numbers, and a filter in the same numbers. */
import {
  conditionsOf,
  isSetCondition,
  type MemoryFilter,
  type NumberCondition,
  type SetCondition,
} from '../../domain/filter.js';
import { type FilterValues, type NumberField, SET_FIELDS, type SetField } from '../../domain/filter-fields.js';
import { tagDigest } from '../../domain/tags.js';

export interface FilterNumbers {
  numbers: Readonly<Record<NumberField, number>>;
  /** A number for each value of each field with many values, as `tokenOf` makes it. */
  tokens: Float64Array;
}

export function filterNumbersOf({ sets, numbers }: FilterValues): FilterNumbers {
  return { numbers, tokens: Float64Array.from(SET_FIELDS.flatMap(field => tokensOf(field, sets[field]))) };
}

/** What a memory's values must be, as a condition in numbers. */
export interface NumericSetCondition extends Pick<SetCondition, 'needs'> {
  tokens: Float64Array;
  marks: number;
}

/** A MemoryFilter that can be sent to a thread. */
export interface NumericFilter {
  sets: readonly NumericSetCondition[];
  numbers: readonly NumberCondition[];
}

export function numericFilter(filter: MemoryFilter): NumericFilter {
  const conditions = conditionsOf(filter);
  return {
    sets: conditions.filter(isSetCondition).map(({ field, needs, values }) => {
      const tokens = Float64Array.from(tokensOf(field, values));
      return { needs, tokens, marks: marksOf(tokens) };
    }),
    numbers: conditions.filter(condition => !isSetCondition(condition)),
  };
}

/** One of 32 bits for each token: a memory without the bit has not the value. */
export function marksOf(tokens: Float64Array): number {
  let marks = 0;
  for (const token of tokens) marks |= 1 << (token % 32);
  return marks;
}

/** Some of a longer array of numbers. */
export interface Range {
  values: Float64Array;
  start: number;
  end: number;
}

/** Whether a memory whose tokens stand in the range meets the condition. */
export function meetsSet({ values, start, end }: Range, { needs, tokens }: NumericSetCondition): boolean {
  const has = (token: number) => {
    for (let index = start; index < end; index++) if (values[index] === token) return true;
    return false;
  };
  for (const token of tokens) if (has(token) !== (needs === 'all')) return needs === 'any';
  return needs !== 'any';
}

/** Hexadecimal digits of a digest in a token. */
const DIGITS = 12;
/** Tokens of a field lie above those of the fields before it. All of them are whole numbers that a double holds exactly. */
const FIELD_STEP = 2 ** 48;

function tokensOf(field: SetField, values: readonly string[]): number[] {
  const base = (SET_FIELDS.indexOf(field) + 1) * FIELD_STEP;
  return values.map(value => base + Number.parseInt(tagDigest(value).slice(0, DIGITS), 16));
}

/** Hexadecimal digits of a digest that files of earlier versions have. */
const FORMER_DIGITS = 13;

/**
 * The tokens of a row as a file has them. Earlier versions wrote the number of tags, the digests of the tags, then those of
 * all prefixes; that number is smaller than any token.
 */
export function tokensIn(written: Float64Array): Float64Array {
  const [count = FIELD_STEP] = written;
  if (count >= FIELD_STEP) return written;
  const shortened = (digest: number) => Math.floor(digest / 16 ** (FORMER_DIGITS - DIGITS));
  return written.subarray(1).map((digest, index) => shortened(digest) + (index < count ? 1 : 2) * FIELD_STEP);
}
